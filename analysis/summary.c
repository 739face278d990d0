/* summary.c - count, and take the mean of what may be averaged. */
#include "analysis/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"

static const char *const verdict_words[] = { "FASTER", "SLOWER", "SAME", "UNSURE", "VERIFIED", "INVALID" };
static const char *const grade_words[] = { "publishable", "development", "invalid" };

static json_t *zeros(const char *const *words, size_t n)
{
    json_t *counts = json_object();

    for (size_t i = 0; i < n; i++)
        json_object_set_new(counts, words[i], json_integer(0));
    return counts;
}

static void add_one(json_t *counts, const char *word)
{
    json_object_set_new(counts, word, json_integer(json_integer_value(json_object_get(counts, word)) + 1));
}

static bool is_quarantined(const json_t *figure, const json_t *result)
{
    return json_is_true(json_object_get(figure, "is_invalid")) && strcmp(aisp_json_text(result, "grade"), "invalid") &&
           strcmp(aisp_json_text(result, "verdict"), "INVALID");
}

static json_t *row_of(const json_t *result, const json_t *figure)
{
    static const char *const copied[] = { "target", "variant", "reference", "device", "size", "goal", "verdict", "grade",
                                          "ratio", "lo95", "hi95", "n_pairs", "elapsed_s" };
    const bool quarantined = is_quarantined(figure, result);
    const char *reason = aisp_json_text(result, "reason");
    json_t *row = json_object();

    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        json_t *value = json_object_get(result, copied[i]);

        json_object_set_new(row, copied[i], value ? json_deep_copy(value) : json_null());
    }
    if (quarantined || json_is_true(json_object_get(figure, "is_invalid")))
        reason = aisp_json_text(figure, "trouble");
    json_object_set_new(row, "reason", json_string(reason));
    json_object_set_new(row, "is_quarantined", json_boolean(quarantined));
    return row;
}

/* The element of `list` whose `name` is `text`, made if there is none; borrowed. */
static json_t *group_of(json_t *list, const char *name, const char *text)
{
    json_t *group;
    size_t i;

    json_array_foreach(list, i, group)
        if (!strcmp(aisp_json_text(group, name), text))
            return group;
    group = json_pack("{s:s, s:i}", name, text, "n", 0);
    json_array_append_new(list, group);
    return group;
}

static void add_to_chapter(json_t *chapters, const json_t *row)
{
    char *name = aisp_figure_chapter(aisp_json_text(row, "target"));
    json_t *chapter = group_of(chapters, "chapter", name);

    add_one(chapter, "n");
    if (!json_object_get(chapter, "verdicts"))
        json_object_set_new(chapter, "verdicts", zeros(verdict_words, sizeof verdict_words / sizeof *verdict_words));
    if (!json_is_true(json_object_get(row, "is_quarantined")))
        add_one(json_object_get(chapter, "verdicts"), aisp_json_text(row, "verdict"));
    free(name);
}

static json_t *mean_of(const json_t *rows, const json_t *figures, const char *goal, json_int_t *n_valid)
{
    double sum = 0;
    const json_t *row;
    size_t i;

    *n_valid = 0;
    json_array_foreach(rows, i, row) {
        const double ratio = aisp_json_number(row, "ratio");

        if (strcmp(aisp_json_text(row, "goal"), goal) || !(ratio > 0) ||
            json_is_true(json_object_get(json_array_get(figures, i), "is_invalid")))
            continue;
        sum += log(ratio);
        ++*n_valid;
    }
    return *n_valid ? aisp_figure_json(exp(sum / (double)*n_valid)) : json_null();
}

static json_t *goals_of(const json_t *rows, const json_t *figures)
{
    json_t *goals = json_array(), *goal;
    const json_t *row;
    json_int_t n_valid;
    size_t i;

    json_array_foreach(rows, i, row)
        if (*aisp_json_text(row, "goal"))          /* what was refused before it was loaded has none */
            add_one(group_of(goals, "goal", aisp_json_text(row, "goal")), "n");
    json_array_foreach(goals, i, goal) {
        json_object_set_new(goal, "geomean", mean_of(rows, figures, aisp_json_text(goal, "goal"), &n_valid));
        json_object_set_new(goal, "n_valid", json_integer(n_valid));
    }
    return goals;
}

json_t *aisp_summary_new(const json_t *results, const json_t *figures)
{
    json_t *verdicts = zeros(verdict_words, sizeof verdict_words / sizeof *verdict_words);
    json_t *grades = zeros(grade_words, sizeof grade_words / sizeof *grade_words);
    json_t *rows = json_array(), *chapters = json_array(), *summary;
    json_int_t n_quarantined = 0;
    const json_t *result;
    size_t i;

    json_array_foreach(results, i, result) {
        json_t *row = row_of(result, json_array_get(figures, i));

        json_array_append_new(rows, row);
        if (json_is_true(json_object_get(row, "is_quarantined")))
            n_quarantined++;
        else
            add_one(verdicts, aisp_json_text(row, "verdict"));
        add_one(grades, aisp_json_text(row, "grade"));
        add_to_chapter(chapters, row);
    }
    summary = json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "n_results", (json_int_t)json_array_size(rows), "n_quarantined",
                        n_quarantined, "verdicts", verdicts, "grades", grades, "goals", goals_of(rows, figures), "chapters",
                        chapters, "rows", rows);
    if (!summary)
        AISP_BUG("a summary that is no JSON");
    return summary;
}
