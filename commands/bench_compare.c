/* bench_compare.c - `bench compare A B`: any two variants of one target. */
#include <stdio.h>
#include <string.h>

#include "commands/measure.h"

static enum aisp_status compare(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_measure m = { .request = request, .command = "bench compare" };
    const struct aisp_args *args = request->args;
    const struct aisp_target *target[2] = { NULL, NULL };
    const struct aisp_variant_ref *variant[2] = { NULL, NULL };
    struct aisp_catalogue cat = { 0 };
    struct aisp_entry entry;
    enum aisp_status st;

    AISP_TRY(aisp_measure_options(request, &m.options));
    AISP_TRY(aisp_measure_scope(request, &m.options));
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    for (int i = 0; i < 2; i++)
        AISP_TRY(aisp_pick_spelled(&cat, args->operand[i], aisp_args_text(args, "device"), &target[i], &variant[i],
                                   request->err));
    if (target[0] != target[1] || variant[0] == variant[1]) {
        st = target[0] != target[1]
                 ? aisp_fail(request->err, AISP_E_USAGE,
                             "%s and %s are variants of two targets: only two ways to compute the "
                             "same can be compared",
                             args->operand[0], args->operand[1])
                 : aisp_fail(request->err, AISP_E_USAGE,
                             "%s is compared with itself; \"aisp calibrate\" measures that",
                             args->operand[0]);
        goto out;
    }
    AISP_TRY(aisp_entry_init(
        &entry,
        &(struct aisp_entry_spec){ .target = target[0],
                                   .reference = variant[0],
                                   .only = (const char *const[]){ variant[1]->name },
                                   .n_only = 1 },
        &m.options, request->err));
    *(struct aisp_entry *)aisp_grow(&m.entries.entry, &m.entries.n, &m.entries.cap, sizeof entry) =
        entry;
    m.gate = aisp_args_flag(args, "gate");
    m.catalogue = &cat;
    m.arguments =
        json_pack("{s:s, s:s, s:s, s:s, s:b}", "scope", aisp_scope_name(m.options.scope), "a", args->operand[0], "b",
                  args->operand[1], "size", m.options.size_name, "placement_audit", m.options.placement_audit);
    st = aisp_measure_run(&m, value, exit_code);
out:
    aisp_entries_release(&m.entries);
    aisp_catalogue_release(&cat);
    return st;
}

static const struct aisp_operand two[] = {
    { "A", "The reference: ch07:transpose/baseline, or ch07.baseline_transpose" },
    { "B", "What is compared with it: ch07:transpose/optimized_tiled" },
    { 0 },
};

static const struct aisp_option compare_options[] = { AISP_OPTIONS_SIZE,
                                                      AISP_OPTIONS_MEASURE,
                                                      AISP_OPTION_SCOPE,
                                                      { 0 } };

AISP_COMMAND(bench_compare) = {
    .path = "bench compare",
    .sentence = "Compare two variants of one target with each other",
    .example = "aisp bench compare ch07:transpose/tiled ch07:transpose/avx2",
    .operand = two,
    .option = compare_options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_READS_STORE | AISP_CMD_LONG,
    .run = compare,
    .render = aisp_measure_render,
};
