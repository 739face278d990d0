/* gpu_practice.c - GPU programming: questions about the program. */
#include "doctor/item.h"

AISP_ITEM(coalesced) = {
    .id = "gpu.coalesced",
    .title = "Neighbouring threads read neighbouring addresses",
    .why = "A warp's load is served in sectors of 32 bytes; with a stride each thread fetches a sector of its own and up "
           "to seven eighths of the bandwidth are thrown away.",
    .how = "Sectors for each request: 4 for 4-byte loads, not 32?",
    .fix = "ncu --section MemoryWorkloadAnalysis_Tables ./program",
};

AISP_ITEM(occupancy) = {
    .id = "gpu.occupancy",
    .title = "There are enough warps to hide latency, and no more",
    .why = "A kernel that waits for memory wants warps; one with much parallelism inside a thread wants registers. High "
           "occupancy is a means, not a goal.",
    .how = "Did a sweep of block sizes and register limits show the best?",
    .fix = "ncu --section Occupancy --section WarpStateStats ./program",
};

AISP_ITEM(bank_conflicts) = {
    .id = "gpu.bank-conflicts",
    .title = "Shared memory is read without bank conflicts",
    .why = "32 banks answer one word each a cycle; threads that meet in one bank are served one after the other.",
    .how = "Conflicts near zero, through padding or swizzling?",
    .fix = "ncu --metrics l1tex__data_bank_conflicts_pipe_lsu.sum ./program",
};

AISP_ITEM(spills) = {
    .id = "gpu.spills",
    .title = "No kernel spills registers without being meant to",
    .why = "What does not fit into registers goes to local memory, which is device memory.",
    .how = "Does the compiler report 0 bytes of spills?",
    .fix = "nvcc -Xptxas -v ... 2>&1 | grep spill",
};

AISP_ITEM(divergence) = {
    .id = "gpu.divergence",
    .title = "Threads of a warp take the same way",
    .why = "Both sides of a branch are executed if one thread takes each; work should be sorted so that whole warps "
           "agree.",
    .how = "Active threads for each executed instruction near 32?",
    .fix = "ncu --metrics smsp__thread_inst_executed_per_inst_executed.ratio \\\n"
           "  ./program",
};

AISP_ITEM(streams) = {
    .id = "gpu.streams",
    .title = "Copies and kernels overlap where they do not depend",
    .why = "In the default stream everything waits for everything; with streams and pinned buffers the copy engines work "
           "beside the multiprocessors.",
    .how = "Does the timeline show copies below kernels?",
    .fix = "nsys profile -t cuda,nvtx ./program",
};

AISP_ITEM(pinned) = {
    .id = "gpu.pinned-memory",
    .title = "Host buffers of copies are pinned",
    .why = "From pageable memory the driver copies twice, through a pinned buffer of its own, and the call blocks.",
    .how = "Are transfer buffers from cudaHostAlloc or pin_memory=True?",
    .fix = "nsys stats --report cuda_gpu_mem_size_sum report.nsys-rep",
};

AISP_ITEM(graphs) = {
    .id = "gpu.graphs",
    .title = "Sequences of short kernels are launched as one graph",
    .why = "A launch takes 2 to 5 us of a CPU; kernels shorter than that leave the GPU waiting. A graph pays once.",
    .how = "Are kernels of the hot loop longer than their launches?",
    .fix = "# cudaStreamBeginCapture ... cudaGraphLaunch; torch.cuda.graph",
};

AISP_ITEM(fusion) = {
    .id = "gpu.fusion",
    .title = "Element-wise steps are fused into their neighbours",
    .why = "Each kernel reads its input from memory and writes its output back; a chain of five element-wise steps moves "
           "five times the bytes of one.",
    .how = "Does the profile show runs of short memory-bound kernels?",
    .fix = "# torch.compile, an epilogue of the GEMM, or one kernel",
};

AISP_ITEM(tensor_cores) = {
    .id = "gpu.tensor-cores",
    .title = "Matrix products run on tensor cores",
    .why = "Dimensions that are no multiple of 8 or 16, or a wrong layout, send a product to the ordinary units at a "
           "tenth of the rate.",
    .how = "Is the tensor pipe active in the largest kernels?",
    .fix = "ncu --section ComputeWorkloadAnalysis ./program",
};

AISP_ITEM(mixed_precision) = {
    .id = "gpu.mixed-precision",
    .title = "Each tensor has the smallest type that its error allows",
    .why = "Half the bytes is half the traffic and a multiple of the rate; sums and statistics want more bits than "
           "factors.",
    .how = "Which types, and which error against f64, per tensor?",
    .fix = "aisp bench verify -t TARGET",
};

AISP_ITEM(allocation_in_loop) = {
    .id = "gpu.allocation-in-loop",
    .title = "The hot loop allocates no device memory",
    .why = "cudaMalloc and cudaFree wait for the device; the timeline shows gaps in every stream.",
    .how = "No cudaMalloc, cudaFree or cudaHostAlloc after warm-up?",
    .fix = "# cudaMallocAsync from a pool, or buffers that are kept",
};

AISP_ITEM(sync_in_loop) = {
    .id = "gpu.sync-in-loop",
    .title = "The hot loop does not wait for the device",
    .why = ".item(), .cpu(), printing a loss or a blocking copy empties the queue; then launches are no longer hidden.",
    .how = "Where does the host wait, once for each step or more often?",
    .fix = "# torch.cuda.set_sync_debug_mode('warn')",
};

AISP_ITEM(device_timing) = {
    .id = "gpu.device-timing",
    .title = "Timing covers the whole device and ends after its work",
    .why = "A launch returns at once; a clock that is stopped then, or an event in the wrong stream, times the launch.",
    .how = "Does the window end behind a synchronisation of the device?",
    .fix = "aisp bench run ...   # its clock is outside the variant",
};

AISP_ITEM(warm_up) = {
    .id = "gpu.warm-up",
    .title = "First calls are not in the figures",
    .why = "Loading modules, compiling, choosing algorithms and raising the clock happen in the first calls.",
    .how = "Does time against sample index look flat?",
    .fix = "aisp bench report --format html",
};

AISP_ITEM(native_code) = {
    .id = "gpu.native-code",
    .title = "Binaries hold machine code for this very architecture",
    .why = "Without it the driver compiles PTX at start; and features such as wgmma exist only in the variants with an "
           "'a'.",
    .how = "Does cuobjdump list the sm of this card?",
    .fix = "cuobjdump --list-elf ./program\n"
           "nvcc -gencode arch=compute_90a,code=sm_90a ...",
};

AISP_ITEM(launch_size) = {
    .id = "gpu.launch-size",
    .title = "The grid fills the device in whole waves",
    .why = "With 133 blocks on 132 multiprocessors the second wave runs one block and takes as long as the first.",
    .how = "Blocks divided by blocks that fit at once: just below a whole?",
    .fix = "ncu --section LaunchStats ./program   # waves per SM",
};

AISP_ITEM(async_copies) = {
    .id = "gpu.async-copies",
    .title = "Loads of the next tile run while this one is computed",
    .why = "cp.async and TMA copy to shared memory without registers; two to four stages hide the latency of memory.",
    .how = "Does the kernel stall on long scoreboard?",
    .fix = "ncu --section WarpStateStats ./program",
};

AISP_ITEM(atomics) = {
    .id = "gpu.atomics",
    .title = "Sums go through warp and block before an atomic",
    .why = "Atomics on one address are served one after the other in the L2; a shuffle reduction first leaves one for "
           "each block.",
    .how = "How many atomics does each output get?",
    .fix = "# __shfl_down_sync, then shared memory, then one atomicAdd",
};
