# tessera::mpi, the transport of distributed tensors by MPI: a library of its own, so that nobody else needs MPI.

set(MPI_C_FOUND FALSE)
if(mesh IN_LIST TESSERA_PARTS)
    if(NOT CMAKE_CROSSCOMPILING) # this machine's MPI is not the other one's
        find_package(MPI QUIET COMPONENTS C)
    endif()
    if(NOT MPI_C_FOUND)
        message(STATUS "tessera: no MPI, the mesh has the loopback only")
    endif()
endif()
if(MPI_C_FOUND)
    add_library(tessera_mpi STATIC src/mesh/mpi.c src/mesh/mpi_type.c src/mesh/mpi_layout.c)
    add_library(tessera::mpi ALIAS tessera_mpi)
    target_include_directories(tessera_mpi PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(tessera_mpi PUBLIC tessera PRIVATE MPI::MPI_C)
    set_target_properties(tessera_mpi PROPERTIES EXPORT_NAME mpi POSITION_INDEPENDENT_CODE ON)
    tessera_build_flags(tessera_mpi)
endif()

# For tests under mpirun: more ranks than cores must not spin.
set(TESSERA_CALM_MPI OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1 OPENBLAS_NUM_THREADS=1)
