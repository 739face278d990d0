/* measure.h - what bench run, compare and verify have in common: their options, and the way from entries to a record. */
#ifndef AISP_COMMANDS_MEASURE_H
#define AISP_COMMANDS_MEASURE_H

#include "commands/contest.h"

/* What --time-limit is where it is not given. */
enum { AISP_LIMIT_S = 10, AISP_QUICK_LIMIT_S = 3 };

/* Rows of options that mean the same in all of them. */
#define AISP_OPTION_DEVICE                                                                                                   \
    { "device", 0, AISP_OPT_CHOICE, .meta = "cpu|cuda", .help = "Whose forms are measured", .preset = "cpu" }
#define AISP_OPTIONS_SIZE                                                                                                    \
    AISP_OPTION_DEVICE,                                                                                                      \
    { "quick", 'q', AISP_OPT_FLAG, .help = "The quick size: for a first look, not for claims" },                             \
    { "size", 0, AISP_OPT_CHOICE, .meta = "default|quick|large", .help = "The size that the problem declares under this name" }, \
    { "set", 0, AISP_OPT_TEXT, .repeats = true, .meta = "NAME=N", .help = "Set a parameter over its value at that size" }
#define AISP_OPTIONS_MEASURE                                                                                                 \
    { "time-limit", 0, AISP_OPT_DURATION, .meta = "TIME", .help = "Of the timed pairs of one comparison (quick: 3s); not given, up to twice that for a dozen pairs", .preset = "10s" }, \
    { "band", 0, AISP_OPT_REAL, .meta = "PERCENT", .help = "SAME means inside this band (default: 0.5, DRAM-class 1)" },      \
    { "threads", 0, AISP_OPT_INTEGER, .meta = "N", .help = "Threads that a variant may use", .preset = "1", .low = 1, .high = 1024 }, \
    { "profile", 0, AISP_OPT_CHOICE, .meta = "none|minimal|deep_dive|roofline",                                              \
      .help = "What is recorded beside times; minimal: CPU time, faults, switches, memory", .preset = "none" },              \
    { "placement-audit", 0, AISP_OPT_FLAG,                                                                                   \
      .help = "FASTER and SLOWER must hold when the code is built again and lies elsewhere" },                               \
    { "publish", 0, AISP_OPT_FLAG, .help = "Publishable results only: what would be development is invalid" },               \
    { "gate", 0, AISP_OPT_FLAG, .help = "Exit with 4 if a variant is slower or unsure" }

#define AISP_OPTION_SCOPE                                                                                                    \
    { "scope", 0, AISP_OPT_CHOICE, .meta = "call|kernel",                                                                    \
      .help = "On cuda: launches count, or only what the card does when they are queued", .preset = "call" }

/* The device that --device asks for, NULL for the CPU, if it is there. Errors: AISP_E_UNAVAILABLE with its reason. */
enum aisp_status aisp_measure_device(const struct aisp_request *request, const char **device);
/* Read them. Errors: AISP_E_USAGE, AISP_E_UNAVAILABLE (no such device here; a profile that the machine cannot take). */
enum aisp_status aisp_measure_options(const struct aisp_request *request, struct aisp_session_options *options);

/* --scope of a command that has it, after aisp_measure_options(). Errors: AISP_E_USAGE (the device is none that has a queue). */
enum aisp_status aisp_measure_scope(const struct aisp_request *request, struct aisp_session_options *options);

struct aisp_entries { struct aisp_entry *entry; size_t n, cap; };
void aisp_entries_release(struct aisp_entries *entries);

struct aisp_measure {
    const struct aisp_request *request;
    const struct aisp_catalogue *catalogue;  /* of the bench root, or what there is of one */
    struct aisp_session_options options;
    struct aisp_entries entries;             /* those with `refused` become a row that says so */
    const char *command;
    json_t *arguments;                       /* for the manifest; stolen */
    const char *resume;                      /* run id to go on with, or NULL */
    const json_t *done;                      /* keys and results recorded before, or NULL */
    bool gate;
    bool is_resumable;                       /* --resume could ask for the same again */
    size_t n_skipped;                        /* targets that were left out */
    char first_skipped[400];                 /* why the first of them was */
};

/* Whether a target is left out that gave this status: it has no form for the device, or the machine has not what it needs. How many
 * are is said once, when the run begins. */
bool aisp_measure_skips(struct aisp_measure *m, enum aisp_status st, const struct aisp_err *why);

/* Calibrate, begin, run all entries, finish. *value: {"run", "folder", "elapsed_s", "results": [...]}. */
enum aisp_status aisp_measure_run(struct aisp_measure *m, json_t **value, int *exit_code);
void aisp_measure_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
