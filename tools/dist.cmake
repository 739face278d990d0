# dist.cmake - what a build for the tarball does differently (tools/dist gives it to cmake as CMAKE_PROJECT_INCLUDE, so that the build
# itself knows nothing of it). Permissive libraries are linked as archives where there is one, LGPL ones stay shared objects in lib/
# beside the programs, and everything finds them from where it lies itself.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)

# LGPL: shared, so that a user can put another one in its place. FindPkgConfig asks for these names.
find_library(pkgcfg_lib_SECCOMP_seccomp NAMES libseccomp.so)

# Peers: OpenBLAS as an archive in each of its variants. oneDNN and SLEEF come without archives, and a worker's cage reads no library
# that lies beside: they are left out, and `bench show` says so.
find_library(OPENBLAS_LIBRARY NAMES libopenblas.a PATH_SUFFIXES openblas-pthread)
set(DNNL_LIBRARY OFF CACHE STRING "" FORCE)
set(SLEEF_LIBRARY OFF CACHE STRING "" FORCE)

# DT_RPATH and not DT_RUNPATH: what a library in lib/ needs is found there as well. The little that nvcc's host code takes from the C++
# runtime (guards of statics) is linked in, for a machine may have an older one or none.
foreach(kind EXE SHARED MODULE)
    string(APPEND CMAKE_${kind}_LINKER_FLAGS " -Wl,--disable-new-dtags -static-libgcc -static-libstdc++"
        " -Wl,--exclude-libs,libstdc++.a:libgcc_eh.a:libgcc.a")
endforeach()
# What a compiler links by itself would else be named to the linker of another language, and be taken from there.
list(REMOVE_ITEM CMAKE_C_IMPLICIT_LINK_LIBRARIES gcc_s)
# Lines that name a file name it as in the sources, wherever they lay.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>")
# What archives need that pkg-config names only for them: SQLite's compression functions.
string(APPEND CMAKE_C_STANDARD_LIBRARIES " -Wl,--as-needed -lz")

# lib/ as seen from the folder of each output. Deferred: all targets are then known.
function(dist_set_paths directory)
    get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target ${targets})
        get_target_property(kind ${target} TYPE)
        if(NOT kind MATCHES "EXECUTABLE|MODULE_LIBRARY|SHARED_LIBRARY")
            continue()
        endif()
        get_target_property(folder ${target} LIBRARY_OUTPUT_DIRECTORY)
        if(kind STREQUAL "EXECUTABLE" OR NOT folder)
            set(folder ${CMAKE_BINARY_DIR})
        endif()
        file(RELATIVE_PATH lib ${folder} ${CMAKE_BINARY_DIR}/lib)
        set_target_properties(${target} PROPERTIES BUILD_RPATH "$ORIGIN/${lib}" BUILD_RPATH_USE_ORIGIN ON)
    endforeach()
    get_property(below DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
    foreach(one ${below})
        dist_set_paths(${one})
    endforeach()
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL dist_set_paths ${CMAKE_SOURCE_DIR})
