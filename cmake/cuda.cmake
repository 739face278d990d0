# CUDA: found or not, and how a .cu is compiled. Without nvcc everything else is built, and `list-targets` says what is missing.
# One image for Hopper with its own instructions (wgmma, setmaxnreg: 90a, which must not be written -arch=sm_90a), and PTX for
# every other card from sm_80 on. The runtime is a shared library: variants of one process share it.
find_program(AISP_NVCC nvcc HINTS /usr/local/cuda/bin)
if(AISP_NVCC)
    get_filename_component(AISP_CUDA_ROOT ${AISP_NVCC} DIRECTORY)
    get_filename_component(AISP_CUDA_ROOT ${AISP_CUDA_ROOT} DIRECTORY)
    set(CMAKE_CUDA_COMPILER ${AISP_NVCC})
    set(CMAKE_CUDA_ARCHITECTURES OFF)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    set(AISP_CUDA_IMAGES "SHELL:-gencode=arch=compute_90a,code=sm_90a" "SHELL:-gencode=arch=compute_80,code=compute_80")
    set(AISP_CUDA_FLAGS ${AISP_CUDA_IMAGES} -lineinfo "SHELL:-Xcompiler -fno-plt,-Wall,-Wextra")
    if(AISP_WERROR)
        list(APPEND AISP_CUDA_FLAGS "SHELL:-Werror all-warnings")
    endif()
else()
    message(STATUS "no nvcc: CUDA forms are left out")
endif()

# Parts of CUDA that are programs of their own.
function(aisp_cuda_parts)
    foreach(part ${ARGN})
        include(${CMAKE_SOURCE_DIR}/cmake/${part}.cmake OPTIONAL)
    endforeach()
endfunction()
