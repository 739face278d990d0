/* observe.c - the death of a worker, put into words. What happened comes from the kernel (wait
 * status, file sizes); where it happened comes from the note that the worker's handler left,
 * which is quoted, bounded and not relied on. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "backends/cpu/cpu.h"

void cpu_observation(struct aisp_observation *o, enum aisp_side side, enum aisp_seen what,
                     enum aisp_phase phase)
{
    *o = (struct aisp_observation){ .what = what,
                                    .side = (int8_t)side,
                                    .phase = phase,
                                    AISP_NOWHERE };
}

/* Where an address lies among a side's buffers. Only a fault in what may be read names its
 * tensor in the record: there it can be nothing but a store. Beside a buffer the words say it. */
static bool describe_area(const struct aisp_session *s, const struct cpu_worker *w, int i, uint64_t at,
                          struct aisp_observation *seen)
{
    const int tensor = i % s->inst.n_tensors, slot = i / s->inst.n_tensors;
    const struct aisp_area *a = &s->buffer[i].area[w->side];
    const struct aisp_tensor *t = &s->inst.problem->tensor[tensor];
    char *text = seen->detail + strlen(seen->detail);
    const size_t room = sizeof seen->detail - strlen(seen->detail);
    const uint64_t end = a->data_address + a->data_bytes;

    if (!a->map_bytes || at + CPU_PAGE < a->map_address ||
        at >= a->map_address + a->map_bytes + CPU_PAGE)
        return false;
    if (at >= a->data_address && at < end) {
        if (!a->is_output && cpu_rank_of(s, tensor) == w->rank) {
            seen->tensor = tensor;
            seen->slot = slot;
            seen->element = (int64_t)((at - a->data_address) / aisp_dtype_bytes(t->dtype));
        }
        snprintf(text, room, ", %llu bytes into %s of slot %d",
                 (unsigned long long)(at - a->data_address), t->name, slot);
    } else if (at >= end) {
        snprintf(text, room, ", %llu bytes past the end of %s of slot %d",
                 (unsigned long long)(at - end), t->name, slot);
    } else {
        snprintf(text, room, ", %llu bytes before %s of slot %d",
                 (unsigned long long)(a->data_address - at), t->name, slot);
    }
    return true;
}

static void describe_signal(const struct aisp_session *s, const struct cpu_worker *w, int number,
                            struct aisp_observation *seen)
{
    const struct aisp_up *up = w->up;
    const uint64_t at = up->fault_address;
    const bool noted = up->signal == number && up->fault_code > 0;

    seen->what = AISP_SEEN_SIGNAL;
    seen->seen = number;
    snprintf(seen->detail, sizeof seen->detail, "SIG%s",
             sigabbrev_np(number) ? sigabbrev_np(number) : "?");
    if (!noted || (number != SIGSEGV && number != SIGBUS && number != SIGFPE && number != SIGILL))
        return;
    snprintf(seen->detail, sizeof seen->detail, "SIG%s at 0x%llx%s", sigabbrev_np(number),
             (unsigned long long)at,
             number == SIGSEGV ? up->is_write ? " (a store)" : " (a load)" : "");
    for (int i = 0; i < s->n_slots * s->inst.n_tensors; i++)
        if (describe_area(s, w, i, at, seen))
            return;
}

static void quote(const char *text, char *to, size_t size);

/* A strict worker's handler leaves the name of the file that was asked for. */
static void add_file_name(const struct cpu_worker *w, struct aisp_observation *seen)
{
    const size_t n = strlen(seen->detail);
    char name[100];

    if (!w->is_untrusted || strncmp(seen->detail, "open", 4))
        return;
    quote(w->up->text, name, sizeof name);
    snprintf(seen->detail + n, sizeof seen->detail - n, " %s", name);
}

static void describe_forbidden(const struct aisp_up *up, struct aisp_observation *seen)
{
    const int64_t number = up->forbidden_call - 1;
    char name[32];

    seen->what = AISP_SEEN_FORBIDDEN_CALL;
    seen->seen = (double)number;
    if (number >= 0 && number < 1 << 16)
        snprintf(seen->detail, sizeof seen->detail, "%s", cpu_call_name(number, name));
    else
        snprintf(seen->detail, sizeof seen->detail,
                 "a call that was made with all signals blocked, as libc starts programs");
}

static void describe_memory(const struct aisp_session *s, struct aisp_observation *seen)
{
    const int64_t limit = s->limit_bytes[seen->side];

    seen->what = AISP_SEEN_MEMORY;
    seen->seen = (double)limit;
    seen->allowed = (double)limit;
    snprintf(seen->detail, sizeof seen->detail,
             "wanted more than the %.1f %s that it may have beside its buffers",
             (double)limit / (limit < 1 << 20 ? 1 << 10 : 1 << 20),
             limit < 1 << 20 ? "KiB" : "MiB");
}

static void describe_flood(int64_t bytes, struct aisp_observation *seen)
{
    seen->what = AISP_SEEN_OUTPUT_FLOOD;
    seen->seen = (double)bytes;
    seen->allowed = CPU_LOG_MAX;
    snprintf(seen->detail, sizeof seen->detail, "printed %d bytes, the most that are kept",
             CPU_LOG_MAX);
}

void cpu_observe_rank(const struct aisp_session *s, const struct cpu_worker *w,
                      struct aisp_observation *seen)
{
    char text[sizeof seen->detail];

    if (s->n_ranks == 1)
        return;
    snprintf(text, sizeof text, "rank %d: %.*s", w->rank, (int)sizeof text - 16, seen->detail);
    memcpy(seen->detail, text, sizeof text);
}

void cpu_observe_death(struct aisp_session *s, struct cpu_worker *w, struct aisp_observation *seen)
{
    const int64_t log_bytes = cpu_log_bytes(w);
    const int number = WIFSIGNALED(w->wait_status) ? WTERMSIG(w->wait_status) : 0;

    cpu_observation(seen, w->side, AISP_SEEN_EXIT, w->phase);
    if (w->lost_buffer) {
        seen->what = AISP_SEEN_PROTOCOL;
        strcpy(seen->detail, "it unmapped or protected huge pages it was given; it was killed");
    } else if (w->is_hidden) {
        seen->what = AISP_SEEN_PROTOCOL;
        strcpy(seen->detail, "it hid the huge pages it was given from the judge; it was killed");
    } else if (log_bytes >= CPU_LOG_MAX) {
        describe_flood(log_bytes, seen);
    } else if (w->timed_out) {
        seen->what = AISP_SEEN_HANG;
        seen->seen = (double)w->waited_ns;
        snprintf(seen->detail, sizeof seen->detail, "no answer in %.3f s; it was killed",
                 (double)w->waited_ns / 1e9);
    } else if (number == SIGSYS) {
        describe_forbidden(w->up, seen);
        add_file_name(w, seen);
    } else if (number && number == w->up->signal && w->up->is_memory_short) {
        describe_memory(s, seen);
    } else if (number) {
        describe_signal(s, w, number, seen);
    } else {
        seen->seen = WEXITSTATUS(w->wait_status);
        snprintf(seen->detail, sizeof seen->detail, "it left by itself with code %d",
                 WEXITSTATUS(w->wait_status));
    }
}

/* Its own words, for terminals and JSON: nothing but ASCII. */
static void quote(const char *text, char *to, size_t size)
{
    size_t n = strnlen(text, size - 1);

    for (size_t i = 0; i < n; i++)
        to[i] = (char)(text[i] < ' ' || text[i] > '~' ? '?' : text[i]);
    to[n] = 0;
}

void cpu_observe_status(struct aisp_session *s, struct cpu_worker *w, int status,
                        struct aisp_observation *seen)
{
    cpu_observation(seen, w->side, AISP_SEEN_BAD_STATUS, w->phase);
    seen->seen = status;
    if (status == AISP_E_NO_MEMORY && !s->far) {
        describe_memory(s, seen);
    } else if (w->phase == AISP_PHASE_LOAD) {
        seen->what = AISP_SEEN_REFUSED;
        quote(w->up->text, seen->detail, sizeof seen->detail);
    } else if (s->far && status == AISP_E_DEVICE && *w->up->text) {
        quote(w->up->text, seen->detail, sizeof seen->detail);
    } else {
        snprintf(seen->detail, sizeof seen->detail, "%s returned status %d",
                 w->phase == AISP_PHASE_SETUP ? "setup()" : "run()", status);
    }
}
