# What is installed, and how other projects find it: a CMake package and a pkg-config file. Nothing here is made by a program
# that was built, so that a build for another machine, and one of the program alone, can be installed.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)

install(TARGETS tessera tessera_headers EXPORT tesseraTargets)
if(MPI_C_FOUND)
    install(TARGETS tessera_mpi EXPORT tesseraTargets)
endif()
set(doors_left_out "")
foreach(part IN ITEMS picture io gpu reshard)
    if(NOT part IN_LIST TESSERA_PARTS)
        list(APPEND doors_left_out PATTERN tessera/${part}.h EXCLUDE)
    endif()
endforeach()
if(NOT gpu IN_LIST TESSERA_PARTS)
    list(APPEND doors_left_out PATTERN tessera/gpu EXCLUDE PATTERN tessera/mesh/gpu.h EXCLUDE
        PATTERN tessera/mesh/comm.h EXCLUDE PATTERN tessera/mesh/nccl.h EXCLUDE)
endif()
if(NOT io IN_LIST TESSERA_PARTS)
    list(APPEND doors_left_out PATTERN tessera/dlpack.h EXCLUDE)
endif()
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${doors_left_out})
install(FILES ${TESSERA_ONE_HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(${CMAKE_CURRENT_LIST_DIR}/sbom.cmake)

# The manual page and the completions are what the program says of itself (the target `reference`).
if(TESSERA_CLI)
    install(TARGETS tessera_cli)
    install(FILES share/tessera.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES share/tessera.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tessera)
    install(FILES share/tessera.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _tessera)
    install(FILES share/tessera.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set_target_properties(tessera_headers PROPERTIES EXPORT_NAME headers)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package_dir})
configure_package_config_file(cmake/tesseraConfig.cmake.in tesseraConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
    DESTINATION ${package_dir})

# Paths in tessera.pc start from the file itself, so that an installed tree can be moved. What the library needs beside it
# (libdl and libpthread, where these are libraries of their own) a program names only if it links the static one.
file(RELATIVE_PATH to_include ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(libs_private)
if(CMAKE_DL_LIBS)
    set(libs_private -l${CMAKE_DL_LIBS})
endif()
if(CMAKE_THREAD_LIBS_INIT)
    list(APPEND libs_private ${CMAKE_THREAD_LIBS_INIT})
endif()
list(JOIN libs_private " " libs_private)
set(libs_beside)
if(NOT BUILD_SHARED_LIBS)
    set(libs_beside ${libs_private})
endif()
list(JOIN TESSERA_PARTS " " parts_of_pc)
configure_file(cmake/tessera.pc.in tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(uninstall
        COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
        COMMENT "What was installed from this build is removed")
endif()
