# libaisp-recorder.so: what an audit session's worker loads first to see what the device does (recorder_cuda/). Beside nvcc, where
# CUPTI's headers are: CUPTI itself is opened when the recorder starts, so that a machine without it says so and goes on.
if(AISP_NVCC)
    find_path(AISP_CUPTI_INCLUDE cupti.h HINTS ${AISP_CUDA_ROOT}/include ${AISP_CUDA_ROOT}/extras/CUPTI/include)
endif()
if(AISP_NVCC AND AISP_CUPTI_INCLUDE)
    aisp_view(recorder_cuda recorder_cuda backends/cuda/record.h backends/cuda/cubin.h)
    file(GLOB recorder_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/recorder_cuda/*.c)
    list(APPEND recorder_sources ${CMAKE_SOURCE_DIR}/backends/cuda/cubin.c)
    add_library(aisp-recorder MODULE ${recorder_sources})
    target_include_directories(aisp-recorder PRIVATE ${CMAKE_BINARY_DIR}/view/recorder_cuda)
    target_include_directories(aisp-recorder SYSTEM PRIVATE ${AISP_CUPTI_INCLUDE} ${AISP_CUDA_ROOT}/include)
    target_compile_options(aisp-recorder PRIVATE -Wall -Wextra -Wshadow -Wno-missing-field-initializers -fvisibility=hidden)
    if(AISP_WERROR)
        target_compile_options(aisp-recorder PRIVATE -Werror)
    endif()
    target_compile_definitions(aisp-recorder PRIVATE _GNU_SOURCE)
    target_link_libraries(aisp-recorder PRIVATE ${CMAKE_DL_LIBS})
    # RPATH and not RUNPATH: it holds for what is opened at run time by name as well.
    target_link_options(aisp-recorder PRIVATE -Wl,--disable-new-dtags)
    set_target_properties(aisp-recorder PROPERTIES PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
        BUILD_RPATH "$ORIGIN;${AISP_CUDA_ROOT}/lib64;${AISP_CUDA_ROOT}/extras/CUPTI/lib64" INSTALL_RPATH "$ORIGIN")
    add_dependencies(aisp-worker aisp-recorder) # whoever starts workers has it beside them
else()
    message(STATUS "no CUPTI headers: audit sessions on cuda record nothing")
endif()

# What the recorder is shown where there is a card: build/record_cuda/NAME.so (tests/unit/cuda_recorder_device_test.c).
if(AISP_TESTS AND TARGET aisp-recorder)
    file(GLOB shown CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/record_cuda/*.cu)
    add_custom_target(record_cuda)
    foreach(source ${shown})
        get_filename_component(name ${source} NAME_WLE)
        add_library(record_cuda_${name} MODULE EXCLUDE_FROM_ALL ${source})
        target_compile_options(record_cuda_${name} PRIVATE ${AISP_CUDA_FLAGS})
        target_include_directories(record_cuda_${name} PRIVATE ${CMAKE_BINARY_DIR}/view/tests)
        target_link_options(record_cuda_${name} PRIVATE -Wl,--as-needed)
        set_target_properties(record_cuda_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/record_cuda)
        add_dependencies(record_cuda record_cuda_${name})
    endforeach()
    # The test is defined later, with all others.
    cmake_language(DEFER CALL add_dependencies cuda_recorder_device_test record_cuda selftest_card_roots_problem
        selftest_card_roots_baseline_cuda)
endif()
