# Removes the files that the last installation from a build wrote, and the folders of ours that are empty then.
# usage: cmake -D MANIFEST=build/release/install_manifest.txt -P uninstall.cmake

cmake_minimum_required(VERSION 3.25)

if(NOT EXISTS ${MANIFEST})
    message(FATAL_ERROR "nothing was installed from this build: there is no ${MANIFEST}")
endif()
file(STRINGS ${MANIFEST} files)
set(folders "")
foreach(file IN LISTS files)
    file(REMOVE "$ENV{DESTDIR}${file}")
    cmake_path(GET file PARENT_PATH folder)
    while(folder MATCHES "/tessera(/|$)") # the folders of others stay
        list(APPEND folders "$ENV{DESTDIR}${folder}")
        cmake_path(GET folder PARENT_PATH folder)
    endwhile()
endforeach()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING) # what is inside of another one is first
foreach(folder IN LISTS folders)
    file(GLOB inside LIST_DIRECTORIES ON "${folder}/*")
    if(IS_DIRECTORY "${folder}" AND NOT inside)
        file(REMOVE_RECURSE "${folder}")
    endif()
endforeach()
