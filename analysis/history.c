/* history.c - rows of the store sorted into series. */
#include "analysis/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/stats/stats.h"
#include "store/query.h"

enum { LEVEL_RUNS = 100 }; /* a level stands on as many runs at most: the centre takes their square of memory */

struct reader {
    const struct aisp_history_spec *spec;
    struct aisp_history *history;
};

static bool is_of(const struct aisp_history_series *s, const struct aisp_result_row *row)
{
    return !strcmp(s->hardware, row->hardware) && !strcmp(s->target, row->target) && !strcmp(s->variant, row->variant) &&
           !strcmp(s->reference, row->reference) && !strcmp(s->device, row->device) && !strcmp(s->size, row->size) &&
           !strcmp(s->goal, row->goal);
}

static struct aisp_history_series *series_of(struct aisp_history *history, const struct aisp_result_row *row)
{
    struct aisp_history_series *s;

    for (size_t i = 0; i < history->n; i++)
        if (is_of(&history->series[i], row))
            return &history->series[i];
    s = aisp_grow(&history->series, &history->n, &history->cap, sizeof *s);
    *s = (struct aisp_history_series){
        .hardware = aisp_xstrdup(row->hardware),
        .target = aisp_xstrdup(row->target),
        .variant = aisp_xstrdup(row->variant),
        .reference = aisp_xstrdup(row->reference),
        .device = aisp_xstrdup(row->device),
        .size = aisp_xstrdup(row->size),
        .goal = aisp_xstrdup(row->goal),
    };
    return s;
}

static void copy_text(char *to, size_t size, const char *text)
{
    *to = '\0';
    strncat(to, text, size - 1);
}

static bool read_row(const struct aisp_result_row *row, void *context)
{
    struct reader *reader = context;
    struct aisp_history_series *s;
    struct aisp_history_run *run;

    if (!*row->verdict || !strcmp(row->verdict, "VERIFIED"))
        return true;
    if (!strcmp(row->size, "custom")) {
        reader->history->n_custom++;
        return true;
    }
    s = series_of(reader->history, row);
    if (s->n == reader->spec->limit) {
        s->n_older++;
        return true;
    }
    run = aisp_grow(&s->run, &s->n, &s->cap, sizeof *run);
    run->started_at = row->started_at;
    run->ratio = row->ratio > 0 && isfinite(row->ratio) ? row->ratio : NAN;
    run->lo95 = row->lo95;
    run->hi95 = row->hi95;
    copy_text(run->run, sizeof run->run, row->run);
    copy_text(run->verdict, sizeof run->verdict, row->verdict);
    copy_text(run->grade, sizeof run->grade, row->grade);
    return true;
}

static void turn_round(struct aisp_history_series *s)
{
    for (size_t i = 0; i < s->n / 2; i++) {
        const struct aisp_history_run kept = s->run[i];

        s->run[i] = s->run[s->n - 1 - i];
        s->run[s->n - 1 - i] = kept;
    }
}

/* ---- what changed ---- */

/* The runs that have a ratio with an interval, and where they stand among all. */
struct known {
    struct aisp_history_point *point;
    struct aisp_noise_run *noise;
    size_t *at, n;
};

static void known_init(struct known *known, const struct aisp_history_series *s)
{
    *known = (struct known){ .point = aisp_xcalloc(s->n + 1, sizeof *known->point),
                             .noise = aisp_xcalloc(s->n + 1, sizeof *known->noise),
                             .at = aisp_xcalloc(s->n + 1, sizeof *known->at) };
    for (size_t i = 0; i < s->n; i++) {
        const struct aisp_history_run *run = &s->run[i];
        const double se = aisp_noise_se_log(run->lo95, run->hi95), x = log(run->ratio);

        if (!isfinite(se) || !isfinite(x))
            continue;
        known->point[known->n] = (struct aisp_history_point){ .log_ratio = x, .se_log = se };
        known->noise[known->n] = (struct aisp_noise_run){ .log_ratio = x, .se_log = se };
        known->at[known->n++] = i;
    }
}

static void known_release(struct known *known)
{
    free(known->point);
    free(known->noise);
    free(known->at);
}

static enum aisp_status find_level(struct aisp_history_series *s, const struct known *known, struct aisp_err *err)
{
    size_t from = s->changes.n ? s->changes.point[s->changes.n - 1].at : 0;
    struct aisp_estimate level;
    enum aisp_status st = AISP_OK;
    double *x;

    s->level_log = s->level_lo_log = s->level_hi_log = NAN;
    if (known->n - from > LEVEL_RUNS)
        from = known->n - LEVEL_RUNS;
    if (known->n == from)
        return AISP_OK;
    x = aisp_xcalloc(known->n - from, sizeof *x);
    for (size_t i = from; i < known->n; i++)
        x[i - from] = known->point[i].log_ratio;
    AISP_TRY(aisp_estimate_pairs(x, known->n - from, 0.05, &level, err));
    s->level_log = level.centre;
    if (level.ci95.exists) {
        s->level_lo_log = level.ci95.lo;
        s->level_hi_log = level.ci95.hi;
    }
out:
    free(x);
    return st;
}

static enum aisp_status look_at(struct aisp_history_series *s, struct aisp_err *err)
{
    const struct aisp_changepoint_rules rules = aisp_changepoint_rules_default();
    struct known known;
    enum aisp_status st;

    turn_round(s);
    known_init(&known, s);
    AISP_TRY(aisp_noise_of(known.noise, known.n, &s->noise, err));
    AISP_TRY(aisp_change_points_find(known.point, known.n, &rules, &s->changes, err));
    AISP_TRY(find_level(s, &known, err));
    for (size_t i = 0; i < s->changes.n; i++) {
        struct aisp_change_point *change = &s->changes.point[i];

        change->at = known.at[change->at];
        change->first = known.at[change->first];
        change->last = known.at[change->last];
    }
out:
    known_release(&known);
    return st;
}

enum aisp_status aisp_history_load(struct aisp_store *store, const struct aisp_history_spec *spec, struct aisp_history *history,
                                   struct aisp_err *err)
{
    const struct aisp_filter filter = { .hardware = spec->hardware,
                                        .target = spec->target,
                                        .variant = spec->variant,
                                        .device = spec->device,
                                        .since = spec->since,
                                        .complete = true };
    struct reader reader = { spec, history };
    enum aisp_status st;

    AISP_TRY(aisp_store_each_result(store, &filter, read_row, &reader, err));
    for (size_t i = 0; i < history->n; i++)
        AISP_TRY(look_at(&history->series[i], err));
out:
    return st;
}

void aisp_history_release(struct aisp_history *history)
{
    for (size_t i = 0; i < history->n; i++) {
        struct aisp_history_series *s = &history->series[i];

        free(s->hardware);
        free(s->target);
        free(s->variant);
        free(s->reference);
        free(s->device);
        free(s->size);
        free(s->goal);
        free(s->run);
        aisp_change_points_release(&s->changes);
    }
    free(history->series);
    *history = (struct aisp_history){ 0 };
}
