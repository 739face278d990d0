/* boards.c - leaderboards and recommendations of `bench analyze`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/leaderboard.h"
#include "analysis/recommend.h"
#include "analysis/triage.h"
#include "commands/analyze/parts.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

static const char *const goals[] = { "speed", "throughput", "latency", "memory" };

/* What the goal counts, of the variant: {"name", "value"}. */
static json_t *own_figure(const struct aisp_result_row *row)
{
    const char *name = "median_ns";
    double value = row->b_median_ns;

    if (aisp_row_has_goal(row, "throughput")) {
        name = "per_second";
        value = aisp_row_rate(row, AISP_ROW_B);
    } else if (aisp_row_has_goal(row, "latency")) {
        name = "p99_ns";
        value = row->b_p99_ns;
    } else if (aisp_row_has_goal(row, "memory")) {
        name = "memory_bytes";
        value = row->b_memory_bytes;
    }
    return json_pack("{s:s, s:o}", "name", name, "value", aisp_real_or_null(value));
}

static json_t *board_json(const struct aisp_board *board, const char *goal, size_t top)
{
    json_t *entries = json_array(), *entry;

    for (size_t i = 0; i < board->n && i < top; i++) {
        const struct aisp_result_row *row = board->entry[i].row;

        entry = aisp_row_json(row);
        json_object_set_new(entry, "rank", board->entry[i].rank ? json_integer((json_int_t)board->entry[i].rank) : json_null());
        json_object_set_new(entry, "figure", own_figure(row));
        if (!strcmp(goal, "memory"))
            json_object_set_new(entry, "memory_saving_percent", aisp_real_or_null(100 * (1 - 1 / row->ratio)));
        json_array_append_new(entries, entry);
    }
    return json_pack("{s:s, s:I, s:o}", "goal", goal, "n", (json_int_t)board->n, "entries", entries);
}

json_t *aisp_boards_json(struct aisp_selection *selection, const struct aisp_parts_options *options)
{
    json_t *boards = json_array();

    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        struct aisp_board board;

        aisp_board_init(&board, selection->rows.row, selection->rows.n, goals[i]);
        if (board.n)
            json_array_append_new(boards, board_json(&board, goals[i], options->top));
        aisp_board_release(&board);
    }
    return boards;
}

static void put_figure(const json_t *figure, struct aisp_buf *out)
{
    const char *name = aisp_report_text(figure, "name");
    const double value = aisp_report_number(figure, "value");
    struct aisp_buf text = AISP_BUF_INIT;

    if (!strcmp(name, "memory_bytes"))
        aisp_put_bytes(&text, value, 0);
    else if (!strcmp(name, "per_second"))
        aisp_put_number(&text, value, 0);
    else
        aisp_put_time(&text, value, 0);
    if (!strcmp(name, "per_second"))
        aisp_buf_puts(&text, "/s");
    aisp_put_padded(out, isfinite(value) ? text.s : "-", -9);
    aisp_buf_puts(out, "\n");
    aisp_buf_release(&text);
}

void aisp_boards_render(const json_t *boards, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *board, *entry;
    size_t i, k;

    json_array_foreach(boards, i, board) {
        const size_t n = (size_t)json_integer_value(json_object_get(board, "n")),
                     shown = json_array_size(json_object_get(board, "entries"));
        char *title = aisp_format("Leaderboard: %s", aisp_report_text(board, "goal"));

        aisp_paint(out, style, AISP_PAINT_BOLD, 0, title);
        aisp_buf_printf(out, ", %zu of %zu (? UNSURE)\n%-49s ratio [95%% interval] measured\n", shown, n,
                        " rank target/variant");
        json_array_foreach(json_object_get(board, "entries"), k, entry) {
            const struct aisp_measured ratio =
                aisp_measured_of(aisp_report_number(entry, "ratio"), aisp_report_number(entry, "lo95"),
                                 aisp_report_number(entry, "hi95"));
            const json_t *rank = json_object_get(entry, "rank");

            if (json_is_integer(rank))
                aisp_buf_printf(out, "%4lld  ", (long long)json_integer_value(rank));
            else
                aisp_buf_puts(out, "   -  ");
            aisp_put_who(out, entry, 42);
            aisp_buf_puts(out, aisp_report_is(entry, "verdict", "UNSURE") ? " ?" : "  ");
            aisp_put_measured(out, &ratio, 20);
            aisp_buf_puts(out, " ");
            put_figure(json_object_get(entry, "figure"), out);
        }
        free(title);
    }
}

/* ---- recommendations ---- */

static const char *const kinds[] = { "use", "peer", "avoid", "longer", "repair" };

static char *times_of(const struct aisp_measured *m)
{
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_put_measured(&text, m, 0);
    return aisp_buf_detach(&text);
}

/* Why it is undecided, and what it would take, as the run found. */
static char *undecided_text(const struct aisp_result_row *row, const json_t *result)
{
    const char *reason = aisp_report_text(result, "reason");
    const long long wanted = json_integer_value(json_object_get(result, "pairs_wanted"));
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_printf(&text, "%s: %s is undecided%s%s", row->target, row->variant, *reason ? ": " : "", reason);
    if (wanted) {
        aisp_buf_printf(&text, "; about %lld pairs would decide it: ", wanted);
        aisp_triage_put_run(&text, result);
        aisp_buf_puts(&text, " --time-limit 60s");
    }
    return aisp_buf_detach(&text);
}

static char *repair_text(const struct aisp_result_row *row)
{
    json_t *who = aisp_row_json(row);
    struct aisp_buf text = AISP_BUF_INIT;

    if (!strcmp(row->verdict, AISP_QUARANTINED)) {
        aisp_buf_printf(&text, "%s: %s or its reference is in quarantine; why: aisp bench quarantine-report", row->target,
                        row->variant);
    } else {
        aisp_buf_printf(&text, "%s: the newest result of %s is invalid; why: aisp bench verify -t ", row->target, row->variant);
        aisp_triage_put_word(&text, row->target);
        aisp_triage_put_device(&text, who);
    }
    json_decref(who);
    return aisp_buf_detach(&text);
}

static char *advice_text(struct aisp_selection *selection, const struct aisp_advice *a)
{
    const struct aisp_result_row *row = a->row;
    char *gain = times_of(&a->gain), *text = NULL;

    switch (a->kind) {
    case AISP_ADVICE_USE:
        if (a->n_level)
            text = aisp_format("%s: use %s, ratio %s over %s; %zu other%s cannot be told apart from it", row->target,
                               row->variant, gain, row->reference, a->n_level, a->n_level == 1 ? "" : "s");
        else
            text = aisp_format("%s: use %s, ratio %s over %s", row->target, row->variant, gain, row->reference);
        break;
    case AISP_ADVICE_PEER:
        text = aisp_format("%s: %s is ahead of %s by a ratio of %s", row->target, row->variant,
                           a->other ? a->other->variant : row->reference, gain);
        break;
    case AISP_ADVICE_AVOID:
        text = aisp_format("%s: do not use %s, it is slower than %s: ratio %s", row->target, row->variant, row->reference,
                           gain);
        break;
    case AISP_ADVICE_LONGER:
        text = undecided_text(row, aisp_selection_result(selection, row));
        break;
    case AISP_ADVICE_REPAIR:
        text = repair_text(row);
        break;
    case AISP_N_ADVICE:
        AISP_BUG("an advice of no kind");
    }
    free(gain);
    return text;
}

json_t *aisp_advices_json(struct aisp_selection *selection, const struct aisp_parts_options *options)
{
    struct aisp_advices advices = { 0 };
    size_t n[AISP_N_ADVICE] = { 0 };
    json_t *list = json_array(), *counts = json_object(), *one;

    aisp_advices_find(&advices, selection->rows.row, selection->rows.n);
    for (size_t i = 0; i < advices.n; i++) {
        const struct aisp_advice *a = &advices.advice[i];
        char *text;

        if (n[a->kind]++ >= options->top)
            continue;
        text = advice_text(selection, a);
        one = aisp_row_json(a->row);
        json_object_set_new(one, "kind", json_string(kinds[a->kind]));
        json_object_set_new(one, "gain", aisp_measured_json(&a->gain));
        json_object_set_new(one, "text", json_string(text));
        json_array_append_new(list, one);
        free(text);
    }
    for (int k = 0; k < AISP_N_ADVICE; k++)
        json_object_set_new(counts, kinds[k], json_integer((json_int_t)n[k]));
    aisp_advices_release(&advices);
    return json_pack("{s:o, s:o}", "n", counts, "list", list);
}

void aisp_advices_render(const json_t *advices, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *list = json_object_get(advices, "list"), *one, *n;
    long long left = 0;
    const char *kind;
    size_t i;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, "Recommendations");
    aisp_buf_puts(out, "\n");
    json_array_foreach(list, i, one)
        aisp_put_wrapped(out, 1, 3, aisp_report_text(one, "text"));
    json_object_foreach((json_t *)json_object_get(advices, "n"), kind, n)
        left += json_integer_value(n);
    left -= (long long)json_array_size(list);
    if (!json_array_size(list))
        aisp_buf_puts(out, " none: nothing here is decided\n");
    else if (left)
        aisp_buf_printf(out, " and %lld more: --show recommendations --top N\n", left);
}
