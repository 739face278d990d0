# aisp_targets(folder) - every GROUP/TARGET/problem.c below `folder` becomes build/targets/GROUP/TARGET/*.so, one object a file.
# A peer_<library>.c is built where its library was found; where it was not, `bench show` says so.

# The flags are recorded in each object: both sides have to be built alike.
# -Wstrict-aliasing=2 finds at compile time what goes wrong only on the CPU that runs it: an index vector written word by word.
# Alignment lies with tight intervals: the same source moved by 48 bytes ran up to 24 % slower without these.
set(AISP_VARIANT_FLAGS -O3 -frecord-gcc-switches -falign-functions=64 -falign-loops=64 -fno-plt -ffp-contract=off -fno-math-errno -Wall -Wextra
    -Wstrict-aliasing=2 -Wno-missing-field-initializers)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)                 # clang 14 knows only the first two
    list(APPEND AISP_VARIANT_FLAGS -falign-jumps=64 -falign-labels=32)
endif()
if(AISP_WERROR)
    list(APPEND AISP_VARIANT_FLAGS -Werror)
endif()
set(AISP_PEER_openblas ${OPENBLAS_LIBRARY})
set(AISP_PEER_onednn ${DNNL_LIBRARY})
set(AISP_PEER_sleef ${SLEEF_LIBRARY})
set(AISP_PEER_libc c)

aisp_view(variant)
if(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/kit)
    aisp_view(variant kit)
endif()

function(aisp_target_object folder source)
    get_filename_component(name ${source} NAME_WE)
    string(MAKE_C_IDENTIFIER "${folder}_${name}" id)
    if(name MATCHES "^peer_([a-z0-9]+)")
        set(library ${AISP_PEER_${CMAKE_MATCH_1}})
        if(NOT library)
            message(STATUS "${folder}/${name}: no ${CMAKE_MATCH_1} here, left out")
            file(APPEND ${CMAKE_BINARY_DIR}/targets/${AISP_GROUP_DIR}/MISSING "${name}: ${CMAKE_MATCH_1} is not installed\n")
            return()
        endif()
    endif()
    file(GLOB assembly CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/${name}*.S)
    add_library(${id} MODULE ${source} ${assembly})
    target_compile_options(${id} PRIVATE $<$<COMPILE_LANGUAGE:C>:${AISP_VARIANT_FLAGS}>)
    target_compile_definitions(${id} PRIVATE _GNU_SOURCE)
    target_include_directories(${id} PRIVATE ${CMAKE_BINARY_DIR}/view/variant)
    target_link_libraries(${id} PRIVATE m ${library})
    set_target_properties(${id} PROPERTIES PREFIX "" OUTPUT_NAME ${name} C_VISIBILITY_PRESET default
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/targets/${AISP_GROUP_DIR})
    add_dependencies(targets ${id})
endfunction()

# NAME.cu becomes NAME.cuda.so. A peer loads its library itself, so that the file is there where the library is not.
function(aisp_cuda_object folder source)
    get_filename_component(name ${source} NAME_WE)
    if(NOT AISP_NVCC)
        file(APPEND ${CMAKE_BINARY_DIR}/targets/${AISP_GROUP_DIR}/MISSING "${name} on cuda: built without nvcc\n")
        return()
    endif()
    string(MAKE_C_IDENTIFIER "${folder}_${name}_cuda" id)
    add_library(${id} MODULE ${source})
    target_compile_options(${id} PRIVATE ${AISP_CUDA_FLAGS})
    target_include_directories(${id} PRIVATE ${CMAKE_BINARY_DIR}/view/variant)
    target_link_libraries(${id} PRIVATE ${CMAKE_DL_LIBS})
    target_link_options(${id} PRIVATE -Wl,--as-needed)
    set_target_properties(${id} PROPERTIES PREFIX "" OUTPUT_NAME ${name}.cuda LIBRARY_OUTPUT_DIRECTORY
        ${CMAKE_BINARY_DIR}/targets/${AISP_GROUP_DIR})
    add_dependencies(targets ${id})
endfunction()

add_custom_target(targets ALL)

function(aisp_targets top)
    file(GLOB_RECURSE problems CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${top}/problem.c)
    foreach(problem ${problems})
        get_filename_component(directory ${problem} DIRECTORY)
        file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${directory})
        string(REGEX REPLACE "^chapters/" "" AISP_GROUP_DIR ${folder})
        file(REMOVE ${CMAKE_BINARY_DIR}/targets/${AISP_GROUP_DIR}/MISSING)   # read by `bench show`
        # Where --placement-audit finds what it builds again.
        file(WRITE ${CMAKE_BINARY_DIR}/targets/${AISP_GROUP_DIR}/SOURCE "${directory}\n${CMAKE_BINARY_DIR}/view/variant\n")
        file(GLOB variants CONFIGURE_DEPENDS ${directory}/baseline.c ${directory}/optimized*.c ${directory}/peer_*.c)
        foreach(source ${problem} ${variants})
            aisp_target_object(${folder} ${source})
        endforeach()
        file(GLOB variants CONFIGURE_DEPENDS ${directory}/baseline.cu ${directory}/optimized*.cu ${directory}/peer_*.cu
            ${directory}/reference.cu)
        foreach(source ${variants})
            aisp_cuda_object(${folder} ${source})
        endforeach()
    endforeach()
endfunction()
