/* result_text.c - results as a table for people: 80 columns, one target a block, then what was
 * found.
 * Not here: the numbers (result.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/result.h"
#include "commands/sweep/map.h"
#include "core/json.h"

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Three digits and a unit: "8.21 ms". */
static void print_time(char *to, size_t size, double ns)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
    size_t i = 0;

    if (!isfinite(ns)) {
        snprintf(to, size, "-");
        return;
    }
    while (i < 3 && ns < units[i].ns)
        i++;
    ns /= units[i].ns;
    snprintf(to, size, "%.*f %s", ns < 10 ? 2 : ns < 100 ? 1 : 0, ns, units[i].unit);
}

void aisp_result_put_time(struct aisp_buf *out, double ns)
{
    char text[32];

    print_time(text, sizeof text, ns);
    aisp_buf_puts(out, text);
}

static int digits(double x)
{
    return x < 3 ? 3 : x < 30 ? 2 : x < 300 ? 1 : 0;
}

static void print_ratio(char *to, size_t size, const json_t *row)
{
    const double ratio = number_of(json_object_get(row, "ratio")),
                 lo = number_of(json_object_get(row, "lo95"));
    const double hi = number_of(json_object_get(row, "hi95"));

    if (!isfinite(ratio))
        snprintf(to, size, "-");
    else if (!isfinite(lo) || !isfinite(hi))
        snprintf(to, size, "%.*f", digits(ratio), ratio);
    else
        snprintf(to, size, "%.*f [%.*f, %.*f]", digits(ratio), ratio, digits(ratio), lo,
                 digits(ratio), hi);
}

static double roof_of(const json_t *row)
{
    const json_t *roof = json_object_get(row, "roof_percent");

    return number_of(json_object_get(roof, aisp_json_text(roof, "bound")));
}

/* By what is printed: 100.4 is 100. */
static bool is_above_roof(const json_t *row)
{
    return roof_of(row) >= 100.5;
}

static void print_roof(char *to, size_t size, const json_t *row)
{
    const double percent = roof_of(row);
    char text[16];

    if (isfinite(percent))
        snprintf(text, sizeof text, percent < 9.95 ? "%.1f%%" : "%.0f%%%s", percent, is_above_roof(row) ? "!" : "");
    else
        snprintf(text, sizeof text, "-");
    snprintf(to, size, "%5s", text);
}

static const char *verdict_paint(const char *verdict)
{
    if (!strcmp(verdict, "FASTER") || !strcmp(verdict, "VERIFIED"))
        return AISP_PAINT_GREEN;
    return !strcmp(verdict, "SLOWER") || !strcmp(verdict, "INVALID") ? AISP_PAINT_RED : NULL;
}

const char *aisp_grade_short(const char *grade)
{
    return !strcmp(grade, "publishable")   ? "publish"
           : !strcmp(grade, "development") ? "devel"
                                           : grade;
}

static void render_row(const json_t *row, const struct aisp_style *style, struct aisp_buf *out)
{
    const char *verdict = aisp_json_text(row, "verdict");
    char time[32], ratio[64], roof[16], name[28];

    print_time(time, sizeof time,
               number_of(json_object_get(json_object_get(row, "median_ns"), "b")));
    print_ratio(ratio, sizeof ratio, row);
    print_roof(roof, sizeof roof, row);
    snprintf(name, sizeof name, "%.26s", aisp_json_text(row, "variant"));
    aisp_buf_puts(out, " ");
    aisp_paint(out, style, NULL, 26, name);
    aisp_buf_printf(out, " %8s ", time);
    aisp_paint(out, style, NULL, 20, ratio);
    aisp_buf_puts(out, " ");
    aisp_paint(out, style, verdict_paint(verdict), 8, verdict);
    aisp_buf_puts(out, " ");
    aisp_paint(out, style, is_above_roof(row) ? AISP_PAINT_RED : NULL, 0, roof);
    aisp_buf_printf(out, " %s\n", aisp_grade_short(aisp_json_text(row, "grade")));
}

static void render_placement(const json_t *row, struct aisp_buf *out)
{
    const json_t *seen = json_object_get(row, "placement");
    const double lo = number_of(json_object_get(seen, "lo")),
                 hi = number_of(json_object_get(seen, "hi"));
    const long long n = json_integer_value(json_object_get(seen, "measured")),
                    of = json_integer_value(json_object_get(seen, "of"));

    if (!json_is_object(seen))
        return;
    aisp_buf_puts(out, "   placement: ");
    if (n)
        aisp_buf_printf(out, "ratio %.*f to %.*f over ", digits(lo), lo, digits(hi), hi);
    else
        aisp_buf_puts(out, "nothing was measured over ");
    if (n && n < of)
        aisp_buf_printf(out, "%lld of ", n);
    aisp_buf_printf(out, "%lld paddings\n", of);
}

static void render_holdout(const json_t *row, struct aisp_buf *out)
{
    const json_t *there = json_object_get(row, "holdout_speed");
    const double ratio = number_of(json_object_get(there, "ratio")),
                 lo = number_of(json_object_get(there, "lo99")),
                 hi = number_of(json_object_get(there, "hi99"));
    const int places = digits(ratio);

    if (!isfinite(ratio))
        return;
    aisp_buf_printf(out, "   at %lld secret sizes: ratio %.*f",
                    (long long)json_integer_value(json_object_get(there, "points")), places, ratio);
    if (isfinite(lo) && isfinite(hi))
        aisp_buf_printf(out, " [%.*f, %.*f] at 99 %%", places, lo, places, hi);
    aisp_buf_puts(out, "\n");
}

/* Of a device: its own clock beside the supervisor's. What lies between them is all that a window can hide. */
static void render_hidden(const json_t *row, struct aisp_buf *out)
{
    const double median = number_of(json_object_get(json_object_get(row, "slack_ns"), "b")),
                 hidden = number_of(json_object_get(json_object_get(row, "hidden_ns"), "b"));
    char usual[32], most[32];

    if (!isfinite(median) || !isfinite(hidden) || !strcmp(aisp_json_text(row, "device"), "cpu"))
        return;
    print_time(usual, sizeof usual, median);
    print_time(most, sizeof most, hidden);
    aisp_buf_printf(out, "   %s scope: windows of %lld calls, %s longer than their events, hide at most %s\n",
                    aisp_json_text(row, "scope"), (long long)json_integer_value(json_object_get(row, "calls")), usual, most);
}

/* By the card's own counter; how coarse it is stands beside it. */
static void render_energy(const json_t *row, struct aisp_buf *out)
{
    const json_t *joules = json_object_get(row, "energy_j"), *energy = json_object_get(row, "energy"),
                 *watts = json_object_get(energy, "watts");
    const double a = number_of(json_object_get(joules, "a")), b = number_of(json_object_get(joules, "b"));

    if (!isfinite(a) || !isfinite(b))
        return;
    aisp_buf_printf(out, "   energy of a call: %.3g mJ, the reference's %.3g (%.0f W, %.0f W; the card's counter, steps of %.3g ms, "
                         "windows of %.0f ms)\n",
                    1e3 * b, 1e3 * a, number_of(json_object_get(watts, "b")), number_of(json_object_get(watts, "a")),
                    number_of(json_object_get(energy, "step_ms")),
                    number_of(json_object_get(json_object_get(energy, "window_ms"), "b")));
}

static void render_heading(const json_t *row, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *params = json_object_get(row, "params"), *value;
    const double ns = number_of(json_object_get(json_object_get(row, "median_ns"), "a"));
    struct aisp_buf line = AISP_BUF_INIT;
    const char *name;
    char time[32];

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_json_text(row, "target"));
    if (params) {
        aisp_buf_printf(&line, "  %s:", aisp_json_text(row, "size"));
        json_object_foreach((json_t *)params, name, value)
            aisp_buf_printf(&line, " %s=%lld", name, (long long)json_integer_value(value));
        print_time(time, sizeof time, ns);
        if (isfinite(ns))
            aisp_buf_printf(&line, "; %s takes %s", aisp_json_text(row, "reference"), time);
        if (line.len > 80 - strlen(aisp_json_text(row, "target")))
            aisp_buf_puts(out, "\n");
        aisp_buf_puts(out, line.s);
    }
    aisp_buf_puts(out, "\n");
    aisp_buf_release(&line);
}

/* The same thing is often found in all rows (a virtual machine): it is said once. */
struct said {
    const char *text, *check, *severity;
    int64_t issue;
    struct aisp_buf who;
    size_t n;
};
struct sayings {
    struct said *item;
    size_t n, cap;
};

static void say(struct sayings *s, const json_t *row, const json_t *finding)
{
    const char *text = aisp_json_text(finding, "text"), *check = aisp_json_text(finding, "check");
    struct said *said = NULL;

    for (size_t i = 0; i < s->n && !said; i++)
        if (!strcmp(s->item[i].text, text) && !strcmp(s->item[i].check, check))
            said = &s->item[i];
    if (!said) {
        said = aisp_grow(&s->item, &s->n, &s->cap, sizeof *s->item);
        said->text = text;
        said->check = check;
        said->severity = aisp_json_text(finding, "severity");
        said->issue = json_integer_value(json_object_get(finding, "issue"));
    }
    said->n++;
    if (said->n <= 3)
        aisp_buf_printf(&said->who, "%s%s %s%s%s", said->n > 1 ? ", " : "", aisp_json_text(row, "target"),
                        aisp_json_text(row, "variant"), *aisp_json_text(row, "point") ? " " : "", aisp_json_text(row, "point"));
}

static void render_said(struct sayings *s, size_t n_rows, const struct aisp_style *style,
                        struct aisp_buf *out)
{
    static const char *const order[] = { "violation", "development", "note" };

    for (size_t severity = 0; severity < 3; severity++)
        for (size_t i = 0; i < s->n; i++) {
            const struct said *said = &s->item[i];

            if (strcmp(said->severity, order[severity]))
                continue;
            aisp_paint(out, style, severity == 0 ? AISP_PAINT_RED : NULL, 0, said->severity);
            if (said->n == n_rows && n_rows > 1)
                aisp_buf_puts(out, " (all)");
            else if (said->n > 3)
                aisp_buf_printf(out, " (%s and %zu more)", said->who.s, said->n - 3);
            else
                aisp_buf_printf(out, " (%s)", said->who.s);
            aisp_buf_printf(out, ": %s [%s", said->text, said->check);
            if (said->issue)
                aisp_buf_printf(out, " #%lld", (long long)said->issue);
            aisp_buf_puts(out, "]\n");
        }
}

static void render_unsure(const json_t *row, struct aisp_buf *out)
{
    const char *reason = aisp_json_text(row, "reason");
    const long long wanted = json_integer_value(json_object_get(row, "pairs_wanted"));

    if (!*reason || *aisp_json_text(row, "not_measured"))        /* what was found says it already */
        return;
    aisp_buf_printf(out, "UNSURE (%s %s): %s", aisp_json_text(row, "target"), aisp_json_text(row, "variant"),
                    reason);
    if (wanted)
        aisp_buf_printf(out, "; about %lld pairs would decide it, %lld were taken", wanted,
                        (long long)json_integer_value(json_object_get(row, "n_pairs")));
    aisp_buf_puts(out, "\n");
}

/* Nothing is faster than the machine: what says so is wrong somewhere, and it is shown as it was computed. */
static void render_above_roof(const json_t *row, struct aisp_buf *out)
{
    const char *bound = aisp_json_text(json_object_get(row, "roof_percent"), "bound");
    const bool is_bytes = !strcmp(bound, "bytes");

    if (is_above_roof(row))
        aisp_buf_printf(out, "above the roof (%s %s): %.0f %% of %s is an error: %s, or the ceiling was measured too low "
                             "(\"aisp calibrate\")\n",
                        aisp_json_text(row, "target"), aisp_json_text(row, "variant"), roof_of(row),
                        is_bytes ? "the bandwidth" : "the peak",
                        is_bytes ? "fewer bytes move than are declared, or they lay nearer than the level says"
                                 : "fewer operations are done than are declared");
}

static void render_rows(const json_t *results, const struct aisp_style *style, struct aisp_buf *out)
{
    const char *target = "", *reference = "";
    const json_t *row;
    size_t i;

    json_array_foreach(results, i, row)
    {
        if (i == 0)
            aisp_buf_printf(out, " %-26s %8s %-20s %-8s %5s %s\n", "variant", "median",
                            "ratio [95% interval]", "verdict", "roof", "grade");
        if (strcmp(target, aisp_json_text(row, "target")) || strcmp(reference, aisp_json_text(row, "reference")))
            render_heading(row, style, out);
        target = aisp_json_text(row, "target");
        reference = aisp_json_text(row, "reference");
        render_row(row, style, out);
        render_placement(row, out);
        render_holdout(row, out);
        render_hidden(row, out);
        render_energy(row, out);
        aisp_result_goal_render(row, out);
    }
    json_array_foreach(results, i, row) render_unsure(row, out);
    json_array_foreach(results, i, row) render_above_roof(row, out);
}

static void render_found(const json_t *results, const struct aisp_style *style, struct aisp_buf *out)
{
    struct sayings sayings = { 0 };
    const json_t *row, *finding;
    size_t i, j;

    json_array_foreach(results, i, row)
        json_array_foreach(json_object_get(row, "findings"), j, finding)
            say(&sayings, row, finding);
    render_said(&sayings, json_array_size(results), style, out);
    for (i = 0; i < sayings.n; i++)
        aisp_buf_release(&sayings.item[i].who);
    free(sayings.item);
}

void aisp_results_render(const json_t *results, const struct aisp_style *style,
                         struct aisp_buf *out)
{
    render_rows(results, style, out);
    render_found(results, style, out);
}

void aisp_results_render_maps(const json_t *results, const json_t *maps, const struct aisp_style *style,
                              struct aisp_buf *out)
{
    json_t *others = json_array(), *row;
    size_t i;

    json_array_foreach(results, i, row)
        if (!*aisp_json_text(row, "point") || !json_array_size(maps))
            json_array_append(others, row);
    aisp_maps_render(maps, style, out);
    render_rows(others, style, out);
    render_found(results, style, out);
    json_decref(others);
}
