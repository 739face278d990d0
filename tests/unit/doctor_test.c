/* doctor_test.c - the checklist: its texts, and every check on machines that are written down in tests/doctor/roots.
 * Not here: the command and its looks (doctor_command_test.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "doctor/item.h"
#include "tests/doctor/unpack.h"

static const char *const machines[] = { "tuned-server", "neglected-server", "laptop",  "container-quota",
                                        "cgroup-v1",    "cgroup-v2",        "numa-host", "vm" };

/* Machines of which only one thing matters. */
static const char *const fragments[] = {
    "/sys/class/power_supply/BAT0/type = Battery\n/sys/class/power_supply/BAT0/status = Charging\n",
    "/sys/bus/pci/devices/0000:01:00.0/class = 0x030200\n/sys/bus/pci/devices/0000:01:00.0/vendor = 0x10de\n",
};

/* ---- what each machine is found to be ---- */

struct fixture {
    const struct aisp_item **item;
    size_t n;
    char *root;
};

static int start(void **state)
{
    struct fixture *f = aisp_xcalloc(1, sizeof *f);
    void *root;

    f->item = aisp_items_sorted(&f->n);
    set_up(&root);
    f->root = root;
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;
    void *root = f->root;

    free(f->item);
    free(f);
    return tear_down(&root);
}

static void place(struct fixture *f, const char *machine)
{
    char *file = aisp_format("%s/doctor/roots/%s/root.txt", TESTS_DIR, machine);

    unpack(f->root, file);
    free(file);
}

static void place_text(struct fixture *f, const char *text)
{
    char *copy = aisp_xstrdup(text);

    unpack_text(f->root, copy);
    free(copy);
}

/* Look at one item by its id. */
static struct aisp_found look(const struct fixture *f, const char *id)
{
    struct aisp_found found = { 0 };
    struct aisp_root root;

    aisp_root_init(&root, f->root);
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->item[i]->id, id)) {
            aisp_item_check(f->item[i], &root, &found);
            aisp_root_release(&root);
            return found;
        }
    fail_msg("there is no item %s", id);
    return found;
}

static void is_found(const struct fixture *f, const char *id, enum aisp_diagnosis verdict, const char *text)
{
    const struct aisp_found found = look(f, id);

    if (found.verdict != verdict || !strstr(found.text, text))
        fail_msg("%s: %s: %s, and not %s: %s", id, aisp_diagnosis_name(found.verdict), found.text, aisp_diagnosis_name(verdict),
                 text);
}
#define OK        AISP_DIAGNOSIS_OK
#define ATTENTION AISP_DIAGNOSIS_ATTENTION
#define PROBLEM   AISP_DIAGNOSIS_PROBLEM
#define UNKNOWN   AISP_DIAGNOSIS_UNKNOWN
#define NONE      AISP_DIAGNOSIS_NOT_APPLICABLE

/* ---- the texts ---- */

static void the_checklist_is_long_enough_and_most_of_it_is_checked(void **state)
{
    const struct fixture *f = *state;
    size_t checked = 0;

    for (size_t i = 0; i < f->n; i++)
        checked += f->item[i]->check != NULL;
    assert_true(f->n >= 180);
    assert_true(checked >= 90);
    for (size_t k = 0; aisp_families[k].id; k++) {
        size_t n = 0;

        for (size_t i = 0; i < f->n; i++)
            n += aisp_item_family(f->item[i]) == &aisp_families[k];
        assert_true(n >= 8);
    }
}

static void ids_are_unique_and_simple(void **state)
{
    const struct fixture *f = *state;

    for (size_t i = 0; i < f->n; i++) {
        const char *id = f->item[i]->id;

        assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-."), strlen(id));
        assert_ptr_equal(strchr(id, '.'), strrchr(id, '.'));
        assert_true(strlen(id) <= 36);
        for (size_t k = i + 1; k < f->n; k++)
            assert_string_not_equal(id, f->item[k]->id);
    }
}

static bool is_plain(const char *text)
{
    for (const char *at = text; *at; at++)
        if ((*at < ' ' && *at != '\n') || *at > '~')
            return false;
    return *text && *text != ' ' && text[strlen(text) - 1] != ' ' && !strstr(text, "  ");
}

static char last_of(const char *text)
{
    return text[strlen(text) - 1];
}

/* A title is a statement, a reason is sentences, a question asks, a fix fits on a line behind its label. */
static void texts_have_one_form_and_fit_80_columns(void **state)
{
    const struct fixture *f = *state;

    for (size_t i = 0; i < f->n; i++) {
        const struct aisp_item *item = f->item[i];
        const bool good = is_plain(item->title) && strlen(item->title) <= 64 && !strchr(".!?", last_of(item->title)) &&
                          is_plain(item->why) && strlen(item->why) <= 280 && last_of(item->why) == '.' && is_plain(item->how) &&
                          strlen(item->how) <= 72 && (last_of(item->how) == '?') == !item->check && last_of(item->how) != '.';

        if (!good)
            fail_msg("a text of %s is not in form", item->id);
        for (const char *line = item->fix; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
            const size_t n = strcspn(line, "\n");

            if (n > 68 || n < 4)
                fail_msg("the fix of %s has a line of %zu characters", item->id, n);
            if (line[n - 1] == '\\' && line[n - 2] != ' ')    /* what is shown is indented: a word must not go on there */
                fail_msg("the fix of %s breaks a word", item->id);
        }
    }
}

/* A fix is for a shell to read: it is parsed here, and not run. */
static void fixes_are_lines_that_a_shell_can_read(void **state)
{
    struct fixture *f = *state;
    struct aisp_buf script = AISP_BUF_INIT;
    char *command = aisp_format("sh -n '%s/script'", f->root);

    for (size_t i = 0; i < f->n; i++)
        aisp_buf_printf(&script, "item_%zu() { : %s\n%s\n}\n", i, f->item[i]->id, f->item[i]->fix);
    put(f->root, "/script", script.s);
    assert_int_equal(system(command), 0);
    free(command);
    aisp_buf_release(&script);
}

/* ---- every check ---- */

static void an_empty_machine_is_unknown_and_never_ok(void **state)
{
    struct fixture *f = *state;
    struct aisp_found found;
    struct aisp_root root;

    aisp_root_init(&root, f->root);
    for (size_t i = 0; i < f->n; i++) {
        aisp_item_check(f->item[i], &root, &found);
        if (f->item[i]->check && (found.verdict != UNKNOWN || !strstr(found.text, "cannot read ")))
            fail_msg("%s: %s: %s", f->item[i]->id, aisp_diagnosis_name(found.verdict), found.text);
    }
    aisp_root_release(&root);
}

/* Bits of the verdicts that each item got on one machine. */
static void gather(const struct fixture *f, unsigned *seen)
{
    struct aisp_found found;
    struct aisp_root root;

    aisp_root_init(&root, f->root);
    for (size_t i = 0; i < f->n; i++) {
        aisp_item_check(f->item[i], &root, &found);
        seen[i] |= 1u << found.verdict;
    }
    aisp_root_release(&root);
}

static void every_check_is_seen_to_be_content_and_to_complain(void **state)
{
    struct fixture *f = *state;
    unsigned *seen = aisp_xcalloc(f->n, sizeof *seen);
    struct aisp_buf never = AISP_BUF_INIT;
    void *root = f->root;

    for (size_t m = 0; m < sizeof machines / sizeof *machines + sizeof fragments / sizeof *fragments; m++) {
        tear_down(&root);
        set_up(&root);
        f->root = root;
        if (m < sizeof machines / sizeof *machines)
            place(f, machines[m]);
        else
            place_text(f, fragments[m - sizeof machines / sizeof *machines]);
        gather(f, seen);
    }
    for (size_t i = 0; i < f->n; i++)
        if (f->item[i]->check && (!(seen[i] & 1u << OK) || !(seen[i] & (1u << ATTENTION | 1u << PROBLEM))))
            aisp_buf_printf(&never, " %s", f->item[i]->id);
    if (never.len)
        fail_msg("on no machine both ok and not:%s", never.s);
    free(seen);
}

static void count(const struct fixture *f, int n[AISP_N_DIAGNOSES])
{
    unsigned *seen = aisp_xcalloc(f->n, sizeof *seen);

    gather(f, seen);
    for (size_t i = 0; i < f->n; i++)
        for (int v = 0; v < AISP_N_DIAGNOSES; v++)
            n[v] += seen[i] == 1u << v;
    free(seen);
}

/* Both were composed to be complete: a reader that fails shows as unknown. */
static void a_tuned_server_is_ok_and_a_neglected_one_in_nothing(void **state)
{
    struct fixture *f = *state;
    int tuned[AISP_N_DIAGNOSES] = { 0 }, neglected[AISP_N_DIAGNOSES] = { 0 };
    void *root = f->root;

    place(f, "tuned-server");
    count(f, tuned);
    assert_int_equal(tuned[PROBLEM] + tuned[ATTENTION] + tuned[UNKNOWN], 0);
    assert_int_equal(tuned[NONE], 1);                    /* it has no battery */
    tear_down(&root);
    set_up(&root);
    f->root = root;
    place(f, "neglected-server");
    count(f, neglected);
    assert_int_equal(neglected[UNKNOWN], 0);
    assert_int_equal(neglected[OK], 2);                  /* a driver is loaded, and the cores are of one kind */
}

/* Whatever stands in the files, a check says something and nobody is harmed; what is no fact is not ok. */
static void damaged_files_are_survived(void **state)
{
    static const char *const readers[] = {
        "system.swappiness", "system.ksm", "system.map-count", "system.overcommit", "system.smt", "system.thp", "system.nofile",
        "system.steal", "system.cpus-offline", "system.idle-states", "system.irq-isolated", "system.memory-limit",
        "system.cpu-quota", "system.pids-limit", "system.mitigations", "system.rotational", "reproducibility.aslr",
        "distributed.backlog", "distributed.rdma-active", "distributed.rdma-rate", "distributed.rdma-errors",
        "distributed.link-errors", "inference.keepalive", "inference.retransmits", "gpu.display", "profiling.perf-paranoid",
        "profiling.attach", "architecture.cache-domains", "power.temperature", "hardware.memory-errors",
    };
    struct fixture *f = *state;
    char *longest = aisp_xmalloc(20001), *file = aisp_format("%s/doctor/roots/tuned-server/root.txt", TESTS_DIR);
    const char *const values[] = { "", "x [ :::", "0x", "-99999999999999999999", longest };
    int n[AISP_N_DIAGNOSES];

    memset(longest, 'a', 20000);
    longest[20000] = 0;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        char *text = read_all(file);

        unpack_every(f->root, text, values[v]);
        memset(n, 0, sizeof n);
        count(f, n);
        for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
            if (look(f, readers[i]).verdict == OK)
                fail_msg("%s is ok where its file says '%.20s'", readers[i], values[v]);
        free(text);
    }
    free(file);
    free(longest);
}

static void this_machine_can_be_looked_at(void **state)
{
    struct fixture *f = *state;
    struct aisp_found found;
    struct aisp_root root;
    int known = 0;

    aisp_root_init(&root, "/");
    for (size_t i = 0; i < f->n; i++) {
        aisp_item_check(f->item[i], &root, &found);
        known += found.verdict <= OK && found.verdict != UNKNOWN;
    }
    aisp_root_release(&root);
    assert_true(known >= 30);                            /* any Linux shows its memory, limits and network settings */
}

/* ---- what single machines are about ---- */

static void a_container_with_a_quota_is_told_so(void **state)
{
    struct fixture *f = *state;

    place(f, "container-quota");
    is_found(f, "system.cpu-quota", PROBLEM, "quota of 2.00 CPUs on a machine of 64");
    is_found(f, "system.cpu-throttled", PROBLEM, "812 of 4000");
    is_found(f, "system.memory-limit", PROBLEM, "3.8 of 4.0 GiB used, the machine has 251.6");
    is_found(f, "system.oom-kills", PROBLEM, "1 processes of the group");
    is_found(f, "system.shared-memory", PROBLEM, "0.06 GiB");
    is_found(f, "system.pids-limit", ATTENTION, "2048");
    is_found(f, "system.seccomp", ATTENTION, "filter");
    is_found(f, "system.store-bypass", ATTENTION, "force mitigated");
    is_found(f, "gpu.device-nodes", PROBLEM, "0 of 1 GPUs");
    is_found(f, "gpu.driver-version", ATTENTION, "570");
    is_found(f, "architecture.driver-for-gpu", OK, "NVIDIA L4");
    is_found(f, "system.thp", UNKNOWN, "transparent_hugepage");
}

static void control_groups_of_version_1_are_read_in_the_own_group(void **state)
{
    struct fixture *f = *state;

    place(f, "cgroup-v1");
    is_found(f, "system.cpu-quota", PROBLEM, "quota of 1.50 CPUs on a machine of 8");
    is_found(f, "system.cpu-throttled", PROBLEM, "31 of 900");
    is_found(f, "system.cpu-weight", ATTENTION, "cpu.shares = 512");
    is_found(f, "system.memory-limit", OK, "no limit");
    is_found(f, "system.oom-kills", PROBLEM, "3 processes of the group");
    is_found(f, "system.pids-limit", OK, "100000");
    put(f->root, "/sys/fs/cgroup/cpu/job_7/cpu.cfs_quota_us", "-1\n");
    is_found(f, "system.cpu-quota", OK, "no quota");
    put(f->root, "/proc/self/cgroup", "4:cpu:/docker/abc\n");   /* a container: the top of the tree is its own group */
    put(f->root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    put(f->root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    is_found(f, "system.cpu-quota", PROBLEM, "0.50 CPUs");
}

static void control_groups_of_version_2_are_read_in_the_own_group_or_above(void **state)
{
    struct fixture *f = *state;

    place(f, "cgroup-v2");
    is_found(f, "system.cpu-quota", OK, "no quota");
    is_found(f, "system.affinity", ATTENTION, "4 of 16 CPUs (0-3)");
    is_found(f, "system.memory-nodes", ATTENTION, "nodes 0 may be used, 0-1");
    is_found(f, "system.memory-limit", ATTENTION, "1.9 of 32.0 GiB");
    is_found(f, "system.pids-limit", OK, "no limit");
    put(f->root, "/proc/self/cgroup", "0::/system.slice/model.service/worker/3\n");
    is_found(f, "system.cpu-weight", OK, "200");
    put(f->root, "/sys/fs/cgroup/system.slice/model.service/worker/cpu.max", "800000 100000\n");
    is_found(f, "system.cpu-quota", PROBLEM, "8.00 CPUs");
    put(f->root, "/sys/fs/cgroup/system.slice/cpu.max", "300000 100000\n");   /* of all limits the tightest holds */
    is_found(f, "system.cpu-quota", PROBLEM, "3.00 CPUs");
    put(f->root, "/sys/fs/cgroup/system.slice/memory.max", "8589934592\n");
    put(f->root, "/sys/fs/cgroup/system.slice/memory.current", "8500000000\n");
    is_found(f, "system.memory-limit", PROBLEM, "7.9 of 8.0 GiB");
}

static void a_host_of_several_nodes_is_read_by_node(void **state)
{
    struct fixture *f = *state;

    place(f, "numa-host");
    is_found(f, "architecture.nodes-per-socket", ATTENTION, "4 NUMA nodes on 1 socket");
    is_found(f, "architecture.cache-domains", ATTENTION, "8 last-level caches");
    is_found(f, "hardware.memory-balance", ATTENTION, "from 46.7 to 93.5");
    is_found(f, "hardware.gpu-balance", ATTENTION, "on 1 of 4 nodes");
    is_found(f, "hardware.nic-near-gpu", ATTENTION, "node 3");
    is_found(f, "hardware.acs", ATTENTION, "2 of 2");
    is_found(f, "hardware.iommu", ATTENTION, "no iommu=pt");
    is_found(f, "hardware.gpu-driver", OK, "amdgpu");
    is_found(f, "system.hugepages-nodes", ATTENTION, "from 0 to 128");
    is_found(f, "system.numa-balancing", ATTENTION, "1");
    is_found(f, "gpu.driver", NONE, "no NVIDIA GPU");
}

static void a_recorded_guest_is_seen_to_be_one(void **state)
{
    struct fixture *f = *state;

    place(f, "vm");
    is_found(f, "hardware.bare-metal", ATTENTION, "virtual machine");
    is_found(f, "system.steal", ATTENTION, "0.23 %");
    is_found(f, "system.governor", NONE, "no cpufreq");
    is_found(f, "system.rotational", ATTENTION, "vda");
    is_found(f, "system.memory-limit", OK, "no limit");
    is_found(f, "system.cpu-quota", OK, "no quota");
    is_found(f, "system.clocksource", OK, "tsc");
    is_found(f, "reproducibility.idle-machine", PROBLEM, "load 8.96 on 2 CPUs");
    is_found(f, "profiling.hardware-counters", ATTENTION, "no CPU event source");
    is_found(f, "architecture.x86-level", OK, "x86-64-v3");
}

/* ---- where verdicts change ---- */

static void thresholds_are_where_they_are_said_to_be(void **state)
{
    static const struct { const char *id, *file, *text; enum aisp_diagnosis verdict; } cases[] = {
        { "system.steal", "/proc/stat", "cpu 99900 0 0 7 0 0 0 99 0 0\n", OK },
        { "system.steal", "/proc/stat", "cpu 99900 0 0 7 0 0 0 200 0 0\n", ATTENTION },
        { "system.steal", "/proc/stat", "cpu 90000 0 0 7 0 0 0 9000 0 0\n", PROBLEM },
        { "reproducibility.pressure-cpu", "/proc/pressure/cpu", "some avg10=2.00 avg60=0\n", OK },
        { "reproducibility.pressure-cpu", "/proc/pressure/cpu", "some avg10=2.01 avg60=0\n", ATTENTION },
        { "reproducibility.pressure-cpu", "/proc/pressure/cpu", "some avg10=20.01 avg60=0\n", PROBLEM },
        { "system.memory-available", "/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 100 kB\n", OK },
        { "system.memory-available", "/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 99 kB\n", ATTENTION },
        { "system.memory-available", "/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 29 kB\n", PROBLEM },
        { "system.memory-available", "/proc/meminfo", "MemTotal: 1000 kB\n", UNKNOWN },
        { "system.kernel-age", "/proc/sys/kernel/osrelease", "5.13.0\n", OK },
        { "system.kernel-age", "/proc/sys/kernel/osrelease", "5.4.0-200-generic\n", ATTENTION },
        { "system.kernel-age", "/proc/sys/kernel/osrelease", "5.0.21\n", PROBLEM },
        { "system.kernel-age", "/proc/sys/kernel/osrelease", "new\n", UNKNOWN },
        { "system.kernel-incidents", "/proc/sys/kernel/tainted", "12289\n", OK },
        { "system.kernel-incidents", "/proc/sys/kernel/tainted", "512\n", ATTENTION },
        { "system.kernel-incidents", "/proc/sys/kernel/tainted", "16\n", PROBLEM },
        { "system.nofile", "/proc/self/limits", "Max open files            unlimited  unlimited  files\n", OK },
        { "system.nofile", "/proc/self/limits", "Max open files            4096  4096  files\n", ATTENTION },
        { "system.nofile", "/proc/self/limits", "Max open files            1024  4096  files\n", PROBLEM },
        { "system.shared-memory", "/proc/mounts", "tmpfs /dev/shm tmpfs rw,size=1048576k 0 0\n", OK },
        { "system.shared-memory", "/proc/mounts", "tmpfs /dev/shm tmpfs rw,size=8g 0 0\n", OK },
        { "system.shared-memory", "/proc/mounts", "tmpfs / tmpfs rw 0 0\n", PROBLEM },
        { "system.isolation", "/proc/cmdline", "isolcpus=2-3 nohz_full=2-3\n", OK },
        { "system.isolation", "/proc/cmdline", "isolcpus=2-3 nohz_full=2-3 rcu_nocbs=2\n", ATTENTION },
        { "system.isolation", "/proc/cmdline", "quiet noisolcpus=3\n", NONE },
        { "system.nice", "/proc/self/stat", "1 (a) b) R 1 1 1 0 -1 0 1 0 0 0 1 1 0 0 15 -5 1 0 1\n", OK },
        { "profiling.perf-paranoid", "/proc/sys/kernel/perf_event_paranoid", "-1\n", OK },
        { "profiling.perf-paranoid", "/proc/sys/kernel/perf_event_paranoid", "2\n", ATTENTION },
        { "profiling.perf-paranoid", "/proc/sys/kernel/perf_event_paranoid", "3\n", PROBLEM },
        { "inference.retransmits", "/proc/net/snmp", "Ip: 1\nTcp: a\nTcp: 1 2 3 4 5 6 7 8 9 10 9999 0\n", NONE },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(f->root, cases[i].file, cases[i].text);
        is_found(f, cases[i].id, cases[i].verdict, "");
    }
}

static void variables_are_read_where_they_are_known(void **state)
{
    struct fixture *f = *state;

    is_found(f, "reproducibility.preload", UNKNOWN, "environ");
    put(f->root, "/proc/self/environ", "HOME=/\nOMP_NUM_THREADS=4\n");
    is_found(f, "reproducibility.preload", OK, "not set");
    is_found(f, "reproducibility.thread-count", OK, "4");
    is_found(f, "distributed.rank-variables", NONE, "not started");
    put(f->root, "/proc/self/environ", "LD_AUDIT=/a.so\nNCCL_P2P_DISABLE=0\nRANK=4\nWORLD_SIZE=4\nLOCAL_RANK=0\n"
                                       "MASTER_ADDR=a\nMASTER_PORT=1\nCUDA_LAUNCH_BLOCKING=0\n");
    is_found(f, "reproducibility.preload", PROBLEM, "LD_AUDIT=/a.so");
    is_found(f, "distributed.nccl-disabled", OK, "not set");
    is_found(f, "gpu.blocking-launch", OK, "not set");
    is_found(f, "distributed.rank-variables", PROBLEM, "rank 4 of 4");
}

static void lists_of_cpus_are_counted(void **state)
{
    (void)state;
    assert_int_equal(aisp_list_count("0-3,8,10-11"), 7);
    assert_int_equal(aisp_list_count("5"), 1);
    assert_int_equal(aisp_list_count(""), -1);
    assert_int_equal(aisp_list_count("none"), -1);
    assert_int_equal(aisp_list_count("0x3"), -1);
    assert_true(aisp_list_has("0-3,8", 8) && !aisp_list_has("0-3,8", 4));
    assert_int_equal(aisp_list_common("0-3,8", "2-9"), 3);
    assert_int_equal(aisp_list_common("0-3", ""), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        T(the_checklist_is_long_enough_and_most_of_it_is_checked),
        T(ids_are_unique_and_simple),
        T(texts_have_one_form_and_fit_80_columns),
        T(fixes_are_lines_that_a_shell_can_read),
        T(an_empty_machine_is_unknown_and_never_ok),
        T(every_check_is_seen_to_be_content_and_to_complain),
        T(a_tuned_server_is_ok_and_a_neglected_one_in_nothing),
        T(damaged_files_are_survived),
        T(this_machine_can_be_looked_at),
        T(a_container_with_a_quota_is_told_so),
        T(control_groups_of_version_1_are_read_in_the_own_group),
        T(control_groups_of_version_2_are_read_in_the_own_group_or_above),
        T(a_host_of_several_nodes_is_read_by_node),
        T(a_recorded_guest_is_seen_to_be_one),
        T(thresholds_are_where_they_are_said_to_be),
        T(variables_are_read_where_they_are_known),
        T(lists_of_cpus_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
