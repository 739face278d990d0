/* process_facts.h - what a variant's file holds, and what its processes looked like from outside. Facts, no opinions.
 * Not here: how a live process is read (the backend), how a file is scanned (core/scan.c), what a fact means (checks/).
 *
 * The objects of one side are every file that any of its workers had mapped or open, at the end of setup or of the session:
 * worker, dynamic linker, libc, the variant, libraries, data. `path` as the kernel says it, `sha256` of its contents when it
 * was first seen, `is_executable` if any of its mappings was, `first_phase` = AISP_PHASE_SETUP if it was there before the
 * first window of its session, else the phase at whose end it was found. To ask which libraries a side really ran with, walk
 * process[side].object[0 .. n_objects) where is_executable. Between looks a worker can map and unmap unseen: what holds
 * against that is the cage, not this list. */
#ifndef AISP_CORE_PROCESS_FACTS_H
#define AISP_CORE_PROCESS_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

enum { AISP_OBJECT_PATH_MAX = 192, AISP_MAX_OBJECTS = 48 };

struct aisp_process_object {
    char path[AISP_OBJECT_PATH_MAX];
    char sha256[65];                /* "" if it could not be read */
    bool is_executable;
    bool is_open;                   /* a descriptor of it was held open */
    bool is_changed;                /* other contents when it was seen later */
    int8_t first_phase;             /* enum aisp_phase */
};

/* What can be said of a shared object without loading it. Advisory: code can hide what it does; what it declares by its
 * symbols and headers, it says of itself. */
struct aisp_scan_facts {
    bool is_scanned;
    bool has_writable_code;         /* a segment that is writable and executable */
    bool has_executable_stack, has_text_relocations;
    bool has_fast_math;             /* its start-up code sets flush-to-zero for the whole process (crtfastm), or flags say so */
    bool has_run_path;              /* brings its own folders for libraries */
    bool has_flags;                 /* compiler and flags are recorded in it */
    int32_t n_constructors;         /* beyond what every shared object has */
    int64_t code_bytes, data_bytes; /* executable sections; initialised data that is no code */
    char compiler[96];
    char flags[320];                /* those that matter for speed or results, in order */
    char symbols[320];              /* imported ones that reach outside: "dlopen mprotect clock_gettime" */
    char needed[320];               /* libraries it asks the dynamic linker for */
    char run_sha256[65];            /* of the bytes of run(); "" if its size is unknown */
    char code_sha256[65];           /* of all executable sections and constant data, in order */
};

/* The worst over a side's workers; sessions in which a worker died early are not in it. */
struct aisp_process_facts {
    char variant_path[AISP_OBJECT_PATH_MAX];  /* where the variant's own file lies */
    int32_t n_looks;                /* at how many sessions' ends it was looked; 0: nothing below is known */
    int32_t n_unseen;               /* sessions whose live process this host, or the process itself, did not let be looked into */
    int32_t n_objects, n_objects_dropped;
    struct aisp_process_object object[AISP_MAX_OBJECTS];
    int64_t jit_setup_bytes;        /* executable memory of no file, at the end of setup */
    int64_t jit_window_bytes;       /* and what was added to it later */
    int64_t writable_code_bytes;    /* writable and executable at once */
    int64_t patched_code_bytes;     /* of pages of mapped code that are no longer their file's */
    char patched_object[AISP_OBJECT_PATH_MAX];
    int32_t n_outputs_protected;    /* outputs whose pages the worker made inaccessible or read-only */
    int32_t n_outputs_replaced;     /* outputs at whose address other memory lies */
    int32_t n_inputs_replaced;
    int32_t n_extra_views;          /* mappings of the harness's memory that the harness did not make */
    int64_t grown_bytes;            /* private memory at the end of the session, beyond that after its first window */
    int64_t swapped_bytes;
    int32_t n_cpus_given, n_cpus_allowed;     /* cores that its tasks were given, and may run on */
    int32_t n_setup_answers;        /* wrong outputs that are the right answer to what setup saw */
    int32_t n_warmup_answers;       /* in timed windows: to what a window before timing had */
    int64_t shipped_answer_at;      /* a wrong output's bytes lie in the variant's file at this offset - 1; 0: not found */
    struct aisp_scan_facts scan;
};

/* A file of the harness itself, hashed before and after the run: the problem, the program that judges. */
struct aisp_watched {
    char path[AISP_OBJECT_PATH_MAX];
    char sha256[65], sha256_after[65];   /* after: "" if it is gone */
};
enum { AISP_WATCHED_PROBLEM, AISP_WATCHED_HARNESS, AISP_N_WATCHED };
/* Where the code or data at this address came from; false: unknown. */
bool aisp_watched_find(struct aisp_watched *watched, const void *address);
void aisp_watched_after(struct aisp_watched *watched);

json_t *aisp_watched_to_json(const struct aisp_watched *watched);
enum aisp_status aisp_watched_from_json(const json_t *json, struct aisp_watched *watched, struct aisp_err *err);

/* Finds or adds; NULL if there is no room (counted). */
struct aisp_process_object *aisp_process_object(struct aisp_process_facts *facts, const char *path);
/* Take what one session showed into a side's facts. */
void aisp_process_merge(struct aisp_process_facts *to, const struct aisp_process_facts *one);

json_t *aisp_process_facts_to_json(const struct aisp_process_facts *facts);
enum aisp_status aisp_process_facts_from_json(const json_t *json, struct aisp_process_facts *facts, struct aisp_err *err);

#endif
