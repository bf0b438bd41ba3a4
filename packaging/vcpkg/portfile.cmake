vcpkg_download_distfile(archive URLS "@URL@" FILENAME "tessera-@VERSION@.tar.gz" SHA512 @SHA512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES tools TESSERA_CLI)
vcpkg_cmake_configure(SOURCE_PATH "${source}"
    OPTIONS ${options} -DTESSERA_TESTS=OFF -DTESSERA_PYTHON=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
    MAYBE_UNUSED_VARIABLES CMAKE_DISABLE_FIND_PACKAGE_MPI)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tessera)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES tessera AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
