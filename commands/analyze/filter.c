/* filter.c - from options to rows. */
#include "commands/analyze/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/quarantine.h"

/* An option that the command may not have. */
static const char *text_if_any(const struct aisp_args *args, const char *name)
{
    for (size_t i = 0; i < args->n_values; i++)
        if (!strcmp(args->value[i].option->name, name))
            return aisp_args_text(args, name);
    return NULL;
}

void aisp_filter_read(const struct aisp_args *args, struct aisp_filter *filter, char **scratch)
{
    const char *target = aisp_args_text(args, "target");

    *scratch = NULL;
    *filter = (struct aisp_filter){ .hardware = aisp_args_text(args, "hardware"),
                                    .chapter = aisp_args_text(args, "chapter"),
                                    .target = target,
                                    .device = aisp_args_text(args, "device"),
                                    .goal = aisp_args_text(args, "goal"),
                                    .grade = aisp_args_text(args, "grade"),
                                    .complete = true,
                                    .latest = true };
    if (target && !strchr(target, ':')) {
        *scratch = aisp_format(strcmp(target, "labs") ? "%s:*" : "%s/*", target);
        filter->target = *scratch;
    }
}

/* ---- what nothing recorded has ---- */

static const char *chapter_of(struct aisp_rows *texts, const char *target)
{
    char *chapter = aisp_xstrdup(target);
    const char *kept;

    chapter[strcspn(chapter, ":")] = '\0';
    kept = aisp_rows_text(texts, chapter);
    free(chapter);
    return kept;
}

enum { NAMES_MAX = 512 };

struct names {
    struct aisp_rows texts;
    enum field { HARDWARE, CHAPTER, TARGET, DEVICE } field;
    const char *name[NAMES_MAX];
    size_t n;
};

static bool take_name(const struct aisp_result_row *row, void *context)
{
    struct names *names = context;
    const char *name = names->field == HARDWARE  ? aisp_rows_text(&names->texts, row->hardware)
                       : names->field == CHAPTER ? chapter_of(&names->texts, row->target)
                       : names->field == TARGET  ? aisp_rows_text(&names->texts, row->target)
                                                 : aisp_rows_text(&names->texts, row->device);

    for (size_t i = 0; i < names->n; i++)
        if (names->name[i] == name)
            return true;
    names->name[names->n++] = name;
    return names->n < NAMES_MAX;
}

static bool take_one(const struct aisp_result_row *row, void *context)
{
    (void)row;
    *(bool *)context = true;
    return false;
}

static enum aisp_status fail_unknown(struct aisp_store *store, enum field field, const char *what, const char *text,
                                     struct aisp_err *err)
{
    const struct aisp_filter all = { .complete = true, .latest = true };
    struct names *names = aisp_xcalloc(1, sizeof *names);
    const char *nearest;
    enum aisp_status st;

    names->field = field;
    AISP_TRY(aisp_store_each_result(store, &all, take_name, names, err));
    nearest = aisp_nearest(text, names->name, names->n);
    if (!names->n)
        st = aisp_fail(err, AISP_E_NOT_FOUND, "no complete run is recorded here; `aisp bench run -t ch01` records one");
    else if (nearest)
        st = aisp_fail(err, AISP_E_NOT_FOUND, "no recorded result is of %s \"%s\": did you mean %s?", what, text, nearest);
    else
        st = aisp_fail(err, AISP_E_NOT_FOUND, "no recorded result is of %s \"%s\"; recorded are %s%s%s%s", what, text,
                       names->name[0], names->n > 1 ? ", " : "", names->n > 1 ? names->name[1] : "",
                       names->n > 2 ? ", ..." : "");
out:
    aisp_rows_release(&names->texts);
    free(names);
    return st;
}

/* Is one of the names the reason why there is nothing? */
static enum aisp_status check_names(struct aisp_store *store, const struct aisp_request *request,
                                    const struct aisp_filter *filter)
{
    const struct { enum field field; const char *option, *pattern; } name[] = {
        { HARDWARE, "hardware", filter->hardware },
        { CHAPTER, "chapter", filter->chapter },
        { TARGET, "target", filter->target },
        { DEVICE, "device", filter->device },
    };
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct aisp_filter alone = { .complete = true, .limit = 1 };
        const char *given = aisp_args_text(request->args, name[i].option);
        bool any = false;

        if (!name[i].pattern || !given)
            continue;
        alone.hardware = name[i].field == HARDWARE ? name[i].pattern : NULL;
        alone.chapter = name[i].field == CHAPTER ? name[i].pattern : NULL;
        alone.target = name[i].field == TARGET ? name[i].pattern : NULL;
        alone.device = name[i].field == DEVICE ? name[i].pattern : NULL;
        AISP_TRY(aisp_store_each_result(store, &alone, take_one, &any, request->err));
        if (!any) /* "-t ch7" names a chapter */
            return fail_unknown(store, name[i].field == TARGET && !strchr(given, ':') ? CHAPTER : name[i].field,
                                name[i].option, given, request->err);
    }
out:
    return st;
}

/* ---- the selection ---- */

static bool take_hardware(const struct aisp_result_row *row, void *context)
{
    *(char **)context = aisp_xstrdup(row->hardware);
    return false;
}

static bool is_in(const json_t *quarantined, const struct aisp_result_row *row)
{
    return aisp_quarantine_find(quarantined, row->target, row->variant, row->device) ||
           aisp_quarantine_find(quarantined, row->target, row->reference, row->device);
}

/* Whose variant or reference was found wrong since counts as invalid, until it passes again. */
static enum aisp_status leave_out_quarantined(struct aisp_selection *s, struct aisp_err *err)
{
    struct aisp_rows *rows = &s->rows;
    json_t *quarantined = NULL;
    size_t n = 0;
    enum aisp_status st = aisp_store_quarantine_list(s->store, &quarantined, err);

    for (size_t i = 0; i < rows->n && json_array_size(quarantined); i++) {
        struct aisp_result_row *row = &rows->row[i];

        if (is_in(quarantined, row)) {
            s->n_quarantined++;
            row->grade = "invalid";
            row->verdict = AISP_QUARANTINED;
            row->ratio = row->lo95 = row->hi95 = NAN;
            if (!s->want.invalid)
                continue;
        }
        rows->row[n++] = *row;
    }
    if (json_array_size(quarantined))
        rows->n = n;
    json_decref(quarantined);
    return st;
}

enum aisp_status aisp_selection_init(struct aisp_selection *s, const struct aisp_request *request,
                                     const struct aisp_selection_how *how)
{
    struct aisp_filter *filter = &s->want.filter;
    enum aisp_status st;

    *s = (struct aisp_selection)AISP_SELECTION_INIT;
    aisp_filter_read(request->args, filter, &s->scratch);
    filter->latest = !how->every;
    filter->any_order = true;
    s->want.invalid = how->invalid;
    s->want.size = how->any_size ? NULL : text_if_any(request->args, "size");
    s->want.reference = how->any_reference ? NULL : text_if_any(request->args, "reference");
    AISP_TRY(aisp_store_open(&s->store, request->artifacts_dir, false, request->err));
    if (how->any_hardware && filter->hardware) {
        s->hardware = aisp_xstrdup(filter->hardware);
    } else {
        struct aisp_filter newest = *filter;

        newest.any_order = false;
        newest.limit = 1;                    /* by time it is found at once, by name among the newest of each */
        newest.latest = filter->target || filter->chapter || filter->hardware;
        AISP_TRY(aisp_store_each_result(s->store, &newest, take_hardware, &s->hardware, request->err));
        if (s->hardware)
            filter->hardware = s->hardware;
    }
    if (s->hardware)
        AISP_TRY(aisp_rows_collect(&s->rows, s->store, &s->want, request->err));
    if (s->rows.n)
        AISP_TRY(leave_out_quarantined(s, request->err));
    if (!s->rows.n_seen)
        AISP_TRY(check_names(s->store, request, filter));
out:
    return st;
}

void aisp_selection_release(struct aisp_selection *s)
{
    aisp_rows_release(&s->rows);
    aisp_store_close(s->store);
    json_decref(s->run);
    free(s->hardware);
    free(s->scratch);
    *s = (struct aisp_selection)AISP_SELECTION_INIT;
}

static int by_group(const void *a, const void *b)
{
    const struct aisp_result_row *x = a, *y = b;
    int order = aisp_row_group_order(x, y);

    if (!order)
        order = strcmp(x->variant, y->variant);
    return order ? order : (x->id < y->id) - (x->id > y->id); /* the newest first */
}

void aisp_selection_sort(struct aisp_selection *s)
{
    if (s->rows.n)
        qsort(s->rows.row, s->rows.n, sizeof *s->rows.row, by_group);
}

const json_t *aisp_selection_result(struct aisp_selection *s, const struct aisp_result_row *row)
{
    const char *loaded = json_string_value(json_object_get(s->run, "run"));
    const json_t *result;
    size_t i;

    if (!loaded || strcmp(loaded, row->run)) {
        json_decref(s->run);
        s->run = NULL;
        if (aisp_store_run_load(s->store, row->run, &s->run, NULL))
            return NULL;
    }
    json_array_foreach(json_object_get(s->run, "results"), i, result) {
        const char *key = json_string_value(json_object_get(result, "key"));

        if (key && !strcmp(key, row->key))
            return result;
    }
    return NULL;
}

const char *aisp_selection_unit(struct aisp_selection *s, const struct aisp_result_row *row)
{
    const char *unit = NULL;

    if (aisp_row_counts_units(row))
        unit = json_string_value(json_object_get(json_object_get(aisp_selection_result(s, row), "per_second"), "unit"));
    return unit ? unit : aisp_row_counts_units(row) ? "unit" : "call";
}

/* What a user wrote need not be text at all. */
static json_t *text_json(const char *text)
{
    json_t *json = text ? json_string(text) : NULL;

    return json ? json : json_null();
}

json_t *aisp_selection_json(const struct aisp_selection *s)
{
    const struct aisp_rows *r = &s->rows;
    size_t n = r->n, n_invalid = r->n_invalid, n_no_ratio = r->n_no_ratio;
    json_t *left_out;

    for (size_t i = 0; s->want.invalid && i < r->n; i++)
        if (!strcmp(r->row[i].verdict, AISP_QUARANTINED)) {
            n--;
        } else if (!aisp_row_is_valid(&r->row[i])) {
            *(strcmp(r->row[i].grade, "invalid") ? &n_no_ratio : &n_invalid) += 1;
            n--;
        }
    left_out = json_pack("{s:I, s:I, s:I, s:I, s:I}", "invalid", (json_int_t)n_invalid, "quarantined",
                         (json_int_t)s->n_quarantined, "no_ratio", (json_int_t)n_no_ratio,
                         "other_size", (json_int_t)r->n_other_size, "other_reference", (json_int_t)r->n_other_reference);
    if (r->other_size)
        json_object_set_new(left_out, "a_size", json_string(r->other_size));
    if (r->other_reference)
        json_object_set_new(left_out, "a_reference", json_string(r->other_reference));
    return json_pack("{s:o, s:o, s:o, s:I, s:o}", "hardware", text_json(s->hardware), "size", text_json(s->want.size),
                     "reference", text_json(s->want.reference), "n_results", (json_int_t)n, "left_out", left_out);
}
