# The one kernel of a worker's own (worker/hold.cu), into aisp-worker: with nvcc, as cuda_judge.cmake does the judge's.
if(AISP_NVCC)
    set(hold_image ${CMAKE_BINARY_DIR}/hold.fatbin)
    set(warnings_are_errors)
    if(AISP_WERROR)
        set(warnings_are_errors -Werror all-warnings)
    endif()
    add_custom_command(OUTPUT ${hold_image} DEPENDS ${CMAKE_SOURCE_DIR}/worker/hold.cu ${CMAKE_SOURCE_DIR}/backends/cuda/hold.h
        COMMAND ${AISP_NVCC} -fatbin -O3 -std=c++17 ${warnings_are_errors}
            -gencode=arch=compute_90a,code=sm_90a -gencode=arch=compute_80,code=compute_80
            -I${CMAKE_BINARY_DIR}/view/worker -o ${hold_image} ${CMAKE_SOURCE_DIR}/worker/hold.cu
        COMMENT "Compiling the kernel that holds a stream" VERBATIM)
    set_property(SOURCE ${CMAKE_SOURCE_DIR}/worker/held_image.c APPEND PROPERTY COMPILE_DEFINITIONS HOLD_IMAGE="${hold_image}")
    set_property(SOURCE ${CMAKE_SOURCE_DIR}/worker/held_image.c APPEND PROPERTY OBJECT_DEPENDS ${hold_image})
endif()

# What is held where there is a card: build/held_cuda/NAME.so (tests/unit/cuda_held_device_test.c).
if(AISP_TESTS AND AISP_NVCC)
    file(GLOB held CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/held_cuda/*.cu)
    add_custom_target(held_cuda)
    foreach(source ${held})
        get_filename_component(name ${source} NAME_WLE)
        add_library(held_cuda_${name} MODULE EXCLUDE_FROM_ALL ${source})
        target_compile_options(held_cuda_${name} PRIVATE ${AISP_CUDA_FLAGS})
        target_include_directories(held_cuda_${name} PRIVATE ${CMAKE_BINARY_DIR}/view/tests)
        target_link_options(held_cuda_${name} PRIVATE -Wl,--as-needed)
        set_target_properties(held_cuda_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/held_cuda)
        add_dependencies(held_cuda held_cuda_${name})
    endforeach()
    cmake_language(DEFER CALL add_dependencies cuda_held_device_test held_cuda)
endif()
