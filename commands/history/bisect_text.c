/* bisect_text.c - the answer of a bisection, and the commits that it stands on.
 * Not here: the numbers (bisect.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/history/bisect.h"
#include "core/json.h"

static const double SHOWN_FROM = 0.01; /* of what was never built only the likely ones are shown */

static long long count_of(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static const json_t *find_commit(const json_t *value, const char *hash)
{
    const json_t *commit;
    size_t i;

    json_array_foreach(json_object_get(value, "commits"), i,
                       commit) if (!strcmp(aisp_json_text(commit, "commit"), hash)) return commit;
    return NULL;
}

static void put_answer(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *candidates = json_object_get(value, "candidates"), *hash;
    const char *verdict = aisp_json_text(value, "verdict");
    char *name = aisp_format("%s/%s", aisp_json_text(value, "target"), aisp_json_text(value, "variant"));
    size_t i;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, name);
    free(name);
    if (!strcmp(verdict, "NONE")) {
        aisp_buf_printf(out, ": no commit made it slower by %.2g %% or more (%.1f %% sure)\n",
                        aisp_json_number(value, "least_percent"), 100 * aisp_json_number(value, "probability"));
        return;
    }
    if (strcmp(verdict, "FOUND")) {
        aisp_buf_printf(out, ": UNSURE which commit made it slower, if one did; the likely ones:\n");
        return;
    }
    aisp_buf_printf(out, json_array_size(candidates) > 1 ? ": the first slower commit is one of\n"
                                                         : ": the first slower commit is\n");
    json_array_foreach(candidates, i, hash)
    {
        const json_t *commit = find_commit(value, json_string_value(hash));

        aisp_buf_printf(out, "  %.10s  %s  %.54s\n", json_string_value(hash), aisp_json_text(commit, "date"),
                        aisp_json_text(commit, "subject"));
    }
    aisp_buf_printf(out, "%.1f %% sure; slower by about %.3g %%\n", 100 * aisp_json_number(value, "probability"),
                    aisp_json_number(value, "slower_percent"));
}

static void put_commit(const json_t *c, struct aisp_buf *out)
{
    struct aisp_buf ratio = AISP_BUF_INIT;
    const double at = aisp_json_number(c, "ratio"), lo = aisp_json_number(c, "lo95"), hi = aisp_json_number(c, "hi95");

    if (!isfinite(at))
        aisp_buf_puts(&ratio, *aisp_json_text(c, "skipped")                          ? "skipped"
                              : json_is_string(json_object_get(c, "same_as")) ? "same build"
                              : json_is_true(json_object_get(c, "built"))     ? "built"
                                                                              : "not built");
    else if (isfinite(lo) && isfinite(hi))
        aisp_buf_printf(&ratio, "%.3f [%.3f, %.3f]", at, lo, hi);
    else
        aisp_buf_printf(&ratio, "%.3f", at);
    aisp_buf_printf(out, "  %.10s  %4lld  %-20s  %5.1f  %5.1f  %.23s\n", aisp_json_text(c, "commit"), count_of(c, "n_runs"), ratio.s,
                    100 * aisp_json_number(c, "slow"), 100 * aisp_json_number(c, "first"), aisp_json_text(c, "subject"));
    aisp_buf_release(&ratio);
}

void aisp_bisect_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *commits = json_object_get(value, "commits"), *c;
    const size_t n = json_array_size(commits);
    size_t i;

    put_answer(value, style, out);
    aisp_buf_puts(out, "\n  commit      runs  good / it [95 %]      slow %  first %  subject\n");
    json_array_foreach(commits, i, c) if (i == 0) aisp_buf_printf(
        out, "  %.10s     -  the good one              -      -  %.23s\n", aisp_json_text(c, "commit"), aisp_json_text(c, "subject"));
    else if (json_is_true(json_object_get(c, "built")) || *aisp_json_text(c, "skipped") || aisp_json_number(c, "first") >= SHOWN_FROM)
        put_commit(c, out);
    json_array_foreach(commits, i, c) if (*aisp_json_text(c, "skipped"))
        aisp_buf_printf(out, "skipped %.10s: %s\n", aisp_json_text(c, "commit"), aisp_json_text(c, "skipped"));
    if (count_of(value, "n_blind"))
        aisp_buf_printf(out, "%lld more runs had too few pairs for an interval, and those after them more time\n",
                        count_of(value, "n_blind"));
    aisp_buf_printf(out, "%zu commits, %lld builds, %lld runs in %.0f s\n", n - 1, count_of(value, "n_builds"),
                    count_of(value, "n_runs"), aisp_json_number(value, "elapsed_s"));
}
