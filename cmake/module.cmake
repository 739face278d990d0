# aisp_module(name [DIR folder] SEES other...) - one folder, one OBJECT library. Its include path is a folder of links made here
# that holds include/aisp, the folder itself and what it SEES, and nothing else: a wrong include does not compile.
# OBJECT and not STATIC: tables collected by linker section come out empty from archives.

add_library(aisp_flags INTERFACE)
target_compile_definitions(aisp_flags INTERFACE _GNU_SOURCE AISP_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_compile_options(aisp_flags INTERFACE -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
    -Wundef -Wvla -Wformat=2 -Wno-missing-field-initializers -fno-common -fvisibility=hidden -fstack-protector-strong)
if(AISP_WERROR)
    target_compile_options(aisp_flags INTERFACE -Werror)
endif()
target_link_options(aisp_flags INTERFACE -Wl,-z,relro,-z,now)
if(AISP_SANITIZE)
    target_compile_options(aisp_flags INTERFACE -fsanitize=${AISP_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(aisp_flags INTERFACE -fsanitize=${AISP_SANITIZE})
    target_compile_definitions(aisp_flags INTERFACE AISP_SANITIZED=1)
endif()
if(AISP_FUZZ)                      # a fuzzer sees where its inputs lead
    target_compile_options(aisp_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_link_libraries(aisp_flags INTERFACE PkgConfig::JANSSON PkgConfig::SQLITE PkgConfig::SODIUM PkgConfig::HWLOC
    Threads::Threads m dl)

function(aisp_view name)
    set(view ${CMAKE_BINARY_DIR}/view/${name})
    file(REMOVE_RECURSE ${view})
    file(MAKE_DIRECTORY ${view})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/aisp ${view}/aisp SYMBOLIC)
    foreach(folder ${ARGN})
        get_filename_component(parent ${folder} DIRECTORY)
        file(MAKE_DIRECTORY ${view}/${parent})
        file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${view}/${folder} SYMBOLIC)
    endforeach()
endfunction()

function(aisp_module name)
    cmake_parse_arguments(M "" "DIR" "SEES" ${ARGN})
    if(NOT M_DIR)
        set(M_DIR ${name})
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${M_DIR}/*.c ${CMAKE_SOURCE_DIR}/${M_DIR}/*.S)
    aisp_view(${name} ${M_DIR} ${M_SEES})
    if(NOT sources)
        add_library(${name} INTERFACE)
        return()
    endif()
    add_library(${name} OBJECT ${sources})
    target_include_directories(${name} PRIVATE ${CMAKE_BINARY_DIR}/view/${name})
    target_link_libraries(${name} PUBLIC aisp_flags)
endfunction()

# What one module alone is linked with.
function(aisp_module_links name)
    target_link_libraries(${name} PUBLIC ${ARGN})
endfunction()

# A program out of modules: the list order is no matter, OBJECT libraries are linked whole.
function(aisp_program name)
    add_executable(${name})
    foreach(module ${ARGN})
        target_link_libraries(${name} PRIVATE ${module})
    endforeach()
    target_link_libraries(${name} PRIVATE aisp_flags)
endfunction()

# The worker links nothing of ours and nothing but libc: it starts for each variant and pair, so it has to start quickly, and
# what it does not hold cannot be found there by what it loads.
function(aisp_worker name)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.c)
    if("backends/cuda/driver.h" IN_LIST ARGN)      # opened at run time, so it links nothing
        list(APPEND sources ${CMAKE_SOURCE_DIR}/backends/cuda/driver.c)
    endif()
    aisp_view(${name} ${name} ${ARGN})
    add_executable(aisp-${name} ${sources})
    target_include_directories(aisp-${name} PRIVATE ${CMAKE_BINARY_DIR}/view/${name})
    target_link_options(aisp-${name} PRIVATE -Wl,--as-needed)
    if("backends/cuda/driver.h" IN_LIST ARGN)      # launches come through here: what is loaded sees their names (launches.c)
        target_link_options(aisp-${name} PRIVATE -rdynamic)
    endif()
    target_link_libraries(aisp-${name} PRIVATE aisp_flags)
endfunction()
