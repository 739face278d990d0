/* distributed_job.c - distributed training and network: the variables and files that steer collectives, and questions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/item.h"

static void nccl_debug(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "NCCL_DEBUG|NCCL_DEBUG_SUBSYS", "INFO|TRACE|ALL|info|trace|all", AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(nccl_debug) = {
    .id = "distributed.nccl-debug",
    .title = "NCCL does not log every call",
    .why = "INFO writes lines for each communicator of each rank, TRACE for each operation; all ranks write to one file "
           "system.",
    .how = "NCCL_DEBUG",
    .fix = "export NCCL_DEBUG=WARN",
    .check = nccl_debug,
};

static void nccl_disabled(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "NCCL_P2P_DISABLE|NCCL_SHM_DISABLE|NCCL_IB_DISABLE|NCCL_NET_DISABLE_INTRA", "1",
                     AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(nccl_disabled) = {
    .id = "distributed.nccl-disabled",
    .title = "No fast path of NCCL is switched off",
    .why = "These switches are advice for debugging that stays in scripts: without P2P traffic between cards goes "
           "through the host, without IB through sockets.",
    .how = "NCCL_P2P_DISABLE, NCCL_SHM_DISABLE, NCCL_IB_DISABLE",
    .fix = "unset NCCL_P2P_DISABLE NCCL_SHM_DISABLE NCCL_IB_DISABLE",
    .check = nccl_disabled,
};

static void nccl_forced(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "NCCL_ALGO|NCCL_PROTO|NCCL_MAX_NCHANNELS|NCCL_NTHREADS|NCCL_BUFFSIZE", NULL,
                     AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(nccl_forced) = {
    .id = "distributed.nccl-forced",
    .title = "NCCL chooses algorithm and protocol by itself",
    .why = "The best choice depends on size, ranks and topology; a value that was tuned for one message on one cluster "
           "holds for all of them since.",
    .how = "NCCL_ALGO, NCCL_PROTO, NCCL_MAX_NCHANNELS and the like",
    .fix = "unset NCCL_ALGO NCCL_PROTO   # then compare with nccl-tests",
    .check = nccl_forced,
};

/* The first name of a list that no folder entry begins with; '=', '^' and ":port" of NCCL's notation are left out. */
static bool find_missing(const struct aisp_root *root, const char *list, const char *folder, char *missing, size_t size)
{
    const bool excludes = *list == '^';

    *missing = 0;
    for (const char *at = list; *at && !excludes; at += strcspn(at, ","), at += *at == ',') {
        struct aisp_root_names names;
        char name[40];
        size_t n;

        at += strspn(at, "= ");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ",:"), at);
        aisp_root_list(root, &names, name, "%s", folder);
        n = names.n;
        aisp_names_release(&names);
        if (!n) {
            snprintf(missing, size, "%s", name);
            return true;
        }
    }
    return false;
}

static void judge_names(const struct aisp_root *root, struct aisp_found *found, const char *first, const char *second,
                        const char *folder)
{
    const char *list;
    char missing[40];

    if (!aisp_need_environment(root, found))
        return;
    list = aisp_root_variable(root, first);
    list = list ? list : aisp_root_variable(root, second);
    if (!list || !*list)
        aisp_found_not_applicable(found, "neither %s nor %s is set", first, second);
    else if (!aisp_root_exists(root, "%s", folder))
        aisp_found_problem(found, "%.60s is asked for and %s is not there", list, folder);
    else if (find_missing(root, list, folder, missing, sizeof missing))
        aisp_found_problem(found, "%.60s names %s, which is not there", list, missing);
    else
        aisp_found_ok(found, "%.60s: all there", list);
}

static void interface_names(const struct aisp_root *root, struct aisp_found *found)
{
    judge_names(root, found, "NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "/sys/class/net");
}

AISP_ITEM(interface_names) = {
    .id = "distributed.interface-names",
    .title = "The interfaces that collectives are told to use exist here",
    .why = "Interface names differ between images; with a wrong one ranks find no address, or settle on a bridge of the "
           "container runtime.",
    .how = "NCCL_SOCKET_IFNAME against /sys/class/net",
    .fix = "ip -brief address; export NCCL_SOCKET_IFNAME=NAME",
    .check = interface_names,
};

static void adapter_names(const struct aisp_root *root, struct aisp_found *found)
{
    judge_names(root, found, "NCCL_IB_HCA", "NVSHMEM_HCA_LIST", "/sys/class/infiniband");
}

AISP_ITEM(adapter_names) = {
    .id = "distributed.adapter-names",
    .title = "The RDMA devices that collectives are told to use exist here",
    .why = "If none of the named devices exists the library goes to sockets; if one is missing, all traffic takes the "
           "others.",
    .how = "NCCL_IB_HCA against /sys/class/infiniband",
    .fix = "ibdev2netdev; export NCCL_IB_HCA=mlx5_0,mlx5_1",
    .check = adapter_names,
};

static void nccl_file(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/etc/nccl.conf");
    char first[80] = "";

    for (const char *line = text; line && *line && !*first; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (*line != '#' && *line != '\n')
            snprintf(first, sizeof first, "%.*s", (int)strcspn(line, "\n"), line);
    if (!text && !aisp_root_exists(root, "/etc"))
        aisp_found_unreadable(found, "/etc");
    else
        aisp_found_judged(found, !*first, AISP_DIAGNOSIS_ATTENTION, "%s%s", *first ? "it sets " : "sets nothing", first);
    free(text);
}

AISP_ITEM(nccl_file) = {
    .id = "distributed.nccl-file",
    .title = "No file changes NCCL behind the job's back",
    .why = "/etc/nccl.conf is read by every process on the host and is in no script and in no record.",
    .how = "/etc/nccl.conf",
    .fix = "cat /etc/nccl.conf   # move it into the job's environment",
    .check = nccl_file,
};

static void ranks(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const names[] = { "RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT" };
    char missing[80] = "";
    size_t used = 0;
    int set = 0, rank, size;

    if (!aisp_need_environment(root, found))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (aisp_root_variable(root, names[i]))
            set++;
        else
            used += (size_t)snprintf(missing + used, sizeof missing - used, " %s", names[i]);
    }
    if (!set) {
        aisp_found_not_applicable(found, "not started as a rank");
        return;
    }
    if (*missing) {
        aisp_found_problem(found, "%d of 5 are set, missing:%s", set, missing);
        return;
    }
    rank = atoi(aisp_root_variable(root, "RANK"));
    size = atoi(aisp_root_variable(root, "WORLD_SIZE"));
    aisp_found_judged(found, rank >= 0 && rank < size, AISP_DIAGNOSIS_PROBLEM, "rank %d of %d", rank, size);
}

AISP_ITEM(ranks) = {
    .id = "distributed.rank-variables",
    .title = "The variables of a rank are complete and agree",
    .why = "A shell that inherits half of them makes a program wait for peers that never come, or makes two ranks the "
           "same one.",
    .how = "RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT",
    .fix = "unset RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT",
    .check = ranks,
};

static void collective_debug(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found,
                     "TORCH_DISTRIBUTED_DEBUG|TORCH_NCCL_BLOCKING_WAIT|NCCL_BLOCKING_WAIT|TORCH_NCCL_DESYNC_DEBUG",
                     "DETAIL|INFO|1", AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(collective_debug) = {
    .id = "distributed.collective-debug",
    .title = "Collectives are not checked or waited for one by one",
    .why = "DETAIL compares all arguments across ranks before each collective, and blocking wait stops the host in it: "
           "nothing overlaps.",
    .how = "TORCH_DISTRIBUTED_DEBUG, TORCH_NCCL_BLOCKING_WAIT",
    .fix = "unset TORCH_DISTRIBUTED_DEBUG TORCH_NCCL_BLOCKING_WAIT",
    .check = collective_debug,
};

static void host_name(const struct aisp_root *root, struct aisp_found *found)
{
    char *hosts = aisp_root_text(root, "/etc/hosts"), name[128], own[64] = "";

    if (!aisp_need_line(root, found, "/proc/sys/kernel/hostname", name, sizeof name)) {
        free(hosts);
        return;
    }
    for (const char *line = hosts; line && *line && !*own; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        char text[256];

        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n#"), line);
        if (aisp_text_has_word(text, name))
            sscanf(text, "%63s", own);
    }
    if (!hosts)
        aisp_found_unreadable(found, "/etc/hosts");
    else
        aisp_found_judged(found, strncmp(own, "127.", 4) && strcmp(own, "::1"), AISP_DIAGNOSIS_ATTENTION, "%s is %s", name,
                          *own ? own : "not in /etc/hosts");
    free(hosts);
}

AISP_ITEM(host_name) = {
    .id = "distributed.host-name",
    .title = "The host's own name does not lead to the loopback",
    .why = "A rank that publishes its address by looking up its name tells the others 127.0.1.1; they connect to "
           "themselves and wait.",
    .how = "the line of the hostname in /etc/hosts",
    .fix = "sed -i \"s/^127.0.1.1 .*$(hostname)/ADDRESS $(hostname)/\" /etc/hosts",
    .check = host_name,
};

static void reverse_path(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names nets;
    int64_t all = -1, mode;
    char first[32] = "";
    int physical = 0;

    aisp_root_list(root, &nets, "", "/sys/class/net");
    if (!aisp_need_integer(root, found, "/proc/sys/net/ipv4/conf/all/rp_filter", &all)) {
        aisp_names_release(&nets);
        return;
    }
    for (size_t i = 0; i < nets.n; i++) {
        if (!aisp_root_exists(root, "/sys/class/net/%s/device", nets.name[i]))
            continue;
        physical++;
        mode = 0;
        aisp_root_integer(root, &mode, "/proc/sys/net/ipv4/conf/%s/rp_filter", nets.name[i]);
        mode = mode > all ? mode : all;                  /* the kernel takes the larger of the two */
        if (mode == 1 && !*first)
            snprintf(first, sizeof first, "%.31s", nets.name[i]);
    }
    aisp_names_release(&nets);
    if (physical < 2)
        aisp_found_not_applicable(found, "%d physical interface%s", physical, physical == 1 ? "" : "s");
    else
        aisp_found_judged(found, !*first, AISP_DIAGNOSIS_ATTENTION, "%s%s", *first ? "strict on " : "not strict on any rail",
                          first);
}

AISP_ITEM(reverse_path) = {
    .id = "distributed.reverse-path",
    .title = "Answers may come in by another rail than questions went out",
    .why = "With several rails in one network the kernel may send by one and receive by another; strict filtering drops "
           "such packets without a word.",
    .how = "net.ipv4.conf.*.rp_filter with two interfaces and more",
    .fix = "sysctl -w net.ipv4.conf.all.rp_filter=2",
    .check = reverse_path,
};

/* ---- questions ---- */

AISP_ITEM(overlap) = {
    .id = "distributed.overlap",
    .title = "Communication runs below the compute that does not need it",
    .why = "Gradients of the last layer are ready first and can travel while the others are computed; what is left "
           "visible is the cost.",
    .how = "Exposed communication per step, from the timeline?",
    .fix = "nsys profile -t cuda,nvtx ./program   # NCCL beside kernels",
};

AISP_ITEM(buckets) = {
    .id = "distributed.buckets",
    .title = "Messages are large enough for the link",
    .why = "Each collective has a fixed cost of 10 to 100 us; many small tensors should travel as one.",
    .how = "Was the bucket size swept (25 to 200 MB)?",
    .fix = "# DistributedDataParallel(bucket_cap_mb=...)",
};

AISP_ITEM(collective_peak) = {
    .id = "distributed.collective-peak",
    .title = "Collectives were measured alone on these very nodes",
    .why = "The bus bandwidth of an all-reduce over all ranks shows cabling, routing and settings in one figure, before "
           "the model hides them.",
    .how = "nccl-tests result against the link rate, kept with the cluster?",
    .fix = "all_reduce_perf -b 8 -e 8G -f 2 -g 8   # of nccl-tests",
};

AISP_ITEM(plan) = {
    .id = "distributed.parallel-plan",
    .title = "The split into tensor, pipeline and data ranks was computed",
    .why = "Tensor ranks must be joined by the fastest links; pipeline stages pay a bubble, data ranks an all-reduce.",
    .how = "Was the runner-up measured too?",
    .fix = "aisp utils parallelism --help",
};

AISP_ITEM(stragglers) = {
    .id = "distributed.stragglers",
    .title = "A slow rank is noticed by name",
    .why = "In a synchronous step all wait for the last; an average over ranks hides who it is.",
    .how = "Is the time before each barrier recorded per rank?",
    .fix = "aisp bench run -t TARGET   # names the last rank",
};

AISP_ITEM(checkpoint) = {
    .id = "distributed.checkpoint",
    .title = "Checkpoints are written beside the training",
    .why = "A copy to host memory takes a second, writing it minutes; only the first has to stop the step.",
    .how = "Seconds of pause for each checkpoint, and how often?",
    .fix = "# torch.distributed.checkpoint.async_save",
};

AISP_ITEM(restart) = {
    .id = "distributed.restart",
    .title = "The time from a failure to the next useful step is known",
    .why = "Detection by timeout, rescheduling, loading and compiling add up; the default timeout alone is ten to thirty "
           "minutes.",
    .how = "When was a rank last killed on purpose, and what did it cost?",
    .fix = "kill -9 RANK_PID   # in a test job, with a watch in hand",
};

AISP_ITEM(sharding) = {
    .id = "distributed.data-sharding",
    .title = "Each rank reads its own part of the data once",
    .why = "If all ranks read all files and throw most away, storage serves many times what is used.",
    .how = "Bytes read by all ranks against the size of the data?",
    .fix = "# DistributedSampler, or shards by rank",
};

AISP_ITEM(scaling_baseline) = {
    .id = "distributed.scaling-baseline",
    .title = "Efficiency is against the best single node",
    .why = "Against a slow single rank everything scales well.",
    .how = "Is the base the fastest known configuration of one node?",
    .fix = "aisp bench scaling --help",
};

AISP_ITEM(lossless) = {
    .id = "distributed.lossless",
    .title = "RoCE has flow control and marking from end to end",
    .why = "RDMA over Ethernet resends from the lost packet on; without priority flow control or ECN one lost frame "
           "costs a timeout.",
    .how = "PFC and ECN on hosts and on every switch of the way?",
    .fix = "mlnx_qos -i eth0; ethtool -S eth0 | grep -e prio -e ecn",
};

AISP_ITEM(global_batch) = {
    .id = "distributed.global-batch",
    .title = "More ranks were not bought with a worse batch size",
    .why = "Throughput grows with the global batch while steps to the same loss stop shrinking: time to quality is the "
           "figure.",
    .how = "Time to the same loss, not samples per second?",
    .fix = "# compare at equal loss; see critical batch size",
};
