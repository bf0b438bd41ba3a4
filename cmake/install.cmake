# What is installed, and how other projects find it: a CMake package and a pkg-config file.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)

install(TARGETS tessera tessera_headers EXPORT tesseraTargets)
install(TARGETS tessera_cli)
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The manual page and the completion are what the calculator says of itself.
add_custom_command(OUTPUT tessera.1 tessera.bash
    COMMAND tessera_cli man > tessera.1
    COMMAND tessera_cli completion bash > tessera.bash
    DEPENDS tessera_cli)
add_custom_target(tessera_manual ALL DEPENDS tessera.1 tessera.bash)
install(FILES ${PROJECT_BINARY_DIR}/tessera.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/tessera.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tessera)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set_target_properties(tessera_headers PROPERTIES EXPORT_NAME headers)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package_dir})
configure_package_config_file(cmake/tesseraConfig.cmake.in tesseraConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
    DESTINATION ${package_dir})

# Paths in tessera.pc start from the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH to_include ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/tessera.pc.in tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
