/* gpu.c - GPU programming: the driver, its devices and the variables that change how programs run on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/item.h"
#include "doctor/nvidia.h"

static void driver(const struct aisp_root *root, struct aisp_found *found)
{
    char version[32];

    if (!aisp_need_nvidia(root, found))
        return;
    if (aisp_nvidia_version(root, version, sizeof version))
        aisp_found_ok(found, "%s kernel module %s", aisp_nvidia_is_open(root) ? "open" : "proprietary", version);
    else
        aisp_found_problem(found, "there is an NVIDIA GPU and no /proc/driver/nvidia/version");
}

AISP_ITEM(driver) = {
    .id = "gpu.driver",
    .title = "The NVIDIA kernel module is loaded",
    .why = "After a kernel update the module may not have been built for the new kernel: the card is on the bus and "
           "nothing can use it.",
    .how = "/proc/driver/nvidia/version",
    .fix = "apt-get install nvidia-open && modprobe nvidia",
    .check = driver,
};

/* False: found is filled. */
static bool need_version(const struct aisp_root *root, struct aisp_found *found, char *version, size_t size)
{
    if (!aisp_need_nvidia(root, found))
        return false;
    if (aisp_nvidia_version(root, version, size))
        return true;
    aisp_found_unreadable(found, "/proc/driver/nvidia/version");
    return false;
}

static void driver_version(const struct aisp_root *root, struct aisp_found *found)
{
    char version[32];

    /* By the release notes CUDA 13 wants driver 580, CUDA 12 wants 525. */
    if (need_version(root, found, version, sizeof version))
        aisp_found_judged(found, atoi(version) >= 580, atoi(version) < 525 ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                          "driver %s", version);
}

AISP_ITEM(driver_version) = {
    .id = "gpu.driver-version",
    .title = "The driver is new enough for CUDA 13",
    .why = "A program built with a newer toolkit than the driver knows does not start, or compiles its kernels anew from "
           "PTX.",
    .how = "major version in /proc/driver/nvidia/version, 580 and up",
    .fix = "apt-get install cuda-drivers-580   # and reboot",
    .check = driver_version,
};

static void library_match(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const folders[] = { "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/aarch64-linux-gnu", "/usr/lib",
                                           "/usr/lib/wsl/lib" };
    char version[32], other[64] = "";
    bool same = false;

    if (!need_version(root, found, version, sizeof version))
        return;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct aisp_root_names names;

        aisp_root_list(root, &names, "libcuda.so.", "%s", folders[i]);
        for (size_t k = 0; k < names.n; k++) {
            const char *of = names.name[k] + strlen("libcuda.so.");

            if (!strchr(of, '.'))                        /* libcuda.so.1 names no version */
                continue;
            same |= !strcmp(of, version);
            snprintf(other, sizeof other, "%.60s", of);
        }
        aisp_names_release(&names);
    }
    if (!*other)
        aisp_found_unreadable(found, "libcuda.so.* in the folders of libraries");
    else
        aisp_found_judged(found, same, AISP_DIAGNOSIS_PROBLEM, "kernel module %s, libcuda %s", version, same ? version : other);
}

AISP_ITEM(library_match) = {
    .id = "gpu.library-match",
    .title = "libcuda and the loaded kernel module are of one version",
    .why = "An upgrade replaces the library at once and the module at the next boot; in between every start fails with a "
           "version mismatch.",
    .how = "name of libcuda.so.* against /proc/driver/nvidia/version",
    .fix = "rmmod nvidia_uvm nvidia && modprobe nvidia   # or reboot",
    .check = library_match,
};

static void device_nodes(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names gpus, nodes;
    size_t n = 0;

    if (!aisp_need_nvidia(root, found))
        return;
    aisp_nvidia_list(root, &gpus);
    if (!aisp_root_list(root, &nodes, "nvidia#", "/dev"))
        aisp_found_unreadable(found, "/dev");
    else if (!gpus.n)
        aisp_found_unreadable(found, "/proc/driver/nvidia/gpus");
    else {
        n = nodes.n;
        aisp_found_judged(found, n >= gpus.n && aisp_root_exists(root, "/dev/nvidiactl"), AISP_DIAGNOSIS_PROBLEM,
                          "%zu of %zu GPUs have a node in /dev, nvidiactl is %s", n, gpus.n,
                          aisp_root_exists(root, "/dev/nvidiactl") ? "there" : "missing");
    }
    aisp_names_release(&nodes);
    aisp_names_release(&gpus);
}

AISP_ITEM(device_nodes) = {
    .id = "gpu.device-nodes",
    .title = "All GPUs of the machine can be opened here",
    .why = "A container gets only the device nodes that its runtime puts there; without them the program falls back to "
           "the CPU or runs on fewer cards than were paid for.",
    .how = "/dev/nvidia* against /proc/driver/nvidia/gpus",
    .fix = "docker run --gpus all ...",
    .check = device_nodes,
};

static void unified_memory(const struct aisp_root *root, struct aisp_found *found)
{
    if (aisp_need_nvidia(root, found) && !aisp_root_exists(root, "/dev"))
        aisp_found_unreadable(found, "/dev");
    else if (aisp_root_has_nvidia(root) > 0)
        aisp_found_judged(found, aisp_root_exists(root, "/dev/nvidia-uvm"), AISP_DIAGNOSIS_PROBLEM, "/dev/nvidia-uvm is %s",
                          aisp_root_exists(root, "/dev/nvidia-uvm") ? "there" : "missing");
}

AISP_ITEM(unified_memory) = {
    .id = "gpu.uvm",
    .title = "The unified memory device is there",
    .why = "CUDA cannot make a context without it; cuInit fails with an unknown error that names nothing.",
    .how = "/dev/nvidia-uvm",
    .fix = "modprobe nvidia-uvm && nvidia-modprobe -u -c 0",
    .check = unified_memory,
};

static void persistence(const struct aisp_root *root, struct aisp_found *found)
{
    const char *socket = "/run/nvidia-persistenced/socket";

    if (!aisp_need_nvidia(root, found))
        return;
    if (aisp_root_exists(root, "%s", socket) || aisp_root_has_process(root, "nvidia-persistenced") > 0)
        aisp_found_ok(found, "the persistence daemon is running");
    else if (aisp_root_exists(root, "/run") || aisp_root_has_process(root, "nvidia-persistenced") == 0)
        aisp_found_attention(found, "no persistence daemon is seen");
    else
        aisp_found_unreadable(found, "%s", socket);
}

AISP_ITEM(persistence) = {
    .id = "gpu.persistence",
    .title = "The driver keeps its state between programs",
    .why = "Without persistence the card is set up anew for the first program after each pause: seconds at start, clocks "
           "and power limits back at their defaults.",
    .how = "/run/nvidia-persistenced/socket or its process",
    .fix = "systemctl enable --now nvidia-persistenced",
    .check = persistence,
};

static void visible(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names gpus;
    const char *list;
    size_t named = 0;

    if (!aisp_need_nvidia(root, found) || !aisp_need_environment(root, found))
        return;
    list = aisp_root_variable(root, "CUDA_VISIBLE_DEVICES");
    aisp_nvidia_list(root, &gpus);
    for (const char *at = list; at && *at && strncmp(at, "-1", 2); at += strcspn(at, ","), at += *at == ',')
        named++;
    if (!list)
        aisp_found_ok(found, "all GPUs are visible");
    else if (!named)
        aisp_found_problem(found, "CUDA_VISIBLE_DEVICES=%.40s hides every GPU", list);
    else
        aisp_found_judged(found, named >= gpus.n, AISP_DIAGNOSIS_ATTENTION, "CUDA_VISIBLE_DEVICES=%.40s: %zu of %zu", list,
                          named, gpus.n);
    aisp_names_release(&gpus);
}

AISP_ITEM(visible) = {
    .id = "gpu.visible",
    .title = "No variable hides GPUs from the program",
    .why = "A CUDA_VISIBLE_DEVICES left over from another job sends everything to one card, and device 0 is then another "
           "card than tools show as 0.",
    .how = "CUDA_VISIBLE_DEVICES",
    .fix = "unset CUDA_VISIBLE_DEVICES",
    .check = visible,
};

static void device_order(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names gpus;
    const char *order;

    if (!aisp_need_nvidia(root, found) || !aisp_need_environment(root, found))
        return;
    order = aisp_root_variable(root, "CUDA_DEVICE_ORDER");
    aisp_nvidia_list(root, &gpus);
    if (gpus.n < 2)
        aisp_found_not_applicable(found, "%zu GPU%s in /proc/driver/nvidia/gpus", gpus.n, gpus.n == 1 ? "" : "s");
    else
        aisp_found_judged(found, order && !strcmp(order, "PCI_BUS_ID"), AISP_DIAGNOSIS_ATTENTION, "CUDA_DEVICE_ORDER %s%.30s",
                          order ? "= " : "is not set", order ? order : "");
    aisp_names_release(&gpus);
}

AISP_ITEM(device_order) = {
    .id = "gpu.device-order",
    .title = "Programs and tools number the GPUs alike",
    .why = "CUDA sorts by speed unless told otherwise, nvidia-smi by bus address: on a mixed machine a lock of clocks or "
           "a CPU binding hits another card.",
    .how = "CUDA_DEVICE_ORDER, with two GPUs and more",
    .fix = "export CUDA_DEVICE_ORDER=PCI_BUS_ID",
    .check = device_order,
};

static void blocking_launch(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "CUDA_LAUNCH_BLOCKING|HIP_LAUNCH_BLOCKING|AMD_SERIALIZE_KERNEL", "1|2|3",
                     AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(blocking_launch) = {
    .id = "gpu.blocking-launch",
    .title = "Kernel launches do not wait for the kernel",
    .why = "The debugging switch makes every launch synchronous: no overlap, no queue, and 5 to 10 us more for each "
           "kernel.",
    .how = "CUDA_LAUNCH_BLOCKING and the like",
    .fix = "unset CUDA_LAUNCH_BLOCKING",
    .check = blocking_launch,
};

static void module_loading(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "CUDA_MODULE_LOADING", "EAGER", AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(module_loading) = {
    .id = "gpu.module-loading",
    .title = "Kernels are loaded when they are first used",
    .why = "Eager loading puts every kernel of every library on the card: seconds at start and hundreds of MiB that the "
           "model could use. With lazy loading, warm up before timing.",
    .how = "CUDA_MODULE_LOADING",
    .fix = "unset CUDA_MODULE_LOADING",
    .check = module_loading,
};

static void connections(const struct aisp_root *root, struct aisp_found *found)
{
    const char *text;
    int n;

    if (!aisp_need_environment(root, found))
        return;
    text = aisp_root_variable(root, "CUDA_DEVICE_MAX_CONNECTIONS");
    n = text ? atoi(text) : 8;                           /* the driver's own default */
    aisp_found_judged(found, n >= 8, AISP_DIAGNOSIS_ATTENTION, "CUDA_DEVICE_MAX_CONNECTIONS %s%s", text ? "= " : "is not set",
                      text ? text : "");
}

AISP_ITEM(connections) = {
    .id = "gpu.connections",
    .title = "Streams have hardware queues of their own",
    .why = "With one connection work of all streams stands in one line. Some tensor-parallel training wants exactly that "
           "to order communication before compute; for serving it removes the overlap.",
    .how = "CUDA_DEVICE_MAX_CONNECTIONS",
    .fix = "export CUDA_DEVICE_MAX_CONNECTIONS=8",
    .check = connections,
};

static void jit(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "CUDA_FORCE_PTX_JIT|CUDA_CACHE_DISABLE|CUDA_FORCE_JIT", "1", AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(jit) = {
    .id = "gpu.jit-cache",
    .title = "Kernels are not compiled anew at every start",
    .why = "These switches throw away the machine code in the binary or the driver's cache of it; the first call of each "
           "kernel then takes up to seconds.",
    .how = "CUDA_FORCE_PTX_JIT, CUDA_CACHE_DISABLE",
    .fix = "unset CUDA_FORCE_PTX_JIT CUDA_CACHE_DISABLE",
    .check = jit,
};

static void allocator(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "PYTORCH_NO_CUDA_MEMORY_CACHING|PYTORCH_NO_HIP_MEMORY_CACHING", "1", AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(allocator) = {
    .id = "gpu.caching-allocator",
    .title = "The framework keeps the GPU memory that it has",
    .why = "Without its cache every tensor is a cudaMalloc and a cudaFree, and the second waits for the whole device.",
    .how = "PYTORCH_NO_CUDA_MEMORY_CACHING",
    .fix = "unset PYTORCH_NO_CUDA_MEMORY_CACHING",
    .check = allocator,
};

static void debug_variables(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found,
                     "CUBLAS_LOGINFO_DBG|CUBLASLT_LOG_LEVEL|CUDNN_LOGLEVEL_DBG|CUDNN_LOGINFO_DBG|TORCH_LOGS|"
                     "TORCH_SHOW_DISPATCH_TRACE|CUDA_ENABLE_COREDUMP_ON_EXCEPTION|CUDA_DEVICE_WAITS_ON_EXCEPTION|"
                     "TRITON_INTERPRET|TRITON_DEBUG",
                     NULL, AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(debug_variables) = {
    .id = "gpu.debug-variables",
    .title = "No library logs or checks for a debugging session",
    .why = "A log line for every call costs more than the call; core dumps on exceptions keep extra state on the device, "
           "and an interpreter instead of a compiler measures nothing.",
    .how = "CUBLASLT_LOG_LEVEL, CUDNN_LOGLEVEL_DBG, TORCH_LOGS and the like",
    .fix = "env | grep -e _LOG -e _DBG -e DEBUG   # and unset them",
    .check = debug_variables,
};

static void mps(const struct aisp_root *root, struct aisp_found *found)
{
    const char *percent;
    int running;

    if (!aisp_need_nvidia(root, found))
        return;
    percent = aisp_root_variable(root, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
    running = aisp_root_has_process(root, "nvidia-cuda-mps-control");
    if (percent && atof(percent) < 100)
        aisp_found_problem(found, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE = %s", percent);
    else if (running > 0)
        aisp_found_attention(found, "nvidia-cuda-mps-control is running");
    else if (running == 0 || aisp_root_exists(root, "/proc/self"))
        aisp_found_ok(found, "no MPS among the processes seen");
    else
        aisp_found_unreadable(found, "/proc/*/comm");
}

AISP_ITEM(mps) = {
    .id = "gpu.mps",
    .title = "The GPU is not shared through MPS while measuring",
    .why = "Clients of MPS run at the same time on one card, and may be limited to a share of its multiprocessors.",
    .how = "process nvidia-cuda-mps-control, CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    .fix = "echo quit | nvidia-cuda-mps-control",
    .check = mps,
};

static void mig(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names gpus;
    int slices = 0;

    if (!aisp_need_nvidia(root, found))
        return;
    if (!aisp_root_list(root, &gpus, "gpu#", "/proc/driver/nvidia/capabilities"))
        aisp_found_not_applicable(found, "the driver lists no capabilities");
    else {
        for (size_t i = 0; i < gpus.n; i++) {
            struct aisp_root_names instances;

            aisp_root_list(root, &instances, "gi#", "/proc/driver/nvidia/capabilities/%s/mig", gpus.name[i]);
            slices += (int)instances.n;
            aisp_names_release(&instances);
        }
        aisp_found_judged(found, !slices, AISP_DIAGNOSIS_ATTENTION, "%d GPU instances", slices);
    }
    aisp_names_release(&gpus);
}

AISP_ITEM(mig) = {
    .id = "gpu.mig",
    .title = "The GPU is whole, not a slice",
    .why = "A slice has a share of multiprocessors, cache and bandwidth and no NVLink; its figures compare only with "
           "slices of the same profile.",
    .how = "/proc/driver/nvidia/capabilities/gpu*/mig/gi*",
    .fix = "nvidia-smi -i 0 -mig 0   # when no instance is in use",
    .check = mig,
};

static void display(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names outputs;
    char state[32], first[40] = "";
    bool odd = false;

    if (!aisp_root_list(root, &outputs, "card", "/sys/class/drm")) {
        if (aisp_root_exists(root, "/sys/class"))
            aisp_found_not_applicable(found, "no device can drive a display");
        else
            aisp_found_unreadable(found, "/sys/class/drm");
    } else {
        for (size_t i = 0; i < outputs.n; i++) {
            int64_t vendor = 0;

            aisp_root_integer(root, &vendor, "/sys/class/drm/%.*s/device/vendor", (int)strcspn(outputs.name[i], "-"),
                              outputs.name[i]);
            if (!aisp_pci_is_console((int)vendor) &&
                aisp_root_line(root, state, sizeof state, "/sys/class/drm/%s/status", outputs.name[i])) {
                odd |= !strstr(state, "connected") && strcmp(state, "unknown");
                if (!strcmp(state, "connected") && !*first)
                    snprintf(first, sizeof first, "%.39s", outputs.name[i]);
            }
        }
        if (odd)
            aisp_found_unreadable(found, "the state of an output in /sys/class/drm");
        else
            aisp_found_judged(found, !*first, AISP_DIAGNOSIS_ATTENTION, "%s%s",
                              *first ? "connected: " : "no display is connected", first);
    }
    aisp_names_release(&outputs);
}

AISP_ITEM(display) = {
    .id = "gpu.display",
    .title = "No display hangs on the GPU that computes",
    .why = "A desktop takes memory and time slices of the card, and a watchdog may end long kernels.",
    .how = "status of the outputs in /sys/class/drm",
    .fix = "systemctl isolate multi-user.target",
    .check = display,
};

static void toolkit(const struct aisp_root *root, struct aisp_found *found)
{
    const char *home = aisp_root_variable(root, "CUDA_HOME");
    bool known, has;

    if (!aisp_need_nvidia(root, found))
        return;
    home = home ? home : "/usr/local/cuda";
    has = aisp_root_exists(root, "%s/bin/nvcc", home) || aisp_root_has_program(root, "nvcc", &known);
    if (!has && !aisp_root_exists(root, "/usr"))
        aisp_found_unreadable(found, "%s", home);
    else
        aisp_found_judged(found, has, AISP_DIAGNOSIS_ATTENTION, "%s/bin/nvcc %s", home, has ? "or nvcc in PATH is there"
                                                                                            : "is missing, as is nvcc in PATH");
}

AISP_ITEM(toolkit) = {
    .id = "gpu.toolkit",
    .title = "The CUDA compiler can be found",
    .why = "CUDA variants are built only where nvcc is; without it a GPU machine measures its CPU.",
    .how = "$CUDA_HOME/bin/nvcc, /usr/local/cuda/bin/nvcc, PATH",
    .fix = "apt-get install cuda-toolkit-13-0\n"
           "export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH",
    .check = toolkit,
};

static void excluded(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names gpus;
    char word[16], first[16] = "";
    int seen = 0;

    if (!aisp_need_nvidia(root, found))
        return;
    aisp_nvidia_list(root, &gpus);
    for (size_t i = 0; i < gpus.n; i++)
        if (aisp_nvidia_information(root, gpus.name[i], "GPU Excluded", word, sizeof word)) {
            seen++;
            if (!strcmp(word, "Yes") && !*first)
                snprintf(first, sizeof first, "%.15s", gpus.name[i]);
        }
    aisp_names_release(&gpus);
    if (!seen)
        aisp_found_unreadable(found, "GPU Excluded of /proc/driver/nvidia/gpus/*/information");
    else
        aisp_found_judged(found, !*first, AISP_DIAGNOSIS_PROBLEM, "%s%s", *first ? "excluded: " : "none is excluded", first);
}

AISP_ITEM(excluded) = {
    .id = "gpu.excluded",
    .title = "The driver has excluded no GPU",
    .why = "A module parameter or the fabric manager can take a faulty card out; jobs then start with one card fewer.",
    .how = "GPU Excluded in /proc/driver/nvidia/gpus/*/information",
    .fix = "grep -r NVreg_ExcludedGpus /etc/modprobe.d",
    .check = excluded,
};

static void nvlink_disabled(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t off;

    if (!aisp_need_nvidia(root, found))
        return;
    if (!aisp_nvidia_setting(root, "NvLinkDisable", &off))
        aisp_found_unreadable(found, "NvLinkDisable of /proc/driver/nvidia/params");
    else
        aisp_found_judged(found, off == 0, AISP_DIAGNOSIS_PROBLEM, "NvLinkDisable = %lld", (long long)off);
}

AISP_ITEM(nvlink_disabled) = {
    .id = "gpu.nvlink-disabled",
    .title = "NVLink was not switched off in the driver",
    .why = "The setting is used to work around a faulty link; with it all traffic between the cards takes PCIe, at a "
           "tenth of the bandwidth.",
    .how = "NvLinkDisable in /proc/driver/nvidia/params",
    .fix = "grep -r NVreg_NvLinkDisable /etc/modprobe.d",
    .check = nvlink_disabled,
};

static void direct_storage(const struct aisp_root *root, struct aisp_found *found)
{
    char version[64] = "";

    if (!aisp_need_nvidia(root, found))
        return;
    if (aisp_root_exists(root, "/proc/driver/nvidia-fs"))
        aisp_root_line(root, version, sizeof version, "/proc/driver/nvidia-fs/version");
    if (aisp_root_has_module(root, "nvidia_fs") < 0)
        aisp_found_unreadable(found, "/proc/modules and /sys/module");
    else
        aisp_found_judged(found, aisp_root_has_module(root, "nvidia_fs") == 1, AISP_DIAGNOSIS_ATTENTION, "%s%s",
                          aisp_root_has_module(root, "nvidia_fs") == 1 ? "nvidia_fs is loaded " : "nvidia_fs is not loaded",
                          version);
}

AISP_ITEM(direct_storage) = {
    .id = "gpu.direct-storage",
    .title = "Disks can write into GPU memory",
    .why = "Without GPUDirect Storage each block goes through a buffer in host memory and through a CPU; the library "
           "does so silently in its compatibility mode.",
    .how = "module nvidia_fs, /proc/driver/nvidia-fs/version",
    .fix = "apt-get install nvidia-gds && modprobe nvidia-fs\n"
           "/usr/local/cuda/gds/tools/gdscheck -p",
    .check = direct_storage,
};
