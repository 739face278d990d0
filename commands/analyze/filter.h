/* filter.h - which recorded results a command looks at: options that mean the same everywhere, and the rows they let through.
 *   static const struct aisp_option options[] = { AISP_OPTIONS_FILTER, ... };
 * Not here: the lookup (store/query.h), what is made of the rows.
 * Results of different machines are not comparable, so one hardware key is picked: that of the newest result that the other
 * options let through, unless a command says otherwise. */
#ifndef AISP_COMMANDS_ANALYZE_FILTER_H
#define AISP_COMMANDS_ANALYZE_FILTER_H

#include "analysis/rows.h"
#include "commands/command.h"

#define AISP_OPTIONS_FILTER                                                                                                  \
    { "hardware", 0, AISP_OPT_TEXT, .meta = "KEY",                                                                           \
      .help = "Of this hardware key, or the newest that fits a pattern (default: of the newest result)" },                   \
    { "chapter", 'c', AISP_OPT_TEXT, .meta = "CHAPTER", .help = "Of this chapter: ch07, 'ch0*'" },       \
    { "target", 't', AISP_OPT_TEXT, .meta = "TARGET", .help = "Of this target: ch07:transpose, '*:gemm*', or all of ch07" }, \
    { "device", 0, AISP_OPT_TEXT, .meta = "DEVICE", .help = "Measured on this device: cpu, cuda" },                          \
    { "goal", 0, AISP_OPT_CHOICE, .meta = "speed|memory|throughput|latency", .help = "Of problems with this goal" },         \
    { "grade", 0, AISP_OPT_CHOICE, .meta = "publishable|development", .help = "Of this grade (default: all that are valid)" }
/* For commands that set variants of one target beside each other. */
#define AISP_OPTIONS_SAME                                                                                                    \
    { "size", 0, AISP_OPT_CHOICE, .meta = "default|quick|large|custom", .help = "Measured at this size",                     \
      .preset = "default" },                                                                                                 \
    { "reference", 0, AISP_OPT_TEXT, .meta = "VARIANT", .help = "Measured against this variant", .preset = "baseline" }

/* Only the options of AISP_OPTIONS_FILTER; a target without ":" is a chapter. `scratch` holds a text that *filter points into
 * and is the caller's to free. Sealed runs only, the newest result of each variant. */
void aisp_filter_read(const struct aisp_args *args, struct aisp_filter *filter, char **scratch);

/* The verdict that a row shows whose variant or reference is in quarantine. */
#define AISP_QUARANTINED "QUARANTINED"

/* The store, and what was picked from it. */
struct aisp_selection {
    struct aisp_store *store;
    struct aisp_rows rows;
    struct aisp_rows_want want;
    size_t n_quarantined;                    /* left out, or among the invalid */
    char *hardware;                          /* the one key; the pattern where several are let through; NULL: nothing was */
    char *scratch;
    json_t *run;                             /* the one that aisp_selection_result() looked into last */
};
#define AISP_SELECTION_INIT { 0 }

struct aisp_selection_how {
    bool invalid;                            /* results that are invalid as well */
    bool every;                              /* not only the newest of each */
    bool any_size, any_reference;            /* else as the options of AISP_OPTIONS_SAME say */
    bool any_hardware;                       /* --hardware is a pattern that may let several through */
};

/* Open the store and collect. No rows is no error, a name that nothing recorded has is: AISP_E_NOT_FOUND with the nearest. */
enum aisp_status aisp_selection_init(struct aisp_selection *selection, const struct aisp_request *request,
                                     const struct aisp_selection_how *how);
void aisp_selection_release(struct aisp_selection *selection);
/* Rows sorted by aisp_row_group_order, then variant. */
void aisp_selection_sort(struct aisp_selection *selection);
/* The whole result of a row, borrowed until the next call; NULL if it cannot be read. For few rows: it loads the run. */
const json_t *aisp_selection_result(struct aisp_selection *selection, const struct aisp_result_row *row);
/* What the problem counts ("token"), else "call". As above. */
const char *aisp_selection_unit(struct aisp_selection *selection, const struct aisp_result_row *row);
/* {"hardware" (null: nothing fits), "size", "reference", "n_results", "left_out": {"invalid", "quarantined", "no_ratio",
 * "other_size", "other_reference"}}, to which a command adds. */
json_t *aisp_selection_json(const struct aisp_selection *selection);

#endif
