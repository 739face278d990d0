# aisp-judge-cuda: the supervisor's child that owns a device's memory (judge_cuda/). Built everywhere; its kernels need nvcc, and
# without them it starts, and says so. Like a worker it links nothing of ours but the driver's table, and libc.
aisp_view(judge_cuda judge_cuda backends/cuda core/base/err.h core/base/rng.h core/base/clock.h core/judge/fill.h)
file(GLOB judge_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/judge_cuda/*.c)
add_executable(aisp-judge-cuda ${judge_sources} ${CMAKE_SOURCE_DIR}/backends/cuda/driver.c)
target_include_directories(aisp-judge-cuda PRIVATE ${CMAKE_BINARY_DIR}/view/judge_cuda)
target_link_options(aisp-judge-cuda PRIVATE -Wl,--as-needed)
target_link_libraries(aisp-judge-cuda PRIVATE aisp_flags)

if(AISP_NVCC)
    # Products and sums are rounded one by one: the same bits as on the host (core/judge/fill.c).
    set(image ${CMAKE_BINARY_DIR}/judge_kernels.fatbin)
    set(kernel_files ${CMAKE_SOURCE_DIR}/judge_cuda/kernels.cu ${CMAKE_SOURCE_DIR}/judge_cuda/kernels.h
        ${CMAKE_SOURCE_DIR}/backends/cuda/judge_plan.h)
    set(warnings_are_errors)
    if(AISP_WERROR)
        set(warnings_are_errors -Werror all-warnings)
    endif()
    add_custom_command(OUTPUT ${image} DEPENDS ${kernel_files}
        COMMAND ${AISP_NVCC} -fatbin -O3 -std=c++17 -fmad=false ${warnings_are_errors}
            -gencode=arch=compute_90a,code=sm_90a -gencode=arch=compute_80,code=compute_80
            -I${CMAKE_BINARY_DIR}/view/judge_cuda -o ${image} ${CMAKE_SOURCE_DIR}/judge_cuda/kernels.cu
        COMMENT "Compiling the judge's kernels" VERBATIM)
    set_property(SOURCE ${CMAKE_SOURCE_DIR}/judge_cuda/image.c APPEND PROPERTY COMPILE_DEFINITIONS JUDGE_IMAGE="${image}")
    set_property(SOURCE ${CMAKE_SOURCE_DIR}/judge_cuda/image.c APPEND PROPERTY OBJECT_DEPENDS ${image})
endif()
