/* targets.c - the browser of targets: `bench list-targets --long`, with a search and filters by chapter, device and goal. Below
 * the list stands what the picked one is about.
 * Not here: one target in full (`bench show`, opened from here), a run of it (live.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/json.h"
#include "tui/results.h"
#include "tui/table.h"
#include "tui/view.h"

/* A filter goes round over the values that occur: all of them, the first, the second, ... */
enum { CHAPTER, DEVICE, GOAL, FILTERS };
static const char *const filter_names[FILTERS] = { "chapter", "device", "goal" };

struct targets {
    struct aisp_tui_view view;
    struct aisp_table table;
    char *only[FILTERS];                     /* NULL: all */
};

/* ---- columns ---- */

static void put_target(struct aisp_buf *out, const json_t *row) { aisp_tui_put_key(out, row, "target"); }
static void put_goal(struct aisp_buf *out, const json_t *row) { aisp_tui_put_key(out, row, "goal"); }

static void put_device(struct aisp_buf *out, const json_t *row)
{
    aisp_tui_put_key(out, json_array_get(json_object_get(row, "variants"), 0), "device");
}

static void put_variants(struct aisp_buf *out, const json_t *row)
{
    const char *refused = aisp_json_text(row, "refused"), *between = "";
    const json_t *v;
    size_t i;

    if (*refused) {
        aisp_buf_printf(out, "cannot be run: %s", refused);
        return;
    }
    json_array_foreach(json_object_get(row, "variants"), i, v) {
        if (aisp_json_is(v, "name", "baseline"))
            continue;
        aisp_buf_printf(out, "%s%s", between, aisp_tui_short_name(aisp_json_text(v, "name")));
        if (*aisp_json_text(v, "refused"))
            aisp_buf_puts(out, " (refused)");
        else if (json_is_true(json_object_get(v, "quarantined")))
            aisp_buf_puts(out, " (quarantined)");
        between = ", ";
    }
}

static int variants_style(const json_t *row)
{
    return *aisp_json_text(row, "refused") ? AISP_TONE_BAD : AISP_TONE_PLAIN;
}

static const struct aisp_table_column columns[] = {
    { "TARGET", 28, .put = put_target },
    { "GOAL", 10, .from = 72, .put = put_goal },
    { "DEVICE", 6, .from = 72, .put = put_device },
    { "IDEAS", 0, .put = put_variants, .style = variants_style },
    { NULL },
};

/* ---- filters ---- */

static bool has_device(const json_t *row, const char *device)
{
    const json_t *v;
    size_t i;

    json_array_foreach(json_object_get(row, "variants"), i, v)
        if (aisp_json_is(v, "device", device))
            return true;
    return false;
}

static bool has(const json_t *row, int filter, const char *value)
{
    return filter == DEVICE ? has_device(row, value) : aisp_json_is(row, filter_names[filter], value);
}

static bool lets(const void *context, const json_t *row)
{
    const struct targets *t = context;

    for (int i = 0; i < FILTERS; i++)
        if (t->only[i] && !has(row, i, t->only[i]))
            return false;
    return true;
}

/* Values in the order in which they occur; those of a target's variants count for it. */
static void collect(const struct targets *t, int filter, struct aisp_words *values)
{
    const json_t *row, *v;
    size_t i, j, k;

    json_array_foreach(t->table.rows, i, row) {
        const json_t *variants = json_object_get(row, "variants");
        const size_t n = filter == DEVICE ? json_array_size(variants) : 1;

        for (j = 0; j < n; j++) {
            v = filter == DEVICE ? json_array_get(variants, j) : row;
            const char *value = aisp_json_text(v, filter_names[filter]);

            for (k = 0; k < values->n && strcmp(values->word[k], value); k++)
                ;
            if (*value && k == values->n)
                aisp_words_add(values, value);
        }
    }
}

static void turn(struct targets *t, int filter)
{
    struct aisp_words values = AISP_WORDS_INIT;
    size_t next = 0;

    collect(t, filter, &values);
    for (size_t i = 0; i < values.n && t->only[filter]; i++)
        if (!strcmp(values.word[i], t->only[filter]))
            next = i + 1;
    free(t->only[filter]);
    t->only[filter] = next < values.n ? aisp_xstrdup(values.word[next]) : NULL;
    aisp_words_release(&values);
    aisp_table_refilter(&t->table);
}

/* ---- the view ---- */

static void draw_filters(const struct targets *t, struct aisp_canvas *canvas, struct aisp_rect in)
{
    int at = in.column + 1;

    for (int i = 0; i < FILTERS; i++) {
        at += aisp_canvas_printf(canvas, in.row, at, in.columns, AISP_TONE_DIM, "%s ", filter_names[i]);
        at += aisp_canvas_put(canvas, in.row, at, in.columns, t->only[i] ? AISP_TONE_ACCENT | AISP_MARK_BOLD : AISP_TONE_PLAIN,
                              t->only[i] ? t->only[i] : "all");
        at += 3;
    }
}

/* Title and ideas of the picked target. */
static void draw_picked(const struct targets *t, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const json_t *row = aisp_table_picked(&t->table), *v;
    int line = 1;
    size_t i;

    aisp_canvas_rule(canvas, in.row, in.column, in.columns);
    if (!row)
        return;
    aisp_canvas_put(canvas, in.row + line++, in.column + 1, in.columns - 2, AISP_MARK_BOLD,
                    *aisp_json_text(row, "title") ? aisp_json_text(row, "title") : aisp_json_text(row, "target"));
    json_array_foreach(json_object_get(row, "variants"), i, v) {
        if (line >= in.rows)
            break;
        aisp_canvas_put(canvas, in.row + line, in.column + 1, 20, AISP_TONE_ACCENT,
                        aisp_tui_short_name(aisp_json_text(v, "name")));
        aisp_canvas_put(canvas, in.row + line++, in.column + 22, in.columns - 23, AISP_TONE_PLAIN, aisp_json_text(v, "idea"));
    }
}

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct targets *t = (struct targets *)view;
    const int below = in.rows >= 15 ? 7 : 0;
    const struct aisp_rect list = { in.row + 1, in.column, in.rows - 1 - below, in.columns };
    const struct aisp_rect picked = { in.row + in.rows - below, in.column, below, in.columns };

    draw_filters(t, canvas, in);
    aisp_table_draw(&t->table, canvas, list, aisp_view_is_busy(view) ? "reading the targets ..." : "there are no targets here");
    if (below)
        draw_picked(t, canvas, picked);
}

static struct aisp_step run_picked(const struct targets *t, bool is_quick)
{
    const char *target = aisp_json_text(aisp_table_picked(&t->table), "target");
    const char *const list[] = { "bench", "run", "-t", target, is_quick ? "--quick" : NULL, NULL };
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_tui_view *view;

    if (!*target)
        return AISP_STEP_STAY;
    aisp_words_add_all(&words, list);
    view = aisp_live_view_new(&words);
    aisp_words_release(&words);
    return AISP_STEP_OPEN(view);
}

static struct aisp_step show_picked(const struct targets *t)
{
    const char *target = aisp_json_text(aisp_table_picked(&t->table), "target");
    const char *const list[] = { "bench", "show", target, NULL };

    return *target ? AISP_STEP_OPEN(aisp_output_view_of(list)) : AISP_STEP_STAY;
}

static void reload(struct aisp_tui_view *view)
{
    static const char *const words[] = { "bench", "list-targets", "--long", NULL };

    aisp_view_ask(view, AISP_JOB_WANTS_VALUE, words);
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct targets *t = (struct targets *)view;

    if (aisp_table_key(&t->table, key))
        return AISP_STEP_STAY;
    switch (key) {
    case AISP_KEY_ENTER: return show_picked(t);
    case 'r': return run_picked(t, true);
    case 'R': return run_picked(t, false);
    case 'c': turn(t, CHAPTER); return AISP_STEP_STAY;
    case 'd': turn(t, DEVICE); return AISP_STEP_STAY;
    case 'o': turn(t, GOAL); return AISP_STEP_STAY;
    case 'u': reload(view); return AISP_STEP_STAY;
    default: return AISP_STEP_UNUSED;
    }
}

static bool is_typing(const struct aisp_tui_view *view)
{
    return ((const struct targets *)view)->table.list.is_typing;
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct targets *t = (struct targets *)view;

    if (answer->error)
        snprintf(view->said, sizeof view->said, "%s", answer->error);
    else
        aisp_table_set(&t->table, json_object_get(answer->value, "targets"));
}

static void release(struct aisp_tui_view *view)
{
    struct targets *t = (struct targets *)view;

    for (int i = 0; i < FILTERS; i++)
        free(t->only[i]);
    aisp_table_release(&t->table);
}

static const struct aisp_key_help keys[] = {
    { "Enter", "show" }, { "r", "run quickly" }, { "R", "run in full" }, { "/", "search" }, { "c", "chapter" },
    { "d", "device" },   { "o", "goal" },        { "u", "read again" },  { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "Targets", .keys = keys, .draw = draw, .key = key, .is_typing = is_typing, .answer = answer, .free = release,
};

struct aisp_tui_view *aisp_targets_view_new(void)
{
    struct targets *t = aisp_view_new(&class, sizeof *t);

    aisp_table_init(&t->table, columns);
    t->table.lets = lets;
    t->table.context = t;
    reload(&t->view);
    return &t->view;
}

void aisp_targets_view_names(const struct aisp_tui_view *view, struct aisp_words *names)
{
    const json_t *row;
    size_t i;

    json_array_foreach(((const struct targets *)view)->table.rows, i, row)
        aisp_words_add(names, aisp_json_text(row, "target"));
}
