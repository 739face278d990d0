# aisp-peak-cuda: the program that measures a card (peak_cuda/). Beside nvcc alone; it links the runtime and nothing else of
# CUDA. What needs the device runtime is relocatable code, and a library of its own, so that all other kernels are compiled whole.
if(AISP_NVCC)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/peak_cuda/*.c ${CMAKE_SOURCE_DIR}/peak_cuda/*.cu)
    list(FILTER sources EXCLUDE REGEX "device_runtime\\.cu$")
    aisp_view(peak_cuda peak_cuda)
    set(peak_flags ${AISP_CUDA_FLAGS} "SHELL:-Xcompiler -Wno-missing-field-initializers")
    list(REMOVE_ITEM peak_flags ${AISP_CUDA_IMAGES})

    # Linking needs machine code, so this one file is made for each known architecture; on others it answers "no kernel image".
    set(peak_machines "SHELL:-gencode=arch=compute_90a,code=sm_90a")
    foreach(machine 80 86 89 100 120)
        list(APPEND peak_machines "SHELL:-gencode=arch=compute_${machine},code=sm_${machine}")
    endforeach()
    add_library(peak_device_runtime STATIC ${CMAKE_SOURCE_DIR}/peak_cuda/device_runtime.cu)
    set_target_properties(peak_device_runtime PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
    add_executable(aisp-peak-cuda ${sources})
    target_compile_options(peak_device_runtime PRIVATE ${peak_machines})
    foreach(machine ${peak_machines})
        string(REPLACE "," "$<COMMA>" machine ${machine})
        target_link_options(peak_device_runtime PRIVATE $<DEVICE_LINK:${machine}>)
    endforeach()
    # Beside the usual images PTX of 8.9, which has fp8, and of 9.0, which has clusters and the copy engine, for cards after Hopper.
    target_compile_options(aisp-peak-cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${AISP_CUDA_IMAGES}>
        $<$<COMPILE_LANGUAGE:CUDA>:SHELL:-gencode=arch=compute_89,code=compute_89>
        $<$<COMPILE_LANGUAGE:CUDA>:SHELL:-gencode=arch=compute_90,code=compute_90>)
    foreach(target peak_device_runtime aisp-peak-cuda)
        target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/view/peak_cuda)
        target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${peak_flags}>
            $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wno-missing-field-initializers>)
    endforeach()
    target_link_libraries(aisp-peak-cuda PRIVATE peak_device_runtime ${CMAKE_DL_LIBS})
    target_link_options(aisp-peak-cuda PRIVATE -Wl,--as-needed)
    set_target_properties(aisp-peak-cuda PROPERTIES BUILD_RPATH "$ORIGIN;${AISP_CUDA_ROOT}/lib64" INSTALL_RPATH "$ORIGIN")
endif()
