/* cpu.h - the CPU device, supervisor's and judge's side: its own parts.
 *   layout.c    where everything lies: two memfds, secret addresses, guards and canaries
 *   buffers.c   what the judge does with the tensors: fill, poison, read, inspect
 *   spawn.c     start a worker, wait for it, end it
 *   filter.c    the list of system calls, as a program that workers install
 *   observe.c   the death of a worker, put into words
 *   proc.c      a process seen from outside
 *   window.c    commands and the timed window
 *   cpu.c       the struct aisp_backend */
#ifndef AISP_CPU_H
#define AISP_CPU_H

#include <sched.h>
#include <sys/resource.h>

#include "core/backend.h"
#include "core/channel.h"
#include "core/judge/fill.h"

enum { CPU_PAGE = 4096, CPU_HUGE_PAGE = 2 << 20, CPU_LINE = 64, CPU_LOG_MAX = 1 << 20 };

/* One fill of a part of a tensor, kept so that its contents can be made again. */
struct cpu_fill {
    struct aisp_philox key;
    int64_t first, n;
    bool is_poison;
};

/* One tensor of one slot. Host pointers are the judge's mapping, areas are the workers'. */
struct cpu_buffer {
    struct aisp_area area[2]; /* per side: they differ only where one side wants huge pages */
    char *map, *data; /* of the judge: [map, map + map_bytes) holds data with canaries round it */
    size_t map_bytes, bytes, back_bytes; /* back_bytes: canary behind the data */
    char *copy;                          /* INOUT: what was last filled; else NULL */
    struct cpu_fill *fill;
    size_t n_fills, cap_fills;
};

struct cpu_counters {
    int64_t minor_faults, major_faults, voluntary, involuntary, peak_rss_bytes;
    int tasks;
    char state;
};

struct cpu_worker {
    pid_t pid;
    int pidfd, stat_fd, status_fd, log_fd;
    clockid_t clock;
    bool alive, timed_out;
    int wait_status;
    struct rusage usage; /* once dead */
    int64_t waited_ns, last_cpu_ns;
    struct aisp_up *up;
    struct aisp_down *down;
    uint32_t seq;
    enum aisp_phase phase;
    int64_t asleep_cpu_ns; /* CPU clock when it had gone to sleep after its last command */
    int64_t lead_ns;       /* CPU time that it may have used from arm to go of its last window */
    int64_t load_ns, setup_ns;
    int max_tasks;
    bool threads_reported, log_reported;
    bool lost_buffer; /* it took memory away that the judge writes to */
    char *path;
    struct aisp_declaration decl;
};

struct aisp_session {
    struct aisp_instance inst;
    struct aisp_policy policy;
    int n_slots, n_threads, n_workers;
    bool spin, b_first;
    int64_t setup_timeout_ns, call_timeout_ns, memory_limit_bytes;
    const volatile int *stop;
    struct aisp_key secret;
    int fd_in, fd_out;
    char *in, *out; /* the judge's mappings */
    size_t in_bytes, out_bytes;
    uint64_t spec_offset[2];
    struct cpu_buffer *buffer; /* [slot * n_tensors + tensor]; weights: slot 0 only */
    unsigned char canary[CPU_LINE];
    cpu_set_t usable, measuring;
    struct cpu_worker worker[2];
};

static inline struct cpu_buffer *cpu_buffer_of(struct aisp_session *s, int slot, int tensor)
{
    const bool weight = s->inst.problem->tensor[tensor].role == AISP_WEIGHT;

    return &s->buffer[(weight ? 0 : slot) * s->inst.n_tensors + tensor];
}

/* layout.c */
enum aisp_status cpu_layout(struct aisp_session *s, struct aisp_err *err);
void cpu_layout_release(struct aisp_session *s);
/* Do workers touch all slots before go? Only those that fit the cache of one core. */
bool cpu_is_primed(const struct aisp_session *s);

/* buffers.c: as in struct aisp_backend. */
enum aisp_status cpu_fill(struct aisp_session *s, int slot, int tensor,
                          const struct aisp_philox *key, int64_t first, int64_t n,
                          struct aisp_err *err);
enum aisp_status cpu_poison(struct aisp_session *s, int slot, int tensor,
                            const struct aisp_philox *key, struct aisp_err *err);
enum aisp_status cpu_read(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                          size_t offset, size_t n_bytes, void *to, struct aisp_err *err);
const void *cpu_input(struct aisp_session *s, int slot, int tensor);
int cpu_inspect(struct aisp_session *s, enum aisp_side side, bool hash_inputs,
                struct aisp_observation *seen, int max);
/* First contents of all: weights from the session's secret, poison everywhere else, canaries. */
enum aisp_status cpu_first_contents(struct aisp_session *s, struct aisp_err *err);

/* filter.c: the program is made once for all workers. *n = 0: this host has no seccomp. */
const struct sock_filter *cpu_filter(size_t *n);
enum { CPU_PID_MARKER = 0x6a15d0c5 };
const char *cpu_call_name(int64_t number, char name[32]);

/* spawn.c */
enum aisp_status cpu_spawn(struct aisp_session *s, enum aisp_side side, struct aisp_err *err);
/* Has it died? Reaps it if so. */
bool cpu_reap(struct cpu_worker *w, bool block);
void cpu_kill(struct cpu_worker *w);
void cpu_worker_release(struct cpu_worker *w);
/* Tests start another worker than the one beside the running program; NULL: that one again.
 * Borrowed. */
void aisp_cpu_set_worker(const char *path);

/* proc.c */
void cpu_counters(const struct cpu_worker *w, struct cpu_counters *c, bool with_switches);
int64_t cpu_time_ns(struct cpu_worker *w);
int64_t cpu_available_bytes(void);
int64_t cpu_log_bytes(const struct cpu_worker *w);

/* observe.c: what is known of a worker that no longer answers, or answered with a bad status. */
void cpu_observe_death(struct aisp_session *s, enum aisp_side side, struct aisp_observation *seen);
void cpu_observe_status(struct aisp_session *s, enum aisp_side side, int status,
                        struct aisp_observation *seen);
void cpu_observation(struct aisp_observation *o, enum aisp_side side, enum aisp_seen what,
                     enum aisp_phase phase);

/* window.c */
enum aisp_status cpu_command(struct aisp_session *s, enum aisp_side side, enum aisp_command command,
                             int64_t timeout_ns, struct aisp_observation *seen,
                             struct aisp_err *err);
/* Wait until the worker has answered its newest command. */
enum aisp_status cpu_answer(struct aisp_session *s, enum aisp_side side, int64_t timeout_ns,
                            struct aisp_observation *seen, struct aisp_err *err);
void cpu_post(struct cpu_worker *w, enum aisp_command command);
void cpu_settle(struct aisp_session *s, struct cpu_worker *w);
enum aisp_status cpu_window(struct aisp_session *s, enum aisp_side side,
                            const struct aisp_order *order, struct aisp_window *times,
                            struct aisp_observation *seen, struct aisp_err *err);

#endif
