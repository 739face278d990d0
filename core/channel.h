/* channel.h - what the supervisor and a worker on the CPU share: three kinds of memory, and the
 * words they exchange there.
 *
 *   spec   written once before the worker starts: what to map where, which variant, which
 *          limits. Read-only in the worker
 *   down   supervisor -> worker: commands, go, and only with go the order of the slots.
 *          Read-only in the worker
 *   up     worker -> supervisor: answers. Writable in the worker, hence never believed: the
 *          supervisor copies, bounds and checks what it reads there; no verdict rests on it
 *
 * spec, down and all inputs lie in one memfd that is sealed against new writable mappings; all
 * outputs lie in another, which both sides of a pair map, in turn; up is a file of one worker's
 * own, so that no mapping of it leads to another's answers. A worker sleeps in a futex on down->command. A window is:
 * command (arm), answer (ready), go, done.
 * Where a window begins and ends on a device (is_held), the order comes with the command: the worker queues its calls behind a
 * kernel that polls go_seq, and ready means queued. Contents are made after that, while it sleeps until near_seq. end_seq is
 * written by the device itself.
 *
 * Ranks are workers with files of their own, so that none can map what another holds. What the ranks of a side share lies in a
 * third file, the rendezvous; or they have wires, sockets from each to each, and share no memory at all. */
#ifndef AISP_CORE_CHANNEL_H
#define AISP_CORE_CHANNEL_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

#include "core/instance.h"

enum { AISP_CHANNEL_VERSION = 6, AISP_CHANNEL_ORDER_MAX = 4096, AISP_CHANNEL_FILTER_MAX = 1024 };
enum { AISP_MAX_FILES = 32, AISP_MAX_FAR = 256 }; /* of all slots of a session: files; buffers of a device's memory */

/* Descriptors a worker starts with; 1 and 2 are its log. All are closed before the variant is
 * loaded, but for the wires, that to rank r being AISP_FD_WIRES + r, and the files of FILE tensors, by slot and then tensor.
 * Those of device memory are closed as soon as it is mapped. */
enum {
    AISP_FD_IN = 3,
    AISP_FD_OUT = 4,
    AISP_FD_VARIANT = 5,
    AISP_FD_MEET = 6,
    AISP_FD_UP = 7,
    AISP_FD_WIRES = 8,
    AISP_FD_FILES = AISP_FD_WIRES + AISP_MAX_RANKS,
    AISP_FD_FAR = AISP_FD_FILES + AISP_MAX_FILES,
    AISP_FD_AFTER_LAST = AISP_FD_FAR + AISP_MAX_FAR
};

enum aisp_worker_command {
    AISP_COMMAND_LOAD,
    AISP_COMMAND_SETUP,
    AISP_COMMAND_WINDOW,
    AISP_COMMAND_LEAVE,
    AISP_COMMAND_OPEN,   /* the cage, and a device where there is one: done unasked, before anything of the variant is loaded */
    AISP_COMMAND_RECORD, /* what was recorded of the last window is written out */
    AISP_COMMAND_POISON, /* the workspace is overwritten: it holds nothing from window to window */
};

enum aisp_area_kind {
    AISP_AREA_INPUT = 1, /* of the sealed memfd, read-only */
    AISP_AREA_OUTPUT,    /* of the other memfd, read and write */
    AISP_AREA_HUGE, /* anonymous and huge pages; the supervisor writes through process_vm_writev */
    AISP_AREA_FAR,  /* a device's memory: imported from descriptor AISP_FD_FAR + file_offset */
};

/* One tensor of one slot: the mapping to make (none if map_bytes is 0: the data lie in another
 * area's), and its data. */
struct aisp_area {
    uint64_t map_address, map_bytes, file_offset;
    uint64_t data_address, data_bytes;
    uint32_t kind;
    uint16_t is_output, is_pinned; /* is_pinned: registered with the device */
};

enum aisp_spec_flag {
    AISP_SPEC_SPIN = 1,            /* spin for go; else sleep in a futex */
    AISP_SPEC_PRIME = 2,           /* touch all slots in the lead-in: they fit the cache */
    AISP_SPEC_WRITABLE_INPUTS = 4, /* only where the tests switch the defence off */
    AISP_SPEC_CONFINE = 8,
    AISP_SPEC_MEASURED = 1024, /* memory is measured: one heap, and no descriptors after loading */
    AISP_SPEC_DROP_USER = 16, /* the supervisor is root: become nobody */
    AISP_SPEC_STRICT = 4096,  /* the variant is a stranger's: it opens nothing, names nothing, and is loaded by descriptor */
    AISP_SPEC_FAR = 16384,    /* the variant runs on a device, which is opened before it is loaded */
    AISP_SPEC_AUDIT = 32768,  /* a recorder is loaded first: what the device does is seen, and nothing is scored */
    AISP_SPEC_SNUG = 2048,    /* nothing is timed: the workspace ends where its pages end, and who needs more of it faults */
    AISP_SPEC_HELD = 65536,   /* windows may be held: what that needs is made when the device is opened */
    AISP_SPEC_PRELOAD = 8192, /* of both sides where one is strict: the libraries that it may have are there before */
};

/* What a host lacks of the cage; bits of aisp_up.missing, which is read before the variant is loaded. */
enum aisp_cage {
    AISP_CAGE_SECCOMP = 1,
    AISP_CAGE_LANDLOCK = 2,
    AISP_CAGE_USER = 4,
    AISP_CAGE_LIMITS = 8,
    AISP_CAGE_ADDRESS = 16, /* the device gave other addresses than the other side's */
    AISP_CAGE_RECORDER = 32, /* an audit's recorder did not start */
};

struct aisp_spec {
    uint32_t version, flags;
    uint64_t total_bytes;               /* of this struct with its tables */
    uint64_t spec_address, spec_offset; /* where it is mapped itself, and from where in the memfd */
    uint64_t down_address, down_offset, up_address;
    uint64_t shift_bytes; /* address space left empty before the variant is loaded */
    uint64_t stack_shift_bytes;
    uint64_t workspace_address;
    uint64_t meet_address, meet_bytes; /* the rendezvous; 0: there is none */
    uint64_t record_address, record_offset, record_bytes; /* of an audit: what the recorder writes; in the writable file */
    int64_t hold_ns;            /* a held stream that was not released by then goes on */
    int64_t memory_limit_bytes; /* beyond what is mapped when the variant is loaded; 0: none */
    int32_t supervisor_pid;
    int32_t n_slots, n_tensors, n_params, n_threads;
    int32_t rank, n_ranks, has_wires, reserved;
    int64_t param[AISP_MAX_PARAMS];
    int32_t role[AISP_MAX_TENSORS];
    uint32_t area_at, filter_at,
        path_at;         /* offsets from this struct: tables and the variant's path */
    uint32_t driver_at;  /* and the driver library's; 0: the system's */
    uint32_t recorder_at; /* and the recorder's, of an audit */
    uint32_t n_filter;   /* instructions */
    uint32_t pid_marker; /* constant in the filter that stands for the worker's own pid */
};

struct aisp_down {
    _Alignas(64) uint32_t command_seq; /* futex; raised last */
    uint32_t command, is_held;
    _Alignas(64) uint32_t go_seq; /* futex; = command_seq: go. A held stream polls it too */
    uint32_t order_n;
    int64_t calls;
    _Alignas(64) uint32_t near_seq; /* futex; = command_seq: of a held window, go comes at once */
    _Alignas(64) uint16_t order[AISP_CHANNEL_ORDER_MAX];
};

struct aisp_up {
    _Alignas(64) uint32_t ready_seq; /* futex; = command_seq: armed, waiting for go */
    _Alignas(64) uint32_t done_seq;  /* futex; = command_seq: done */
    int32_t status;                  /* enum aisp_status of what was asked */
    int64_t start_ns, end_ns;        /* the worker's own clock round its calls */
    int64_t n_launches;              /* of the last window, through the runtime's doors (worker/launches.c) */
    _Alignas(64) uint32_t awake_seq; /* = command_seq: it has woken, and spins for go */
    _Alignas(64) uint32_t beat;      /* counted up by the kernel that holds the stream, while it runs */
    _Alignas(64) uint32_t end_seq;   /* = command_seq: written by the stream behind the last call */
    _Alignas(64) uint32_t phase;     /* enum aisp_worker_command it is in, for what is said of its death */
    uint32_t missing;                /* enum aisp_cage */
    int32_t signal, is_write;        /* left by its handler for fatal signals */
    uint64_t fault_address;
    int64_t fault_code, forbidden_call; /* forbidden_call: system call number + 1; 0: none */
    uint32_t is_memory_short;
    char text[256]; /* why it was refused */
    uint32_t float_at_load, float_after; /* MXCSR without its flags, before the variant was loaded and after its last call */
};

#endif
