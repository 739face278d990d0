/* cpu.c - the CPU as a device: open and close a session, account for its workers. The judge is
 * the supervisor itself. */
#include "backends/cpu/cpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/err.h"

enum { WORKER_BYTES = 16 << 20, TEARDOWN_NS = 2000000000, MAX_SLOTS = 65536 };
static const int64_t DEFAULT_CALL_TIMEOUT_NS = 10000000000, DEFAULT_SETUP_TIMEOUT_NS = 60000000000;

static enum aisp_status probe(struct aisp_err *err)
{
    if (syscall(SYS_pidfd_open, getpid(), 1u << 30) < 0 && errno == ENOSYS)
        return aisp_fail(
            err, AISP_E_UNAVAILABLE,
            "Linux 5.9 or newer is needed (pidfd_open, close_range, sealed memory files)");
    return AISP_OK;
}

static enum aisp_status fits(const struct aisp_instance *inst, int n_slots, int n_workers,
                             struct aisp_err *err)
{
    const double margins =
        2.0 * CPU_PAGE * n_slots * inst->n_tensors; /* canaries and the rest of pages */
    const double needs = (double)aisp_instance_weight_bytes(inst) +
                         (double)n_slots * (double)aisp_instance_slot_bytes(inst) + margins +
                         (double)n_workers * WORKER_BYTES;
    const double available = (double)cpu_available_bytes();

    if (needs <= available)
        return AISP_OK;
    return aisp_fail(err, AISP_E_NO_MEMORY, "needs %.1f GiB, %.1f GiB are available",
                     needs / (1 << 30), available / (1 << 30));
}

/* Workers measure on the last usable cores: interrupts and other programs tend to be on the
 * first. */
static void choose_cores(struct aisp_session *s)
{
    int left = s->n_threads;

    CPU_ZERO(&s->measuring);
    sched_getaffinity(0, sizeof s->usable, &s->usable);
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && left > 0; cpu--)
        if (CPU_ISSET(cpu, &s->usable)) {
            CPU_SET(cpu, &s->measuring);
            left--;
        }
    if (CPU_COUNT(&s->usable) <= CPU_COUNT(&s->measuring))
        s->spin = false; /* no core to spin on, whatever was hoped for */
}

static enum aisp_status check_roles(const struct aisp_session_spec *spec, struct aisp_err *err)
{
    for (int t = 0; t < spec->inst->n_tensors; t++)
        if (spec->inst->problem->tensor[t].role > AISP_WEIGHT)
            return aisp_fail(err, AISP_E_UNAVAILABLE,
                             "tensor %s: the cpu device has no tensors of role %s yet",
                             spec->inst->problem->tensor[t].name,
                             aisp_role_name(spec->inst->problem->tensor[t].role));
    if (spec->n_slots < 1 || spec->n_slots > MAX_SLOTS || spec->n_threads < 1)
        AISP_BUG("a session of %d slots and %d threads", spec->n_slots, spec->n_threads);
    return AISP_OK;
}

static struct aisp_session *new_session(const struct aisp_session_spec *spec)
{
    static const struct cpu_worker none = {
        .pid = -1, .pidfd = -1, .stat_fd = -1, .status_fd = -1, .log_fd = -1, .max_tasks = 1
    };
    struct aisp_session *s = aisp_xcalloc(1, sizeof *s);

    s->inst = *spec->inst;
    s->policy = spec->policy ? *spec->policy : (struct aisp_policy){ 0 };
    s->n_slots = spec->n_slots;
    s->n_threads = spec->n_threads;
    s->n_workers = spec->variant[AISP_B] ? 2 : 1;
    s->spin = spec->spin;
    s->b_first = spec->b_first && s->n_workers == 2;
    s->setup_timeout_ns =
        spec->setup_timeout_ns > 0 ? spec->setup_timeout_ns : DEFAULT_SETUP_TIMEOUT_NS;
    s->call_timeout_ns =
        spec->call_timeout_ns > 0 ? spec->call_timeout_ns : DEFAULT_CALL_TIMEOUT_NS;
    s->memory_limit_bytes =
        spec->memory_limit_bytes > 0 ? spec->memory_limit_bytes : cpu_available_bytes() / 2;
    s->stop = spec->stop;
    s->secret = spec->secret;
    s->fd_in = s->fd_out = -1;
    s->buffer = aisp_xcalloc((size_t)(s->n_slots * s->inst.n_tensors), sizeof *s->buffer);
    for (int side = 0; side < 2; side++) {
        s->worker[side] = none;
        if (side < s->n_workers) {
            s->worker[side].path = aisp_xstrdup(spec->variant[side]->path);
            s->worker[side].decl = spec->variant[side]->decl;
        }
    }
    choose_cores(s);
    return s;
}

static enum aisp_status load(struct aisp_session *s, enum aisp_side side,
                             struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side];
    const int64_t begin_ns = aisp_now_ns();
    enum aisp_status st;

    w->phase = AISP_PHASE_LOAD;
    AISP_TRY(cpu_spawn(s, side, err));
    AISP_TRY(cpu_answer(s, side, s->setup_timeout_ns, seen, err));
    w->load_ns = aisp_now_ns() - begin_ns;
out:
    return st;
}

static enum aisp_status set_up(struct aisp_session *s, enum aisp_side side,
                               struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side];
    const int64_t begin_ns = aisp_now_ns();
    enum aisp_status st;

    w->phase = AISP_PHASE_SETUP;
    AISP_TRY(cpu_command(s, side, AISP_COMMAND_SETUP, s->setup_timeout_ns, seen, err));
    w->setup_ns = aisp_now_ns() - begin_ns;
    cpu_settle(s, w);
out:
    return st;
}

static void close_session(struct aisp_session *s)
{
    struct aisp_observation seen;

    if (!s)
        return;
    for (int side = 0; side < s->n_workers; side++)
        if (s->worker[side].alive && s->worker[side].phase > AISP_PHASE_LOAD &&
            !s->worker[side].timed_out) {
            s->worker[side].phase = AISP_PHASE_TEARDOWN;
            cpu_post(&s->worker[side], AISP_COMMAND_LEAVE);
        }
    for (int side = 0; side < s->n_workers; side++)
        if (s->worker[side].alive && s->worker[side].phase == AISP_PHASE_TEARDOWN)
            cpu_answer(s, (enum aisp_side)side, TEARDOWN_NS, &seen, NULL);
    for (int side = 0; side < s->n_workers; side++)
        cpu_worker_release(&s->worker[side]);
    cpu_layout_release(s);
    free(s);
}

static enum aisp_status open_session(const struct aisp_session_spec *spec,
                                     struct aisp_session **session, struct aisp_observation *seen,
                                     struct aisp_err *err)
{
    struct aisp_session *s = NULL;
    enum aisp_side first;
    enum aisp_status st;

    *session = NULL;
    AISP_TRY(check_roles(spec, err));
    s = new_session(spec);
    first = s->b_first ? AISP_B : AISP_A;
    AISP_TRY(cpu_layout(s, err));
    for (int i = 0; i < s->n_workers; i++)
        AISP_TRY(load(s, i ? (enum aisp_side) !first : first, seen, err));
    AISP_TRY(cpu_first_contents(s, err));
    for (int i = 0; i < s->n_workers; i++)
        AISP_TRY(set_up(s, i ? (enum aisp_side) !first : first, seen, err));
out:
    if (st && st != AISP_E_WORKER) {
        close_session(s);
        s = NULL;
    }
    *session = s;
    return st;
}

static void account(struct aisp_session *s, enum aisp_side side, struct aisp_account *account)
{
    static const char *const cage[] = { "no seccomp; ", "no Landlock; ", "no other user; ",
                                        "no limits; " };
    struct cpu_worker *w = &s->worker[side];
    struct cpu_counters c;
    size_t at = 0;
    ssize_t n;

    memset(account, 0, sizeof *account);
    if (w->pid < 0)
        return;
    cpu_counters(w, &c, true);
    account->cpu_ns = cpu_time_ns(w);
    account->minor_faults = c.minor_faults;
    account->major_faults = c.major_faults;
    account->voluntary_switches = c.voluntary;
    account->involuntary_switches = c.involuntary;
    account->peak_rss_bytes = c.peak_rss_bytes;
    account->load_ns = w->load_ns;
    account->setup_ns = w->setup_ns;
    account->max_tasks = c.tasks > w->max_tasks ? c.tasks : w->max_tasks;
    account->output_bytes = cpu_log_bytes(w);
    for (size_t i = 0; i < sizeof cage / sizeof *cage; i++)
        if (w->up->missing >> i & 1)
            at +=
                (size_t)snprintf(account->output + at, sizeof account->output - at, "%s", cage[i]);
    n = pread(w->log_fd, account->output + at, sizeof account->output - 1 - at, 0);
    account->output[at + (size_t)(n > 0 ? n : 0)] = 0;
}

AISP_ROW(aisp_backends, struct aisp_backend, cpu) = {
    .name = "cpu",
    .title = "CPU cores of this machine",
    .probe = probe,
    .fits = fits,
    .open = open_session,
    .close = close_session,
    .fill = cpu_fill,
    .poison = cpu_poison,
    .window = cpu_window,
    .read = cpu_read,
    .input = cpu_input,
    .inspect = cpu_inspect,
    .account = account,
};
