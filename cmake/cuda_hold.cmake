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
