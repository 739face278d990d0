/* cpu.h - the CPU device, supervisor's and judge's side: its own parts.
 *   layout.c    where everything lies: two memfds a rank, secret addresses, guards and canaries
 *   ranks.c     what the ranks of a side share, and which cores are whose
 *   wait.c      wait for the workers of a side, whichever answers or dies first
 *   files.c     FILE tensors: on a disk, and in or out of the page cache
 *   buffers.c   what the judge does with the tensors: fill, poison, read, inspect
 *   far.c       the same where they lie in a device's memory, which another makes and works on
 *   spawn.c     start a worker, wait for it, end it
 *   filter.c    the list of system calls, as a program that workers install
 *   observe.c   the death of a worker, put into words
 *   proc.c      a process seen from outside: counters
 *   process.c   and its mappings, files and cores
 *   window.c    commands and the timed window
 *   held.c      the same where a device's stream is held: its ends are on the device
 *   cpu.c       the struct aisp_backend */
#ifndef AISP_CPU_H
#define AISP_CPU_H

#include <sched.h>
#include <sys/resource.h>

#include <aisp/variant.h>

#include "core/backend.h"
#include "core/channel.h"
#include "core/judge/fill.h"

enum { CPU_MEET_BYTES = 4 << 20 };
enum { CPU_PAGE = 4096, CPU_HUGE_PAGE = 2 << 20, CPU_LINE = 64, CPU_LOG_MAX = 1 << 20 };

/* Memory that is not this machine's but a device's: who makes it and works on it (backends/cuda). What is queued is done in order
 * by the next call that returns a status. Buffers are numbered from 0. */
struct cpu_far_place { uint64_t map_bytes, data_offset, bytes; };
struct cpu_far_contents { struct aisp_filling what; int64_t first, n; };
struct cpu_far {
    void *judge;
    const char *library;                   /* the driver that workers open; NULL: the system's */
    char visible[64];                      /* which device they see */
    uint64_t granularity;                  /* of mappings */
    const char *recorder;                  /* what workers of an audit load first; NULL: there is none */
    uint64_t record_bytes;                 /* and the memory that it writes */
    enum aisp_status (*make)(void *judge, const struct cpu_far_place *place, int n, int *fd, struct aisp_err *err);
    enum aisp_status (*unmake)(void *judge, struct aisp_err *err);
    void (*fill)(void *judge, int buffer, const struct aisp_filling *what, int64_t first, int64_t n);
    void (*poison)(void *judge, int buffer, enum aisp_dtype dtype, const struct aisp_philox *key);
    void (*write)(void *judge, int buffer, size_t offset, const void *bytes, size_t n);
    enum aisp_status (*flush)(void *judge, struct aisp_err *err);
    enum aisp_status (*read)(void *judge, int buffer, size_t offset, size_t n, void *to, struct aisp_err *err);
    /* bad[i]: offset in the mapping of the first canary of buffer[i] that changed, or -1. */
    enum aisp_status (*canaries)(void *judge, const int *buffer, int n, int64_t *bad, struct aisp_err *err);
    /* *bad: first element that is not as it was filled, or -1. */
    enum aisp_status (*holds)(void *judge, int buffer, const struct cpu_far_contents *contents, int n, int64_t *bad,
                              struct aisp_err *err);
};

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
    char *planted;                       /* contents that no fill made; NULL: none */
    struct cpu_fill *fill;
    size_t n_fills, cap_fills;
    struct cpu_file *file; /* of a FILE: `data` is the judge's copy of it; else NULL */
    int far;               /* its number in the device's memory, or -1. `data` is then a copy of what lies there, once asked for */
    bool is_copied;        /* and nothing was filled since */
};

struct cpu_counters {
    int64_t minor_faults, major_faults, voluntary, involuntary, peak_rss_bytes;
    int tasks;
    char state;
};

/* What a process has written, as the kernel counts it. */
struct cpu_traffic {
    int64_t n, bytes; /* -1: the kernel does not say */
};

struct cpu_worker {
    enum aisp_side side;
    int rank;
    pid_t pid;
    int pidfd, stat_fd, status_fd, log_fd, io_fd;
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
    uint32_t word_before;  /* what stood in the word that is waited for */
    bool foresaw;          /* it had answered what it was not asked yet */
    bool is_done;
    int64_t done_ns;          /* when that was seen */
    int64_t unready_ns;       /* a moment at which it was not ready yet */
    struct cpu_counters last; /* before its last window */
    int64_t before_ns;        /* its CPU clock then */
    struct cpu_traffic sent;  /* and what it had sent */
    struct aisp_rank_span span;
    int64_t load_ns, setup_ns;
    int64_t empty_ns;     /* a held window without calls beyond its events; 0: not known yet */
    int64_t loaded_bytes; /* address space after loading, where memory is measured */
    int max_tasks, own_tasks; /* own: of the harness's making, the main one and a driver's */
    bool threads_reported, log_reported;
    bool lost_buffer; /* it took memory away that the judge writes to */
    bool is_hidden;   /* or hid all of it from the judge */
    bool is_untrusted; /* a stranger's variant: strict */
    uint32_t missing;  /* enum aisp_cage, as it said before the variant was loaded */
    char *path;
    struct aisp_declaration decl;
    struct aisp_process_facts *begin; /* as it was at the end of setup; NULL: nobody looked */
    int64_t resident_bytes;           /* private memory then; from its first window on, after that */
    bool has_touched;                 /* it has come to the end of a window */
};

/* The memory of one rank: that of both sides, which take turns with it. No other rank has descriptors of it. A mapping can be
 * made to show any page of its file (mremap makes it longer, remap_file_pages, which is forbidden, exchanges its pages): so what
 * one worker writes and is read as its word, `up`, has a file of its own. */
struct cpu_files {
    int fd_in, fd_out, fd_up[2];
    char *in, *out, *up[2]; /* the judge's mappings */
    size_t in_bytes, out_bytes;
    uint64_t spec_offset[2];
};

/* What the ranks of one side share. */
struct cpu_meeting {
    int fd;                                     /* the rendezvous; -1: none */
    int wire[AISP_MAX_RANKS][AISP_MAX_RANKS];   /* [a][b]: a's end of the wire to b; -1: none */
};

/* A window whose calls are queued on the device, and wait there. */
struct cpu_held {
    bool is_on;
    enum aisp_side side;
    int64_t arm_ns, queued_ns, near_ns;
    uint64_t n_made;          /* outputs poisoned or (INOUT) filled since its calls were queued; and one of them, drawn by lot */
    int slot, tensor;
    struct aisp_window times; /* what was known before it was armed */
};

struct aisp_session {
    struct aisp_instance inst;
    struct aisp_policy policy;
    int n_slots, n_threads, n_workers;
    bool spin, b_first;
    bool has_huge; /* buffers in pages of the workers' own */
    int64_t setup_timeout_ns, call_timeout_ns, memory_limit_bytes;
    int64_t limit_bytes[2]; /* of each side */
    bool is_measured;
    const volatile int *stop;
    struct aisp_key secret;
    int n_ranks;
    struct cpu_files files[AISP_MAX_RANKS];
    struct cpu_meeting meeting[2];
    struct cpu_buffer *buffer; /* [slot * n_tensors + tensor]; weights: slot 0 only */
    unsigned char canary[CPU_LINE];
    cpu_set_t usable, measuring;
    struct cpu_worker worker[2][AISP_MAX_RANKS];
    struct cpu_far *far; /* NULL: all lies in this machine's memory */
    int n_far, far_fd[AISP_MAX_FAR];
    bool is_audit, can_hold;
    struct cpu_held held;
    struct aisp_dice held_dice;
    uint64_t record_offset, record_bytes; /* of an audit with a recorder: of what that writes, in the file of outputs; else 0 bytes */
    struct aisp_err far_error; /* of a look at the device whose caller takes no error; that of the next read or window */
    int n_files;
    int file_fd[2][AISP_MAX_FILES]; /* the workers' descriptors, each with a place and flags of its own */
    struct aisp_file_facts file_facts;
};

static inline int cpu_rank_of(const struct aisp_session *s, int tensor)
{
    return s->n_ranks > 1 ? tensor / s->inst.n_declared : 0;
}

static inline struct cpu_buffer *cpu_buffer_of(struct aisp_session *s, int slot, int tensor)
{
    const bool weight = s->inst.problem->tensor[tensor].role == AISP_WEIGHT;

    return &s->buffer[(weight ? 0 : slot) * s->inst.n_tensors + tensor];
}

/* cpu.c: a session whose tensors lie in a device's memory, where one is given, but for those that a variant's `place` puts on the
 * host. `far` is borrowed until it is closed. */
enum aisp_status cpu_open(const struct aisp_session_spec *spec, struct cpu_far *far, struct aisp_session **session,
                          struct aisp_observation *seen, struct aisp_err *err);
int cpu_leave(struct aisp_session *s, struct aisp_observation seen[2]);
void cpu_close(struct aisp_session *s);
void cpu_account(struct aisp_session *s, enum aisp_side side, struct aisp_account *account);
int cpu_pid(const struct aisp_session *s, enum aisp_side side);

/* far.c: for buffers that are far */
enum aisp_status cpu_far_make(struct aisp_session *s, struct aisp_err *err);
void cpu_far_release(struct aisp_session *s);
void cpu_far_close_descriptors(struct aisp_session *s);
void cpu_far_fill(struct aisp_session *s, struct cpu_buffer *b, int tensor, const struct cpu_fill *fill);
void cpu_far_poison(struct aisp_session *s, struct cpu_buffer *b, int tensor, const struct aisp_philox *key);
/* The whole tensor as it lies there now, until the next fill. */
const void *cpu_far_copy(struct aisp_session *s, struct cpu_buffer *b);
/* Everything queued is there, and what went wrong before is said. */
enum aisp_status cpu_far_ready(struct aisp_session *s, struct aisp_err *err);
enum aisp_status cpu_far_read(struct aisp_session *s, const struct cpu_buffer *b, size_t offset, size_t n, void *to,
                              struct aisp_err *err);
int cpu_far_inspect(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash, struct aisp_observation *seen, int max);

/* layout.c */
enum aisp_status cpu_layout(struct aisp_session *s, struct aisp_err *err);
void cpu_layout_release(struct aisp_session *s);
/* Do workers touch all slots before go? Only those that fit the cache of one core. */
bool cpu_is_primed(const struct aisp_session *s);
/* Of the slots and weights of one rank; the largest of them. */
size_t cpu_working_bytes(const struct aisp_session *s);

/* files.c. Errors of open: AISP_E_UNAVAILABLE (no place where files can be cold), AISP_E_NO_MEMORY (no room on the disk). */
enum aisp_status cpu_files_open(struct aisp_session *s, struct aisp_err *err);
void cpu_files_close(struct aisp_session *s);
/* Bytes [offset, offset + n) of the judge's copy to the disk. */
enum aisp_status cpu_file_write(struct cpu_buffer *b, size_t offset, size_t n, struct aisp_err *err);
/* What is in the file now; false: it cannot be read. */
bool cpu_file_read(const struct cpu_buffer *b, char *to);
/* The page cache as the problem wants it, for the slots of this order, and proved. */
enum aisp_status cpu_files_ready(struct aisp_session *s, const struct aisp_order *order, struct aisp_err *err);
void cpu_files(struct aisp_session *s, struct aisp_file_facts *facts);

/* ranks.c */
enum aisp_status cpu_meet(struct aisp_session *s, struct aisp_err *err);
void cpu_meet_release(struct aisp_session *s);
bool cpu_has_wires(const struct aisp_session *s);
/* A core for each thread of each rank, where there are as many; else they share what there is. */
cpu_set_t cpu_cores_of(const struct aisp_session *s, int rank);
int cpu_spans(struct aisp_session *s, enum aisp_side side, struct aisp_rank_span *span, int max);

/* buffers.c: as in struct aisp_backend. */
enum aisp_status cpu_fill(struct aisp_session *s, int slot, int tensor,
                          const struct aisp_philox *key, int64_t first, int64_t n,
                          struct aisp_err *err);
enum aisp_status cpu_plant(struct aisp_session *s, int slot, int tensor, const void *bytes,
                           struct aisp_err *err);
enum aisp_status cpu_poison(struct aisp_session *s, int slot, int tensor,
                            const struct aisp_philox *key, struct aisp_err *err);
enum aisp_status cpu_read(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                          size_t offset, size_t n_bytes, void *to, struct aisp_err *err);
const void *cpu_input(struct aisp_session *s, int slot, int tensor);
/* What was planted and filled, into memory that has the tensor's extent. */
void cpu_make_again(const struct aisp_session *s, const struct cpu_buffer *b, int tensor, char *to);
/* The poison or the contents that were last put into a tensor, once more, and there when it returns. */
enum aisp_status cpu_write_again(struct aisp_session *s, int slot, int tensor, struct aisp_err *err);
/* Is it among what is to be made again and compared? */
bool cpu_is_hashed(enum aisp_role role, enum aisp_hash hash);
int cpu_inspect(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash,
                struct aisp_observation *seen, int max);
/* Can the supervisor write into this side's huge pages, while nothing of a variant is there? Once it cannot it never could. */
bool cpu_reaches_huge(struct aisp_session *s, enum aisp_side side);
/* This host was seen not to let the supervisor write there: ordinary pages are laid out instead. */
bool cpu_has_no_huge(void);
/* First contents of all: weights from the session's secret, poison everywhere else, canaries. */
enum aisp_status cpu_first_contents(struct aisp_session *s, struct aisp_err *err);

/* filter.c: the programs are made once for all workers. *n = 0: this host has no seccomp. */
const struct sock_filter *cpu_filter(bool makes_code, size_t *n);
/* For a stranger's: no file is opened or named, whatever it declares. */
const struct sock_filter *cpu_strict_filter(size_t *n);
/* Where a driver works in the process: it makes code and opens its device again. */
const struct sock_filter *cpu_far_filter(size_t *n);
enum { CPU_PID_MARKER = 0x6a15d0c5 };
/* Has it declared something that makes code as it runs? */
bool cpu_makes_code(const struct aisp_declaration *decl);
const char *cpu_call_name(int64_t number, char name[32]);

/* spawn.c */
struct cpu_simd { bool has_avx512, has_avx2, is_amd; };      /* has_avx512: F, DQ, BW and VL, as SkylakeX kernels need */
/* The core type that OpenBLAS is told, so that a library older than the machine does not take it for one from before AVX2. Those it
 * knows with AVX2 alone it calls the same; where it has a later name for AVX-512, its f32 kernels are these. NULL: what is there it
 * knows. */
const char *cpu_openblas_core(const struct cpu_simd *simd);
enum aisp_status cpu_spawn(struct aisp_session *s, struct cpu_worker *w, struct aisp_err *err);
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
struct cpu_traffic cpu_traffic_of(const struct cpu_worker *w);

/* process.c */
void cpu_process_begin(struct aisp_session *s, struct cpu_worker *w);
bool cpu_is_file(const char *path);               /* of a mapping, as the kernel lists it */
void cpu_process_touched(struct cpu_worker *w);   /* it has come to the end of a window, and sleeps */
void cpu_process(struct aisp_session *s, enum aisp_side side, enum aisp_phase phase,
                 struct aisp_process_facts *facts);

/* reach.c */
void cpu_note_loaded(struct aisp_session *s, struct cpu_worker *w);
enum aisp_status cpu_reach(struct aisp_session *s, enum aisp_side side, struct aisp_reach *reach,
                           struct aisp_err *err);
int32_t *cpu_ring(struct aisp_session *s, int slot, int tensor);
bool cpu_overwrite(struct aisp_session *s, enum aisp_side side, int slot, int tensor, size_t offset, size_t n_bytes,
                   const void *from);

/* observe.c: what is known of a worker that no longer answers, or answered with a bad status. */
void cpu_observe_death(struct aisp_session *s, struct cpu_worker *w, struct aisp_observation *seen);
void cpu_observe_status(struct aisp_session *s, struct cpu_worker *w, int status,
                        struct aisp_observation *seen);
/* "rank 1: " before what is said of it, where there are ranks. */
void cpu_observe_rank(const struct aisp_session *s, const struct cpu_worker *w,
                      struct aisp_observation *seen);
void cpu_observation(struct aisp_observation *o, enum aisp_side side, enum aisp_seen what,
                     enum aisp_phase phase);

/* wait.c */
enum { CPU_DONE, CPU_DIED, CPU_TIMED_OUT, CPU_STOPPED, CPU_NONSENSE, CPU_UNHELD, CPU_LATE, CPU_CROWD };
enum cpu_word { CPU_WORD_DONE, CPU_WORD_READY, CPU_WORD_AWAKE, CPU_WORD_END };
struct cpu_wait {
    enum aisp_side side;
    enum cpu_word word;
    bool spin;
    int64_t timeout_ns;
    bool is_command;            /* no window: there is time to count threads meanwhile */
    struct cpu_worker *culprit; /* of a bad end */
    const struct aisp_order *order; /* its tick is called meanwhile; NULL: none */
    int64_t nap_ns;
    int64_t since_ns;  /* they may have answered from then on; 0: since it is waited for */
    int64_t before_ns; /* a moment before the last look that found nothing */
};
/* Pools of hundreds of threads are honest; what has more takes from this machine what its other processes need, the next worker
 * among them. */
enum { CPU_MOST_TASKS = 1024 };
int cpu_most_tasks(const struct aisp_session *s, const struct cpu_worker *w);
/* Until all workers of the side have written the number of their newest command into the word. */
int cpu_wait(struct aisp_session *s, struct cpu_wait *a);

/* window.c: all workers of a side. */
enum aisp_status cpu_command(struct aisp_session *s, enum aisp_side side, enum aisp_worker_command command,
                             int64_t timeout_ns, struct aisp_observation *seen,
                             struct aisp_err *err);
/* Wait until they have answered their newest command. */
enum aisp_status cpu_answer(struct aisp_session *s, enum aisp_side side, int64_t timeout_ns,
                            struct aisp_observation *seen, struct aisp_err *err);
void cpu_post(struct cpu_worker *w, enum aisp_worker_command command);
void cpu_settle(struct aisp_session *s, struct cpu_worker *w);
void cpu_kill_side(struct aisp_session *s, enum aisp_side side);
/* window.c's parts, for held.c. */
enum aisp_status cpu_bad_end(struct aisp_session *s, const struct cpu_wait *a, int end, struct aisp_observation *seen,
                             struct aisp_err *err);
/* Is the judge's work done, and does the worker live? Then its account until now, and the supervisor moves off its core. */
enum aisp_status cpu_window_begin(struct aisp_session *s, struct cpu_wait *a, const struct aisp_order *order, cpu_set_t *place,
                                  struct aisp_observation *seen, struct aisp_err *err);
enum aisp_status cpu_window_end(struct aisp_session *s, struct cpu_wait *a, int end, const cpu_set_t *place,
                                struct aisp_window *times, struct aisp_observation *seen, struct aisp_err *err);
void cpu_before_window(struct aisp_session *s, enum aisp_side side, struct aisp_window *times);
void cpu_publish(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order);
void cpu_wake(const uint32_t *word);
int64_t cpu_own_switches(void); /* involuntary, of this thread */
/* CPU time that a worker may use from arm to go, if it may have spun for go for so long. */
int64_t cpu_lead_ns(const struct aisp_session *s, int64_t spun_ns);

/* held.c: a window of a device's, in two parts. The calls are queued behind a kernel that waits (worker/held.c); *is_held: all of
 * them are, and now contents are made. Else the variant waits for the device inside run(), or queues more than fits: it was let
 * go on, nothing that it did is to be looked at, and the next window is an ordinary one. */
enum aisp_status cpu_hold(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order, bool *is_held,
                          struct aisp_observation *seen, struct aisp_err *err);
/* While a window is held every output that is poisoned or filled is noted; other tensors are not. */
void cpu_held_note_made(struct aisp_session *s, int slot, int tensor);
/* Shortly before the release: wakes the worker, and makes one output again as it was made for this window, so that whoever
 * worked on the contents as soon as they were there loses one answer and does not know which. *end: a status of cpu_wait(). */
enum aisp_status cpu_held_near(struct aisp_session *s, struct cpu_wait *a, int *end, struct aisp_err *err);
/* The rest of it, from release to end. A status of cpu_wait(), or CPU_UNHELD (the stream does not run), or CPU_LATE (contents
 * took so long that it may have gone on by itself). */
int cpu_held_part(struct aisp_session *s, struct cpu_wait *a, const struct aisp_order *order, struct aisp_window *times);

enum aisp_status cpu_window(struct aisp_session *s, enum aisp_side side,
                            const struct aisp_order *order, struct aisp_window *times,
                            struct aisp_observation *seen, struct aisp_err *err);

#endif
