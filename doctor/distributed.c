/* distributed.c - distributed training and network: RDMA devices, links and the kernel's network settings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/item.h"
#include "doctor/nvidia.h"

#define IB "/sys/class/infiniband"
#define NET "/sys/class/net"

/* ---- RDMA ---- */

/* Call `look` for each port; it says what is wrong with it, or "", or returns false: it could not be read. */
static void judge_ports(const struct aisp_root *root, struct aisp_found *found, enum aisp_diagnosis bad, const char *good,
                        bool (*look)(const struct aisp_root *root, const char *port, char *wrong, size_t size))
{
    struct aisp_root_names devices, ports;
    struct aisp_buf list = AISP_BUF_INIT;
    int n = 0;

    if (!aisp_need_rdma(root, found))
        return;
    aisp_root_list(root, &devices, "", IB);
    for (size_t i = 0; i < devices.n; i++) {
        aisp_root_list(root, &ports, "", IB "/%s/ports", devices.name[i]);
        for (size_t k = 0; k < ports.n; k++) {
            char port[128], wrong[64] = "";

            snprintf(port, sizeof port, IB "/%.40s/ports/%.8s", devices.name[i], ports.name[k]);
            n += look(root, port, wrong, sizeof wrong);
            if (*wrong && list.len < 120)
                aisp_buf_printf(&list, "%s%s %s", list.len ? ", " : "", devices.name[i], wrong);
        }
        aisp_names_release(&ports);
    }
    aisp_names_release(&devices);
    if (!n)
        aisp_found_unreadable(found, IB "/*/ports/*");
    else
        aisp_found_judged(found, !list.len, bad, "%d ports: %s", n, list.len ? list.s : good);
    aisp_buf_release(&list);
}

static bool look_state(const struct aisp_root *root, const char *port, char *wrong, size_t size)
{
    char state[32];
    const bool good = aisp_root_line(root, state, sizeof state, "%s/state", port) && *state;

    if (good && !strstr(state, "ACTIVE"))
        snprintf(wrong, size, "is '%s'", state);
    return good;
}

static void rdma_active(const struct aisp_root *root, struct aisp_found *found)
{
    judge_ports(root, found, AISP_DIAGNOSIS_PROBLEM, "all active", look_state);
}

AISP_ITEM(rdma_active) = {
    .id = "distributed.rdma-active",
    .title = "Every RDMA port is active",
    .why = "A rail that is down does not fail a collective: the library spreads its traffic over the others, and the job "
           "is slower by that share.",
    .how = IB "/*/ports/*/state",
    .fix = "ibstat   # cable, subnet manager",
    .check = rdma_active,
};

static bool look_rate(const struct aisp_root *root, const char *port, char *wrong, size_t size)
{
    char rate[64];
    const char *lanes;

    if (!aisp_root_line(root, rate, sizeof rate, "%s/rate", port) || strtod(rate, NULL) <= 0)
        return false;
    lanes = strchr(rate, '(');                           /* "400 Gb/sec (4X NDR)" */
    if (strtod(rate, NULL) < 100 || (lanes && atoi(lanes + 1) < 4))
        snprintf(wrong, size, "runs at %.40s", rate);
    return true;
}

static void rdma_rate(const struct aisp_root *root, struct aisp_found *found)
{
    /* 100 Gb/s is the rate of the slowest cards that are bought for training; four lanes is a whole port. */
    judge_ports(root, found, AISP_DIAGNOSIS_ATTENTION, "100 Gb/s and more, on four lanes", look_rate);
}

AISP_ITEM(rdma_rate) = {
    .id = "distributed.rdma-rate",
    .title = "Every RDMA port runs at its full rate and on all lanes",
    .why = "A bad cable trains to one lane or to an older rate; the slowest link sets the pace of a ring.",
    .how = IB "/*/ports/*/rate",
    .fix = "mlxlink -d mlx5_0 -m   # errors and module of the port",
    .check = rdma_rate,
};

static bool look_errors(const struct aisp_root *root, const char *port, char *wrong, size_t size)
{
    static const char *const counters[] = { "symbol_error", "link_downed", "port_rcv_errors", "local_link_integrity_errors",
                                            "excessive_buffer_overrun_errors" };
    bool any = false;
    int64_t n;

    for (size_t i = 0; i < sizeof counters / sizeof *counters && !*wrong; i++)
        if (aisp_root_integer(root, &n, "%s/counters/%s", port, counters[i])) {
            any = true;
            if (n > 0)
                snprintf(wrong, size, "%s %lld", counters[i], (long long)n);
        }
    return any;
}

static void rdma_errors(const struct aisp_root *root, struct aisp_found *found)
{
    judge_ports(root, found, AISP_DIAGNOSIS_ATTENTION, "no errors", look_errors);
}

AISP_ITEM(rdma_errors) = {
    .id = "distributed.rdma-errors",
    .title = "No RDMA port counts errors",
    .why = "Symbol errors and links that flap are retried in hardware: throughput falls and the tail grows, with no "
           "message.",
    .how = "symbol_error, link_downed and the like in ports/*/counters",
    .fix = "perfquery -x && ibdiagnet   # then replace the cable",
    .check = rdma_errors,
};

static void rdma_firmware(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names devices;
    char board[64], version[32], first_board[64] = "", first[32] = "", other[32] = "";

    if (!aisp_need_rdma(root, found))
        return;
    aisp_root_list(root, &devices, "", IB);
    for (size_t i = 0; i < devices.n; i++) {
        if (!aisp_root_line(root, version, sizeof version, IB "/%s/fw_ver", devices.name[i]))
            continue;
        aisp_root_line(root, board, sizeof board, IB "/%s/board_id", devices.name[i]);
        if (!*first) {
            snprintf(first, sizeof first, "%s", version);
            snprintf(first_board, sizeof first_board, "%s", board);
        } else if (!strcmp(board, first_board) && strcmp(version, first)) {
            snprintf(other, sizeof other, "%s", version);
        }
    }
    aisp_names_release(&devices);
    if (!*first)
        aisp_found_unreadable(found, IB "/*/fw_ver");
    else
        aisp_found_judged(found, !*other, AISP_DIAGNOSIS_ATTENTION, "%s%s%s", first, *other ? " and " : "", other);
}

AISP_ITEM(rdma_firmware) = {
    .id = "distributed.rdma-firmware",
    .title = "Equal network cards run equal firmware",
    .why = "Congestion control and adaptive routing live in firmware; a card that behaves differently makes one rail "
           "late.",
    .how = IB "/*/fw_ver for cards of one board_id",
    .fix = "mlxfwmanager --query",
    .check = rdma_firmware,
};

static void verbs(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names nodes;
    const bool mellanox = aisp_root_has_module(root, "mlx5_core") == 1;

    if (!mellanox && !aisp_need_rdma(root, found))
        return;
    aisp_root_list(root, &nodes, "uverbs#", "/dev/infiniband");
    aisp_found_judged(found, nodes.n > 0, AISP_DIAGNOSIS_PROBLEM, "%zu nodes uverbs* in /dev/infiniband", nodes.n);
    aisp_names_release(&nodes);
}

AISP_ITEM(verbs) = {
    .id = "distributed.verbs",
    .title = "Programs can open the RDMA devices",
    .why = "Without ib_uverbs, or in a container that did not get /dev/infiniband, the collective library uses TCP "
           "sockets and says so only in its debug output.",
    .how = "/dev/infiniband/uverbs*",
    .fix = "modprobe ib_uverbs rdma_ucm\n"
           "docker run --device=/dev/infiniband --cap-add=IPC_LOCK ...",
    .check = verbs,
};

static void peer_memory(const struct aisp_root *root, struct aisp_found *found)
{
    bool peermem, dmabuf;
    char release[64];
    int major = 0, minor = 0;

    if (!aisp_need_rdma(root, found) || !aisp_need_nvidia(root, found))
        return;
    peermem = aisp_root_has_module(root, "nvidia_peermem") == 1 || aisp_root_has_module(root, "nv_peer_mem") == 1;
    /* The other way is dma-buf: the open module on Linux 5.12 and later. */
    if (aisp_root_line(root, release, sizeof release, "/proc/sys/kernel/osrelease"))
        sscanf(release, "%d.%d", &major, &minor);
    dmabuf = aisp_nvidia_is_open(root) && major * 100 + minor >= 512;
    aisp_found_judged(found, peermem || dmabuf, AISP_DIAGNOSIS_PROBLEM, "%s",
                      peermem ? "nvidia_peermem is loaded" : dmabuf ? "dma-buf of the open module" : "neither way is open");
}

AISP_ITEM(peer_memory) = {
    .id = "distributed.peer-memory",
    .title = "Network cards can read and write GPU memory",
    .why = "Otherwise every message goes through host memory: twice over PCIe, and bound by the memory of one socket.",
    .how = "module nvidia_peermem, or the open module with dma-buf",
    .fix = "modprobe nvidia-peermem",
    .check = peer_memory,
};

static void gdrcopy(const struct aisp_root *root, struct aisp_found *found)
{
    if (aisp_need_rdma(root, found) && aisp_need_nvidia(root, found))
        aisp_found_judged(found, aisp_root_exists(root, "/dev/gdrdrv"), AISP_DIAGNOSIS_ATTENTION, "/dev/gdrdrv is %s",
                          aisp_root_exists(root, "/dev/gdrdrv") ? "there" : "missing");
}

AISP_ITEM(gdrcopy) = {
    .id = "distributed.gdrcopy",
    .title = "Small messages can be copied by the CPU",
    .why = "For a few hundred bytes starting a copy engine takes longer than the copy; with gdrdrv the CPU reads them "
           "through the window.",
    .how = "/dev/gdrdrv",
    .fix = "apt-get install gdrdrv-dkms && modprobe gdrdrv",
    .check = gdrcopy,
};

/* ---- Ethernet ---- */

/* Physical interfaces that are up: names. False: found is filled. */
static bool list_links(const struct aisp_root *root, struct aisp_found *found, struct aisp_root_names *links)
{
    size_t kept = 0;
    char state[16];

    if (!aisp_root_list(root, links, "", NET)) {
        aisp_found_unreadable(found, NET);
        return false;
    }
    for (size_t i = 0; i < links->n; i++)
        if (aisp_root_exists(root, NET "/%s/device", links->name[i]) &&
            aisp_root_line(root, state, sizeof state, NET "/%s/operstate", links->name[i]) && !strcmp(state, "up"))
            links->name[kept++] = links->name[i];
        else
            free(links->name[i]);
    links->n = kept;
    if (!kept)
        aisp_found_not_applicable(found, "no physical interface is up");
    return kept > 0;
}

static void mtu(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names links;
    struct aisp_buf small = AISP_BUF_INIT;
    int64_t bytes, mbit;
    int n = 0;

    if (list_links(root, found, &links)) {
        for (size_t i = 0; i < links.n; i++)
            if (aisp_root_integer(root, &mbit, NET "/%s/speed", links.name[i]) && mbit >= 10000 &&
                aisp_root_integer(root, &bytes, NET "/%s/mtu", links.name[i])) {
                n++;
                /* RDMA over Ethernet uses messages of 4096 bytes: with headers they want more than 4200 */
                if (bytes < 4200 && small.len < 100)
                    aisp_buf_printf(&small, "%s%s %lld", small.len ? ", " : "", links.name[i], (long long)bytes);
            }
        if (!n)
            aisp_found_not_applicable(found, "no interface of 10 Gb/s is up");
        else
            aisp_found_judged(found, !small.len, AISP_DIAGNOSIS_ATTENTION, "%d fast: %s", n,
                              small.len ? small.s : "all large");
    }
    aisp_buf_release(&small);
    aisp_names_release(&links);
}

AISP_ITEM(mtu) = {
    .id = "distributed.mtu",
    .title = "Fast interfaces send large frames",
    .why = "At 1500 bytes a link of 100 Gb/s needs eight million packets a second: the CPU is full before the link, and "
           "RDMA cuts its messages to a quarter.",
    .how = "mtu of physical interfaces of 10 Gb/s and more",
    .fix = "ip link set dev eth0 mtu 9000   # switches too",
    .check = mtu,
};

static void link_speed(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names links;
    int64_t mbit, best = -1;

    if (list_links(root, found, &links)) {
        for (size_t i = 0; i < links.n; i++)
            if (aisp_root_integer(root, &mbit, NET "/%s/speed", links.name[i]) && mbit > best)
                best = mbit;
        if (best < 0)
            aisp_found_unreadable(found, NET "/*/speed");
        else   /* gradients of a 1B model in bf16, 2 GB, take 1.6 s at 10 Gb/s and 160 ms at 100 */
            aisp_found_judged(found, best >= 25000, AISP_DIAGNOSIS_ATTENTION, "the fastest has %lld Mb/s", (long long)best);
    }
    aisp_names_release(&links);
}

AISP_ITEM(link_speed) = {
    .id = "distributed.link-speed",
    .title = "The network can carry gradients",
    .why = "The gradients of a billion parameters in bf16 are 2 GB a step: at 10 Gb/s nearly two seconds, whatever the "
           "GPUs do.",
    .how = "speed of the physical interfaces that are up",
    .fix = "ethtool eth0 | grep Speed",
    .check = link_speed,
};

static void link_errors(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const counters[] = { "rx_crc_errors", "rx_errors", "tx_errors", "rx_missed_errors", "rx_fifo_errors" };
    struct aisp_root_names links;
    char first[96] = "";
    bool any = false;
    int64_t n;

    if (list_links(root, found, &links)) {
        for (size_t i = 0; i < links.n; i++)
            for (size_t k = 0; k < sizeof counters / sizeof *counters && !*first; k++)
                if (aisp_root_integer(root, &n, NET "/%s/statistics/%s", links.name[i], counters[k])) {
                    any = true;
                    if (n > 0)
                        snprintf(first, sizeof first, "%.20s: %s %lld", links.name[i], counters[k], (long long)n);
                }
        if (!any)
            aisp_found_unreadable(found, NET "/*/statistics");
        else
            aisp_found_judged(found, !*first, AISP_DIAGNOSIS_ATTENTION, "%s", *first ? first : "no errors");
    }
    aisp_names_release(&links);
}

AISP_ITEM(link_errors) = {
    .id = "distributed.link-errors",
    .title = "No interface loses frames",
    .why = "One lost frame stops a TCP stream for a round trip or for 200 ms, and a collective waits for its slowest "
           "stream.",
    .how = "rx_crc_errors, rx_missed_errors and the like",
    .fix = "ethtool -S eth0 | grep -e err -e drop; ethtool -G eth0 rx 8192",
    .check = link_errors,
};

/* ---- TCP ---- */

static void tcp_buffers(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t in, out;

    if (aisp_need_integer(root, found, "/proc/sys/net/core/rmem_max", &in) &&
        aisp_need_integer(root, found, "/proc/sys/net/core/wmem_max", &out))
        /* 16 MiB: 100 Gb/s x 1.3 ms of round trip with queues */
        aisp_found_judged(found, in >= 16 << 20 && out >= 16 << 20, AISP_DIAGNOSIS_ATTENTION,
                          "rmem_max %lld, wmem_max %lld bytes", (long long)in, (long long)out);
}

AISP_ITEM(tcp_buffers) = {
    .id = "distributed.socket-buffers",
    .title = "Socket buffers hold what is on its way",
    .why = "A stream can have no more in flight than its buffer: 208 KiB at a round trip of 1 ms is 1.7 Gb/s, on any "
           "link.",
    .how = "net.core.rmem_max and wmem_max",
    .fix = "sysctl -w net.core.rmem_max=67108864\n"
           "sysctl -w net.core.wmem_max=67108864",
    .check = tcp_buffers,
};

static void tcp_autotune(const struct aisp_root *root, struct aisp_found *found)
{
    char in[96], out[96];
    long long most_in = 0, most_out = 0;

    if (!aisp_need_line(root, found, "/proc/sys/net/ipv4/tcp_rmem", in, sizeof in) ||
        !aisp_need_line(root, found, "/proc/sys/net/ipv4/tcp_wmem", out, sizeof out))
        return;
    sscanf(in, "%*d %*d %lld", &most_in);
    sscanf(out, "%*d %*d %lld", &most_out);
    aisp_found_judged(found, most_in >= 16 << 20 && most_out >= 16 << 20, AISP_DIAGNOSIS_ATTENTION,
                      "up to %lld bytes in, %lld out", most_in, most_out);
}

AISP_ITEM(tcp_autotune) = {
    .id = "distributed.tcp-autotuning",
    .title = "TCP may grow its windows far enough",
    .why = "The kernel sizes the buffers of each stream itself, up to the third value; the default of 4 to 6 MiB bounds "
           "a stream over a longer way.",
    .how = "third value of net.ipv4.tcp_rmem and tcp_wmem",
    .fix = "sysctl -w net.ipv4.tcp_rmem='4096 87380 33554432'\n"
           "sysctl -w net.ipv4.tcp_wmem='4096 65536 33554432'",
    .check = tcp_autotune,
};

static void congestion(const struct aisp_root *root, struct aisp_found *found)
{
    char name[32];

    if (aisp_need_line(root, found, "/proc/sys/net/ipv4/tcp_congestion_control", name, sizeof name))
        aisp_found_judged(found, !strcmp(name, "cubic") || !strcmp(name, "bbr") || !strcmp(name, "dctcp"),
                          AISP_DIAGNOSIS_ATTENTION, "%s", name);
}

AISP_ITEM(congestion) = {
    .id = "distributed.congestion-control",
    .title = "TCP's congestion control suits fast links",
    .why = "Reno adds one segment for each round trip: after a loss a stream of 100 Gb/s over 10 ms needs minutes to "
           "fill the link again.",
    .how = "net.ipv4.tcp_congestion_control",
    .fix = "sysctl -w net.ipv4.tcp_congestion_control=cubic",
    .check = congestion,
};

static void idle_restart(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t on;

    if (aisp_need_integer(root, found, "/proc/sys/net/ipv4/tcp_slow_start_after_idle", &on))
        aisp_found_judged(found, on == 0, AISP_DIAGNOSIS_ATTENTION, "tcp_slow_start_after_idle = %lld", (long long)on);
}

AISP_ITEM(idle_restart) = {
    .id = "distributed.idle-restart",
    .title = "A stream that paused goes on at its old rate",
    .why = "Training sends in bursts with pauses of compute between; each burst then begins with a window of ten packets.",
    .how = "net.ipv4.tcp_slow_start_after_idle",
    .fix = "sysctl -w net.ipv4.tcp_slow_start_after_idle=0",
    .check = idle_restart,
};

static void backlog(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t packets;

    /* 16384 packets of 1500 bytes: 2 ms of 100 Gb/s, about the longest time a CPU is away from its queue */
    if (aisp_need_integer(root, found, "/proc/sys/net/core/netdev_max_backlog", &packets))
        aisp_found_judged(found, packets >= 16384, AISP_DIAGNOSIS_ATTENTION, "net.core.netdev_max_backlog = %lld",
                          (long long)packets);
}

AISP_ITEM(backlog) = {
    .id = "distributed.backlog",
    .title = "Packets may wait while a CPU is busy",
    .why = "What arrives while the queue of a CPU is full is dropped by the kernel, after the card has delivered it.",
    .how = "net.core.netdev_max_backlog",
    .fix = "sysctl -w net.core.netdev_max_backlog=250000",
    .check = backlog,
};
