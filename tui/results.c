/* results.c - a result in columns. */
#include "tui/results.h"

#include <string.h>

#include "tui/json.h"

const char *aisp_tui_short_name(const char *variant)
{
    return strncmp(variant, "optimized_", 10) ? variant : variant + 10;
}

void aisp_tui_put_comparison(struct aisp_buf *out, const json_t *result)
{
    const char *reference = aisp_json_text(result, "reference"), *point = aisp_json_text(result, "point"); /* of a sweep */

    aisp_buf_printf(out, "%s %s%s%s", aisp_json_text(result, "target"), aisp_tui_short_name(aisp_json_text(result, "variant")),
                    *point ? " " : "", point);
    if (*reference && strcmp(reference, "baseline"))
        aisp_buf_printf(out, " / %s", reference);
}

static void put_median(struct aisp_buf *out, const json_t *result)
{
    aisp_tui_put_time(out, aisp_json_number(json_object_get(result, "median_ns"), "b"));
}

static void put_verdict(struct aisp_buf *out, const json_t *result) { aisp_tui_put_key(out, result, "verdict"); }
static int verdict_style(const json_t *result) { return aisp_tui_verdict_style(aisp_json_text(result, "verdict")); }

/* Found wrong in a later run: that says more than the grade it had. */
static void put_grade(struct aisp_buf *out, const json_t *result)
{
    if (json_is_true(json_object_get(result, "quarantined")))
        aisp_buf_puts(out, "quarantined");
    else
        aisp_tui_put_key(out, result, "grade");
}

static int grade_style(const json_t *result)
{
    return json_is_true(json_object_get(result, "quarantined")) || aisp_json_is(result, "grade", "invalid") ? AISP_TONE_BAD
           : aisp_json_is(result, "grade", "publishable") ? AISP_TONE_GOOD
                                                          : AISP_TONE_PLAIN;
}

const struct aisp_table_column aisp_result_columns[] = {
    { "COMPARISON", 0, .put = aisp_tui_put_comparison },
    { "MEDIAN", 8, .from = 90, .is_right = true, .put = put_median },
    { "RATIO [95%]", 20, .put = aisp_tui_put_ratio },
    { "VERDICT", 8, .put = put_verdict, .style = verdict_style },
    { "ROOF", 5, .from = 100, .is_right = true, .put = aisp_tui_put_roof },
    { "GRADE", 11, .from = 70, .put = put_grade, .style = grade_style },
    { NULL },
};

void aisp_tui_put_verdict_counts(struct aisp_buf *out, const json_t *results)
{
    static const char *const verdicts[] = { "FASTER", "SLOWER", "SAME", "UNSURE", "VERIFIED", "INVALID" };
    const char *between = "";
    const json_t *row;
    size_t i;

    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
        size_t n = 0;

        json_array_foreach(results, i, row) n += aisp_json_is(row, "verdict", verdicts[v]);
        if (!n)
            continue;
        aisp_buf_printf(out, "%s%zu %s", between, n, verdicts[v]);
        between = ", ";
    }
}
