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

/* A driver starts threads of its own later too: for host functions, for a second context. */
enum { LATE_DRIVER_TASKS = 2 };
enum { WORKER_BYTES = 16 << 20, MAX_SLOTS = 65536 };
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
                         (double)n_workers * (inst->n_ranks > 1 ? inst->n_ranks : 1) * WORKER_BYTES;
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
    int left = s->n_threads * s->n_ranks;

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
    int n_files = 0;

    for (int t = 0; t < spec->inst->n_tensors; t++)
        n_files += spec->inst->problem->tensor[t].role == AISP_FILE;
    if (n_files * spec->n_slots > AISP_MAX_FILES || (n_files && spec->inst->n_ranks > 1))
        return aisp_fail(err, AISP_E_UNAVAILABLE,
                         "%d files in %d call slots: at most %d in all, and none with ranks", n_files,
                         spec->n_slots, AISP_MAX_FILES);
    if (spec->n_slots < 1 || spec->n_slots > MAX_SLOTS || spec->n_threads < 1)
        AISP_BUG("a session of %d slots and %d threads", spec->n_slots, spec->n_threads);
    return AISP_OK;
}

static struct aisp_session *new_session(const struct aisp_session_spec *spec)
{
    static const struct cpu_worker none = {
        .pid = -1,
        .pidfd = -1,
        .stat_fd = -1,
        .status_fd = -1,
        .log_fd = -1,
        .io_fd = -1,
        .max_tasks = 1,
        .own_tasks = 1,
    };
    struct aisp_session *s = aisp_xcalloc(1, sizeof *s);
    struct aisp_key draw;

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
    s->is_measured = spec->is_measured;
    s->is_audit = spec->is_audit;
    s->can_hold = spec->scope == AISP_SCOPE_KERNEL;
    for (int side = 0; side < 2; side++)
        s->limit_bytes[side] =
            spec->limit_of_bytes[side] > 0 ? spec->limit_of_bytes[side] : s->memory_limit_bytes;
    s->stop = spec->stop;
    s->secret = spec->secret;
    s->n_ranks = s->inst.n_ranks > 1 ? s->inst.n_ranks : 1;
    if (s->n_ranks == 1)
        s->inst.n_declared = s->inst.n_tensors;
    for (int r = 0; r < AISP_MAX_RANKS; r++)
        s->files[r].fd_in = s->files[r].fd_out = s->files[r].fd_up[AISP_A] = s->files[r].fd_up[AISP_B] = -1;
    memset(s->far_fd, -1, sizeof s->far_fd);
    s->buffer = aisp_xcalloc((size_t)s->n_slots * (size_t)s->inst.n_tensors, sizeof *s->buffer);
    for (int side = 0; side < 2; side++) {
        s->meeting[side].fd = -1;
        memset(s->meeting[side].wire, -1, sizeof s->meeting[side].wire);
        for (int r = 0; r < AISP_MAX_RANKS; r++) {
            struct cpu_worker *w = &s->worker[side][r];

            *w = none;
            w->side = (enum aisp_side)side;
            w->rank = r;
            if (side < s->n_workers && r < s->n_ranks) {
                w->path = aisp_xstrdup(spec->variant[side]->path);
                w->decl = spec->variant[side]->decl;
                w->is_untrusted = spec->variant[side]->is_untrusted;
            }
        }
    }
    choose_cores(s);
    draw = aisp_key_derive(&s->secret, "held", 0, 0, 0, 0);
    aisp_dice_init(&s->held_dice, &draw);
    return s;
}

/* It is caged, its device is open, and nothing of the variant is there yet: what it has of threads is the driver's, and what it
 * says of its cage is copied before anybody else can write there. That it failed is not the variant's fault either. */
static enum aisp_status enter(struct aisp_session *s, enum aisp_side side, struct aisp_observation *seen, struct aisp_err *err)
{
    const enum aisp_status st = cpu_answer(s, side, s->setup_timeout_ns, seen, err);
    struct cpu_worker *w = &s->worker[side][0];

    for (int r = 0; r < s->n_ranks; r++) {
        s->worker[side][r].missing = s->worker[side][r].up->missing;
        if (st == AISP_E_WORKER && s->worker[side][r].up->status == AISP_E_UNAVAILABLE)
            return aisp_fail(err, AISP_E_REFUSED, "%.200s", s->worker[side][r].up->text);
    }
    if (st == AISP_E_WORKER && s->far)
        return aisp_fail(err, AISP_E_DEVICE, "a worker could not open the device: %.200s",
                         *w->up->text ? w->up->text : seen->detail);
    if (st || !s->far)
        return st;
    cpu_settle(s, w);
    w->own_tasks = w->max_tasks + LATE_DRIVER_TASKS;
    return AISP_OK;
}

static enum aisp_status spawn(struct aisp_session *s, enum aisp_side side, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int r = 0; r < s->n_ranks; r++) {
        s->worker[side][r].phase = AISP_PHASE_LOAD;
        AISP_TRY(cpu_spawn(s, &s->worker[side][r], err));
    }
out:
    return st;
}

static enum aisp_status load(struct aisp_session *s, enum aisp_side side,
                             struct aisp_observation *seen, struct aisp_err *err)
{
    enum aisp_status st;

    if (!cpu_reaches_huge(s, side))
        return aisp_fail(err, AISP_E_UNAVAILABLE, "the huge pages of a worker cannot be written from here");
    AISP_TRY(cpu_command(s, side, AISP_COMMAND_LOAD, s->setup_timeout_ns, seen, err));
    for (int r = 0; r < s->n_ranks; r++)
        cpu_note_loaded(s, &s->worker[side][r]);
out:
    return st;
}

/* What has passed since then is this side's. */
static void charge_load(struct aisp_session *s, enum aisp_side side, int64_t *since_ns)
{
    const int64_t now_ns = aisp_now_ns();

    s->worker[side][0].load_ns += now_ns - *since_ns;
    *since_ns = now_ns;
}

/* The two enter their cages and open their device side by side. No code of a variant runs before both are inside. */
static enum aisp_status load_both(struct aisp_session *s, enum aisp_side first, struct aisp_observation *seen, struct aisp_err *err)
{
    const enum aisp_side order[2] = { first, (enum aisp_side)!first };
    int64_t since_ns = aisp_now_ns();
    enum aisp_status st;

    for (int i = 0; i < s->n_workers; i++)
        AISP_TRY(spawn(s, order[i], err));
    for (int i = 0; i < s->n_workers; i++) {
        AISP_TRY(enter(s, order[i], seen, err));
        charge_load(s, order[i], &since_ns);
    }
    for (int i = 0; i < s->n_workers; i++) {
        AISP_TRY(load(s, order[i], seen, err));
        charge_load(s, order[i], &since_ns);
    }
out:
    return st;
}

static enum aisp_status set_up(struct aisp_session *s, enum aisp_side side,
                               struct aisp_observation *seen, struct aisp_err *err)
{
    const int64_t begin_ns = aisp_now_ns();
    enum aisp_status st;

    for (int r = 0; r < s->n_ranks; r++)
        s->worker[side][r].phase = AISP_PHASE_SETUP;
    AISP_TRY(cpu_command(s, side, AISP_COMMAND_SETUP, s->setup_timeout_ns, seen, err));
    s->worker[side][0].setup_ns = aisp_now_ns() - begin_ns;
    for (int r = 0; r < s->n_ranks; r++) {
        cpu_settle(s, &s->worker[side][r]);
        cpu_process_begin(s, &s->worker[side][r]);
    }
out:
    return st;
}

/* All of a side that are alive and well; with one of them gone the others were ended with it. */
static bool can_leave(const struct aisp_session *s, int side)
{
    if (s->held.is_on && (int)s->held.side == side) /* it waits for a release that will not come */
        return false;
    for (int r = 0; r < s->n_ranks; r++) {
        const struct cpu_worker *w = &s->worker[side][r];

        if (!w->alive || w->phase <= AISP_PHASE_LOAD || w->phase == AISP_PHASE_TEARDOWN ||
            w->timed_out)
            return false;
    }
    return true;
}

int cpu_leave(struct aisp_session *s, struct aisp_observation seen[2])
{
    bool leaves[2] = { false, false };
    int n = 0;

    for (int side = 0; side < s->n_workers; side++) {
        leaves[side] = can_leave(s, side);
        for (int r = 0; r < s->n_ranks && leaves[side]; r++) {
            s->worker[side][r].phase = AISP_PHASE_TEARDOWN;
            cpu_post(&s->worker[side][r], AISP_COMMAND_LEAVE);
        }
    }
    for (int side = 0; side < s->n_workers; side++)
        if (leaves[side])
            n += cpu_answer(s, (enum aisp_side)side, s->call_timeout_ns, &seen[n], NULL) ==
                 AISP_E_WORKER;
    return n;
}

void cpu_close(struct aisp_session *s)
{
    struct aisp_observation seen[2];

    if (!s)
        return;
    cpu_leave(s, seen);
    for (int side = 0; side < s->n_workers; side++)
        for (int r = 0; r < s->n_ranks; r++)
            cpu_worker_release(&s->worker[side][r]);
    cpu_meet_release(s);
    cpu_files_close(s);
    cpu_far_release(s);
    cpu_layout_release(s);
    free(s);
}

static bool lies_on_huge_pages(const struct aisp_session *s)
{
    for (int i = 0; i < s->n_slots * s->inst.n_tensors; i++)
        if (s->buffer[i].area[AISP_A].kind == AISP_AREA_HUGE ||
            s->buffer[i].area[AISP_B].kind == AISP_AREA_HUGE)
            return true;
    return false;
}

static enum aisp_status first_contents(struct aisp_session *s, const struct aisp_session_spec *spec,
                                       struct aisp_err *err)
{
    enum aisp_status st = cpu_first_contents(s, err);

    if (!st && spec->before_setup)
        st = spec->before_setup(spec->before_setup_context, s, err);
    return st || !s->far ? st : cpu_far_ready(s, err);
}

static enum aisp_status open_once(const struct aisp_session_spec *spec, struct cpu_far *far,
                                  struct aisp_session **session, struct aisp_observation *seen,
                                  struct aisp_err *err)
{
    struct aisp_session *s = NULL;
    enum aisp_side first;
    enum aisp_status st;

    *session = NULL;
    AISP_TRY(check_roles(spec, err));
    s = new_session(spec);
    s->far = far;
    first = s->b_first ? AISP_B : AISP_A;
    AISP_TRY(cpu_meet(s, err));
    AISP_TRY(cpu_layout(s, err));
    s->has_huge = lies_on_huge_pages(s);
    AISP_TRY(far ? cpu_far_make(s, err) : cpu_files_open(s, err));
    /* Huge pages are the workers' own: there has to be one before they can be filled. All else lies there before any code of a
     * variant runs, its constructors among it. */
    if (!s->has_huge)
        AISP_TRY(first_contents(s, spec, err));
    AISP_TRY(load_both(s, first, seen, err));
    if (s->has_huge)
        AISP_TRY(first_contents(s, spec, err));
    for (int i = 0; i < s->n_workers; i++)
        AISP_TRY(set_up(s, i ? (enum aisp_side) !first : first, seen, err));
out:
    if (s)
        cpu_far_close_descriptors(s);
    if (st && st != AISP_E_WORKER) {
        cpu_close(s);
        s = NULL;
    }
    *session = s;
    return st;
}

enum aisp_status cpu_open(const struct aisp_session_spec *spec, struct cpu_far *far,
                          struct aisp_session **session, struct aisp_observation *seen,
                          struct aisp_err *err)
{
    const bool had_huge = !cpu_has_no_huge();
    const enum aisp_status st = open_once(spec, far, session, seen, err);

    return st == AISP_E_UNAVAILABLE && had_huge && cpu_has_no_huge() ? open_once(spec, far, session, seen, err) : st;
}

static bool wished_huge(const struct aisp_session *s, const struct cpu_worker *w)
{
    char wish[16];

    for (int t = 0; t < s->inst.n_declared; t++) {
        aisp_declaration_place(&w->decl, aisp_ranks_declared(s->inst.problem)->tensor[t].name, wish);
        if (!strcmp(wish, "huge"))
            return true;
    }
    return false;
}

static void print_to(struct aisp_account *account, size_t *at, const struct aisp_session *s,
                     const struct cpu_worker *w)
{
    static const char *const cage[] = { "no seccomp; ", "no Landlock; ", "no other user; ",
                                        "no limits; ", "other addresses than the other side; ",
                                        "no recorder of the device; " };
    const size_t size = sizeof account->output;
    const size_t begin = *at;
    ssize_t n;

    for (size_t i = 0; i < sizeof cage / sizeof *cage && w->rank == 0 && *at < size; i++)
        if (w->missing >> i & 1)
            *at += (size_t)snprintf(account->output + *at, size - *at, "%s", cage[i]);
    if (cpu_has_no_huge() && w->rank == 0 && wished_huge(s, w) && *at < size)
        *at += (size_t)snprintf(account->output + *at, size - *at, "ordinary pages, for huge ones cannot be written from here; ");
    if (s->n_ranks > 1 && cpu_log_bytes(w) > 0 && *at < size)
        *at += (size_t)snprintf(account->output + *at, size - *at, "%srank %d: ",
                                *at > begin || *at ? " " : "", w->rank);
    n = *at < size - 1 ? pread(w->log_fd, account->output + *at, size - 1 - *at, 0) : 0;
    *at += (size_t)(n > 0 ? n : 0);
    account->output[*at < size ? *at : size - 1] = 0;
}

void cpu_account(struct aisp_session *s, enum aisp_side side, struct aisp_account *account)
{
    size_t at = 0;

    memset(account, 0, sizeof *account);
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];
        struct cpu_counters c;

        if (w->pid < 0)
            continue;
        cpu_counters(w, &c, true);
        account->cpu_ns += cpu_time_ns(w);
        account->minor_faults += c.minor_faults;
        account->major_faults += c.major_faults;
        account->voluntary_switches += c.voluntary;
        account->involuntary_switches += c.involuntary;
        account->peak_rss_bytes += c.peak_rss_bytes;
        account->load_ns += w->load_ns;
        account->empty_ns = w->empty_ns;
        account->setup_ns += w->setup_ns;
        if (w->max_tasks > account->max_tasks)
            account->max_tasks = w->max_tasks;
        if (c.tasks > account->max_tasks)
            account->max_tasks = c.tasks;
        account->output_bytes += cpu_log_bytes(w);
        account->missing |= (int32_t)w->missing;
        /* The first rank that changed it speaks for all. */
        if (account->float_mode.at_load == account->float_mode.after)
            account->float_mode =
                (struct aisp_float_mode){ w->up->float_at_load, w->up->float_after };
        print_to(account, &at, s, w);
    }
}

static enum aisp_status open_here(const struct aisp_session_spec *spec, struct aisp_session **session,
                                  struct aisp_observation *seen, struct aisp_err *err)
{
    return cpu_open(spec, NULL, session, seen, err);
}

/* Of the first rank: what is asked of it, its priority and cores, all of them get from the same hand. */
int cpu_pid(const struct aisp_session *s, enum aisp_side side)
{
    return s->worker[side][0].alive ? (int)s->worker[side][0].pid : 0;
}

AISP_ROW(aisp_backends, struct aisp_backend, cpu) = {
    .name = "cpu",
    .title = "CPU cores of this machine",
    .probe = probe,
    .fits = fits,
    .open = open_here,
    .close = cpu_close,
    .leave = cpu_leave,
    .fill = cpu_fill,
    .plant = cpu_plant,
    .poison = cpu_poison,
    .window = cpu_window,
    .read = cpu_read,
    .input = cpu_input,
    .inspect = cpu_inspect,
    .account = cpu_account,
    .spans = cpu_spans,
    .files = cpu_files,
    .process = cpu_process,
    .ring = cpu_ring,
    .overwrite = cpu_overwrite,
    .reach = cpu_reach,
    .pid = cpu_pid,
};
