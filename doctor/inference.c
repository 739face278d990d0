/* inference.c - inference and serving: the host of a server, and questions about the service. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/item.h"

static void listen_queue(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t n;

    /* 4096: the default since Linux 5.4; older ones have 128, which one burst of clients overflows */
    if (aisp_need_integer(root, found, "/proc/sys/net/core/somaxconn", &n))
        aisp_found_judged(found, n >= 4096, AISP_DIAGNOSIS_ATTENTION, "net.core.somaxconn = %lld", (long long)n);
}

AISP_ITEM(listen_queue) = {
    .id = "inference.listen-queue",
    .title = "A burst of new connections is not refused",
    .why = "What does not fit into the listen queue is dropped and tried again by the client after a second: a tail of "
           "exactly 1 s or 3 s.",
    .how = "net.core.somaxconn",
    .fix = "sysctl -w net.core.somaxconn=65535",
    .check = listen_queue,
};

static void listen_drops(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/proc/net/netstat"), *names, *values, *keep_names = NULL, *keep_values = NULL;
    long long drops = -1;

    names = text ? strstr(text, "TcpExt:") : NULL;
    values = names ? strstr(names + 7, "TcpExt:") : NULL;
    if (values) {
        values[strcspn(values, "\n")] = 0;
        names[strcspn(names, "\n")] = 0;
        for (names = strtok_r(names, " ", &keep_names), values = strtok_r(values, " ", &keep_values); names && values;
             names = strtok_r(NULL, " ", &keep_names), values = strtok_r(NULL, " ", &keep_values))
            if (!strcmp(names, "ListenDrops"))
                drops = atoll(values);
    }
    if (drops < 0)
        aisp_found_unreadable(found, "ListenDrops of /proc/net/netstat");
    else
        aisp_found_judged(found, drops == 0, AISP_DIAGNOSIS_ATTENTION, "%lld connections dropped since boot", drops);
    free(text);
}

AISP_ITEM(listen_drops) = {
    .id = "inference.listen-drops",
    .title = "No connection was dropped at a full listen queue",
    .why = "The server never hears of such a client, so its own latencies look fine.",
    .how = "ListenDrops in /proc/net/netstat",
    .fix = "ss -ltn   # Recv-Q near Send-Q: the server accepts too slowly",
    .check = listen_drops,
};

static void retransmits(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/proc/net/snmp"), *line = text ? strstr(text, "\nTcp:") : NULL;
    long long sent, again;

    line = line ? strstr(line + 5, "Tcp:") : NULL;       /* the second line has the values */
    /* RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs Retrans */
    if (!line || sscanf(line, "Tcp: %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld %lld", &sent, &again) != 2)
        aisp_found_unreadable(found, "Tcp of /proc/net/snmp");
    else if (sent < 10000)
        aisp_found_not_applicable(found, "%lld segments sent: too few to say", sent);
    else   /* 0.1 %: what a healthy data centre stays below */
        aisp_found_judged(found, (double)again < 0.001 * (double)sent, AISP_DIAGNOSIS_ATTENTION, "%.3f %% of %lld segments",
                          100.0 * (double)again / (double)sent, sent);
    free(text);
}

AISP_ITEM(retransmits) = {
    .id = "inference.retransmits",
    .title = "TCP rarely sends anything twice",
    .why = "A retransmission costs a round trip at best and 200 ms at worst, and makes the p99 of a service whose model "
           "is fast.",
    .how = "RetransSegs against OutSegs in /proc/net/snmp",
    .fix = "ss -ti | grep retrans; ethtool -S eth0 | grep -e drop -e err",
    .check = retransmits,
};

static void ports(const struct aisp_root *root, struct aisp_found *found)
{
    char line[64];
    int low = 0, high = 0;

    if (!aisp_need_line(root, found, "/proc/sys/net/ipv4/ip_local_port_range", line, sizeof line))
        return;
    sscanf(line, "%d %d", &low, &high);
    /* 28000: the default; at a minute in TIME-WAIT it allows 470 new connections a second to one server */
    aisp_found_judged(found, high - low >= 28000, AISP_DIAGNOSIS_ATTENTION, "%d to %d", low, high);
}

AISP_ITEM(ports) = {
    .id = "inference.ports",
    .title = "There are enough ports for outgoing connections",
    .why = "A proxy or a load generator that opens a connection for each request runs out of ports, because closed ones "
           "stay reserved for a minute.",
    .how = "net.ipv4.ip_local_port_range",
    .fix = "sysctl -w net.ipv4.ip_local_port_range='1024 65535'",
    .check = ports,
};

static void keepalive(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t seconds;

    /* 600 s: below the idle limits of common load balancers and firewalls */
    if (aisp_need_integer(root, found, "/proc/sys/net/ipv4/tcp_keepalive_time", &seconds))
        aisp_found_judged(found, seconds <= 600, AISP_DIAGNOSIS_ATTENTION, "net.ipv4.tcp_keepalive_time = %lld s",
                          (long long)seconds);
}

AISP_ITEM(keepalive) = {
    .id = "inference.keepalive",
    .title = "Clients that vanished are noticed within minutes",
    .why = "The server goes on generating for a client that is gone and keeps its key-value cache; the default notices "
           "after two hours.",
    .how = "net.ipv4.tcp_keepalive_time",
    .fix = "sysctl -w net.ipv4.tcp_keepalive_time=60",
    .check = keepalive,
};

static void open_files(const struct aisp_root *root, struct aisp_found *found)
{
    char line[96];
    double used = 0, most = 0;

    if (!aisp_need_line(root, found, "/proc/sys/fs/file-nr", line, sizeof line))
        return;
    sscanf(line, "%lf %*s %lf", &used, &most);
    /* 80 %: the rest goes in one burst of clients */
    aisp_found_judged(found, most > 0 && used < 0.8 * most, AISP_DIAGNOSIS_PROBLEM,
                      "%.0f of %.4g files of the machine are open", used, most);
}

AISP_ITEM(open_files) = {
    .id = "inference.open-files",
    .title = "The machine is far from its limit of open files",
    .why = "At the limit every accept and open on the machine fails, whoever it was that leaked.",
    .how = "/proc/sys/fs/file-nr",
    .fix = "sysctl -w fs.file-max=9223372036854775807",
    .check = open_files,
};

static void conntrack(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t used, most;

    if (!aisp_root_integer(root, &most, "/proc/sys/net/netfilter/nf_conntrack_max") ||
        !aisp_root_integer(root, &used, "/proc/sys/net/netfilter/nf_conntrack_count")) {
        if (aisp_root_exists(root, "/proc/sys/net"))
            aisp_found_not_applicable(found, "connections are not tracked");
        else
            aisp_found_unreadable(found, "/proc/sys/net/netfilter");
        return;
    }
    aisp_found_judged(found, (double)used < 0.8 * (double)most, AISP_DIAGNOSIS_PROBLEM, "%lld of %lld connections",
                      (long long)used, (long long)most);
}

AISP_ITEM(conntrack) = {
    .id = "inference.connection-table",
    .title = "The firewall's table of connections is not nearly full",
    .why = "When it is full packets of new connections are dropped, on a machine whose CPU and GPU are idle.",
    .how = "nf_conntrack_count against nf_conntrack_max",
    .fix = "sysctl -w net.netfilter.nf_conntrack_max=1048576",
    .check = conntrack,
};

static void compile_disabled(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "TORCH_COMPILE_DISABLE|TORCHDYNAMO_DISABLE", "1", AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(compile_disabled) = {
    .id = "inference.compile-disabled",
    .title = "Compilation of the model is not switched off",
    .why = "With the switch torch.compile returns the model as it is: no fusion, no graphs, and no message.",
    .how = "TORCH_COMPILE_DISABLE, TORCHDYNAMO_DISABLE",
    .fix = "unset TORCH_COMPILE_DISABLE TORCHDYNAMO_DISABLE",
    .check = compile_disabled,
};

static void compile_cache(const struct aisp_root *root, struct aisp_found *found)
{
    const char *folder;

    if (!aisp_need_nvidia(root, found) || !aisp_need_environment(root, found))
        return;
    folder = aisp_root_variable(root, "TORCHINDUCTOR_CACHE_DIR");
    aisp_found_judged(found, folder && *folder && strncmp(folder, "/tmp", 4), AISP_DIAGNOSIS_ATTENTION,
                      "TORCHINDUCTOR_CACHE_DIR %s%.100s", folder ? "= " : "is not set: /tmp", folder ? folder : "");
}

AISP_ITEM(compile_cache) = {
    .id = "inference.compile-cache",
    .title = "Compiled kernels survive a restart",
    .why = "The default lies below /tmp, which a new container does not have: each replica compiles for minutes before "
           "its first answer.",
    .how = "TORCHINDUCTOR_CACHE_DIR",
    .fix = "export TORCHINDUCTOR_CACHE_DIR=/var/cache/inductor\n"
           "export TRITON_CACHE_DIR=/var/cache/triton",
    .check = compile_cache,
};

static void server_debug(const struct aisp_root *root, struct aisp_found *found)
{
    aisp_check_unset(root, found, "VLLM_TRACE_FUNCTION|VLLM_LOGGING_LEVEL|SGLANG_LOG_LEVEL|TLLM_LOG_LEVEL|PYTHONASYNCIODEBUG",
                     "1|DEBUG|debug|TRACE|trace", AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(server_debug) = {
    .id = "inference.server-debug",
    .title = "The server does not trace or log each call",
    .why = "Python between two decode steps is time in which the GPU has nothing to do; a log line there is a share of "
           "every token.",
    .how = "VLLM_TRACE_FUNCTION, VLLM_LOGGING_LEVEL, PYTHONASYNCIODEBUG",
    .fix = "unset VLLM_TRACE_FUNCTION VLLM_LOGGING_LEVEL PYTHONASYNCIODEBUG",
    .check = server_debug,
};

/* ---- questions ---- */

AISP_ITEM(slo) = {
    .id = "inference.slo",
    .title = "Time to first token and between tokens have limits",
    .why = "Throughput alone is bought with queues; what counts is the rate at which both limits are kept.",
    .how = "Which percentiles of TTFT and TPOT at which load?",
    .fix = "# state the SLO in the problem: arrivals and emissions",
};

AISP_ITEM(open_loop) = {
    .id = "inference.open-loop",
    .title = "Load arrives when it wants, not when the server is ready",
    .why = "A generator that waits for the answer slows down with the server, and the worst moments are never asked for "
           "(coordinated omission).",
    .how = "Are arrival times drawn before the run?",
    .fix = "aisp bench run -t TARGET   # serving targets are open-loop",
};

AISP_ITEM(length_mix) = {
    .id = "inference.length-mix",
    .title = "Prompts and answers have the lengths of production",
    .why = "Prefill grows with the prompt, memory with both; one fixed length measures one point of the curve.",
    .how = "Is the distribution of lengths taken from real logs?",
    .fix = "# replay recorded lengths with secret contents",
};

AISP_ITEM(kv_budget) = {
    .id = "inference.kv-budget",
    .title = "The key-value cache of all users fits, with the paging waste",
    .why = "It bounds the batch and so the throughput; when it is full sequences are evicted and computed again.",
    .how = "Tokens that fit against tokens in flight at peak?",
    .fix = "aisp utils kv-cache --layers 80 --hidden 8192 --tokens 4096",
};

AISP_ITEM(batching) = {
    .id = "inference.batching",
    .title = "Requests join and leave the batch at every step",
    .why = "With fixed batches the short answers wait for the longest one; continuous batching fills the hole at once.",
    .how = "Does batch size over time follow the load?",
    .fix = "# in-flight batching of the server, chunked prefill",
};

AISP_ITEM(prefill) = {
    .id = "inference.prefill",
    .title = "A long prompt does not stop everybody's tokens",
    .why = "Prefill is bound by compute and takes the device for hundreds of milliseconds; chunks or separate devices "
           "keep decoding alive.",
    .how = "Largest gap between tokens while a long prompt arrives?",
    .fix = "# chunked prefill, or prefill and decode on different GPUs",
};

AISP_ITEM(prefix_cache) = {
    .id = "inference.prefix-cache",
    .title = "Shared beginnings of prompts are computed once",
    .why = "System prompts and documents are the same for many requests; their keys and values can be kept.",
    .how = "Hit rate of the prefix cache, in tokens?",
    .fix = "# prefix caching on; route equal prefixes to one replica",
};

AISP_ITEM(quantised_quality) = {
    .id = "inference.quantised-quality",
    .title = "The quantised model was evaluated, not only timed",
    .why = "Four bits may cost nothing in chat and much in arithmetic or long contexts.",
    .how = "Which tasks, against which bound?",
    .fix = "# evaluate with the same sampling as production",
};

AISP_ITEM(speculative) = {
    .id = "inference.speculative",
    .title = "Speculative decoding pays at the real load",
    .why = "It turns idle compute into latency; at a full batch there is none, and rejected tokens cost throughput.",
    .how = "Acceptance rate, and gain at peak batch size?",
    .fix = "# switch by load; measure both sides of the switch",
};

AISP_ITEM(first_request) = {
    .id = "inference.first-request",
    .title = "A new replica is warm before it gets traffic",
    .why = "Loading, compiling, capturing graphs and filling caches make the first answers a hundred times slower.",
    .how = "Does readiness wait for a real warm-up request?",
    .fix = "# readiness probe behind warm-up of all batch sizes",
};

AISP_ITEM(admission) = {
    .id = "inference.admission",
    .title = "Overload is refused early instead of served late",
    .why = "Beyond capacity every queued request misses its limit; goodput falls to nothing while the GPU is full.",
    .how = "What happens at 120 % of the capacity?",
    .fix = "# limit on queue length or on predicted TTFT",
};

AISP_ITEM(scaling_signal) = {
    .id = "inference.scaling-signal",
    .title = "Replicas are added by queue and latency, not by utilisation",
    .why = "Utilisation of a GPU reads 100 % with one request in flight; the queue is what grows first.",
    .how = "Which signal, and how long until a new replica serves?",
    .fix = "# scale on pending tokens and on p95 of TTFT",
};

AISP_ITEM(cancelled) = {
    .id = "inference.cancelled",
    .title = "Answers that nobody waits for are stopped",
    .why = "Closed streams and retries go on taking steps and cache until the longest answer ends.",
    .how = "Does closing the connection end the sequence?",
    .fix = "# propagate cancellation to the scheduler",
};

AISP_ITEM(token_count) = {
    .id = "inference.token-count",
    .title = "Tokens are counted after the stop, by one tokenizer",
    .why = "Padding, special tokens and text behind the stop inflate tokens per second; two tokenizers differ by 20 %.",
    .how = "Which tokens are counted, and by whom?",
    .fix = "# count emitted tokens that the client keeps",
};
