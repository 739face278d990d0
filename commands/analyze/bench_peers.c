/* bench_peers.c - `bench peers`: of every target with a peer, the recorded figure of our best against it.
 * Not here: measuring ours against peers (bench_compare_peers.c). */
#include "commands/analyze/filter.h"
#include "commands/analyze/peers.h"
#include "commands/analyze/text.h"

static const char explain[] =
    "How: peer / ours. Direct: measured in the same pairs. Indirect: quotient of two ratios against one reference, widened by "
    "what differs between runs; `bench compare-peers` measures it directly.";

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_selection_how how = { .any_reference = true };
    struct aisp_selection s = AISP_SELECTION_INIT;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_selection_init(&s, request, &how));
    *value = aisp_selection_json(&s);
    json_object_set_new(*value, "peers", aisp_peers_json(&s.rows));
    json_object_set_new(*value, "explain", json_string(explain));
out:
    aisp_selection_release(&s);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *peers = json_object_get(value, "peers");

    aisp_put_head(out, value);
    if (json_array_size(peers))
        aisp_peers_render(peers, style, out);
    else
        aisp_put_wrapped(out, 0, 0,
                         "None of these results is of a peer; `aisp bench compare-peers -t ch01` measures ours against those "
                         "that are built here.");
    aisp_put_explained(out, value);
}

static const struct aisp_option options[] = {
    { "size", 0, AISP_OPT_CHOICE, .meta = "default|quick|large|custom", .help = "Measured at this size", .preset = "default" },
    AISP_OPTIONS_FILTER,
    { 0 },
};

AISP_COMMAND(bench_peers) = {
    .path = "bench peers",
    .sentence = "Show how the best of ours stands against each library that was measured",
    .example = "aisp bench peers\naisp bench peers -t ch01:small_gemm --device cuda --size large\naisp bench peers --json",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
