/* plan.h - what the supervisor tells aisp-jail, the program that stands between a build and the host: one block of bytes in a
 * memory file, written once, read there before anything else. Offsets count from the block's beginning; texts end with NUL.
 * Not here: what belongs into a toolchain (toolchain.c), how a build's end is understood (sandbox.c).
 * Why a program of its own: a fork of the supervisor would carry its secrets into the sandbox. */
#ifndef AISP_SANDBOX_PLAN_H
#define AISP_SANDBOX_PLAN_H

#include <linux/filter.h>
#include <stdint.h>

enum { AISP_JAIL_VERSION = 1, AISP_JAIL_FILTER_MAX = 1024 };

/* Descriptors that the program starts with; 1 and 2 are the build's messages. */
enum {
    AISP_JAIL_FD_PLAN = 3,
    AISP_JAIL_FD_PRODUCT = 4,
    AISP_JAIL_FD_REPORT = 5,
    AISP_JAIL_FD_AFTER_LAST = 6
};

/* What holds the build, best first. */
enum aisp_jail_mode {
    AISP_JAIL_ANY,             /* asked: the best that this host has */
    AISP_JAIL_USER_NAMESPACES, /* user, mount, process, network and IPC namespaces, by anybody */
    AISP_JAIL_ROOT_NAMESPACES, /* the same without a user namespace, which only root can have */
    AISP_JAIL_LANDLOCK, /* no namespaces: Landlock, system call filter, limits, a folder of its own */
};

enum aisp_jail_op {
    AISP_JAIL_FOLDER = 1,  /* make folder `at` in the new root */
    AISP_JAIL_LINK,        /* symbolic link `at` that points to `what` */
    AISP_JAIL_SHOW_FOLDER, /* the host's folder `at`, read-only, at the same place */
    AISP_JAIL_SHOW_FILE,
    AISP_JAIL_WRITE, /* file `at` below the work folder, with `bytes` bytes at `what` */
};

struct aisp_jail_step {
    uint32_t op, at, what, bytes;
};

struct aisp_jail_plan {
    uint32_t version, mode, total_bytes;
    uint32_t n_steps, steps_at;
    uint32_t n_words, words_at; /* the command line: offsets of texts */
    uint32_t n_env, env_at;
    uint32_t n_filter, filter_at;
    uint32_t product_at; /* file below the work folder */
    uint32_t folder_at;  /* AISP_JAIL_LANDLOCK: the work folder on the host */
    int32_t supervisor_pid;
    uint32_t cpu_s, n_processes;
    uint64_t memory_bytes, file_bytes, space_bytes, product_bytes;
};

/* Written by the program last; all zero if it did not come so far. */
struct aisp_jail_report {
    uint32_t is_whole;
    int32_t wait_status; /* of the compiler */
    uint32_t has_product;
    int32_t error;             /* errno of a jail that could not be made */
    char failed[64];           /* the step that failed */
};

#endif
