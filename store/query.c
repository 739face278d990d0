/* query.c - one SELECT for each kind of question, made of the filter; rows handed on one by one.
 * Which table is walked first is said here (CROSS JOIN), not left to the engine: it does not know that a target has a thousand
 * figures and a device a million.
 *   names that few results have (hardware, target, ...)   series by its indexes, then each series' stretch of figures
 *   anything else                                         figures by time, newest first, until the limit
 *   the latest                                            their own table */
#include "store/query.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "store/index.h"

#define FIGURES                                                                                                             \
    "f.series, f.id, f.started_at, f.ratio, f.lo95, f.hi95, f.a_median_ns, f.b_median_ns, f.b_p99_ns, f.a_memory_bytes,"     \
    " f.b_memory_bytes, f.a_energy_j, f.b_energy_j, f.a_per_second, f.b_per_second"
#define TEXTS "f.machine, f.run, f.key, f.goal, f.grade, f.verdict"
#define NAMES "s.hardware, s.target, s.variant, s.reference, s.device, s.size"
enum { AT_RATIO = 3, AT_TEXTS = 15, AT_NAMES = 21, N_NAMES = 6, PARAMS_MAX = 16 };

/* A statement and its values, as they are put together. */
struct select {
    struct aisp_buf sql;
    const char *value[PARAMS_MAX];
    char number[7][24];
    int n, n_numbers;
    int64_t sealed_to;       /* no run is open, and all results up to this number are of sealed ones; -1: some run is open */
};

/* A new parameter; its number. */
static int param(struct select *q, const char *value)
{
    q->value[q->n] = value;
    return ++q->n;
}

static int number_param(struct select *q, int64_t value)
{
    char *text = q->number[q->n_numbers++];

    snprintf(text, sizeof q->number[0], "%lld", (long long)value);
    return param(q, text);
}

static bool is_pattern(const char *text) { return strpbrk(text, "*?") != NULL; }

static void where_name(struct select *q, const char *column, const char *wanted)
{
    if (!wanted)
        return;
    if (is_pattern(wanted))
        aisp_buf_printf(&q->sql, " AND glob(?%d, %s)", param(q, wanted), column);
    else
        aisp_buf_printf(&q->sql, " AND %s = ?%d", column, param(q, wanted));
}

/* Conditions on the run, of the table called `t`. */
static void where_run(struct select *q, const struct aisp_filter *f, const char *t)
{
    char column[16];

    snprintf(column, sizeof column, "%s.run", t);
    where_name(q, column, f->run);
    if (f->run && !is_pattern(f->run))     /* narrows it to one moment, which has an index */
        aisp_buf_printf(&q->sql, " AND %s.started_at = (SELECT started_at FROM run WHERE id = ?%d)", t, param(q, f->run));
    if (f->since)
        aisp_buf_printf(&q->sql, " AND %s.started_at >= CAST(?%d AS BIGINT)", t, number_param(q, f->since));
    if (f->until)
        aisp_buf_printf(&q->sql, " AND %s.started_at <= CAST(?%d AS BIGINT)", t, number_param(q, f->until));
    if ((f->complete || f->latest) && q->sealed_to < 0)
        aisp_buf_printf(&q->sql, " AND %s.run NOT IN (SELECT run FROM open_run)", t);
    else if (f->complete || f->latest)
        aisp_buf_printf(&q->sql, " AND %s.id <= CAST(?%d AS BIGINT)", t, number_param(q, q->sealed_to));
}

static void where_series(struct select *q, const struct aisp_filter *f, const char *chapter)
{
    where_name(q, "s.hardware", f->hardware);
    where_name(q, "s.target", f->target);
    where_name(q, "s.target", chapter);
    where_name(q, "s.variant", f->variant);
    where_name(q, "s.device", f->device);
}

/* Which figure of a series is the latest, where not simply the newest is asked for. */
static void where_latest_of(struct select *q, const struct aisp_filter *f)
{
    aisp_buf_puts(&q->sql, " AND (f.started_at, f.id) = (SELECT x.started_at, x.id FROM figure x WHERE x.series = s.id");
    where_run(q, f, "x");
    aisp_buf_puts(&q->sql, " ORDER BY x.started_at DESC, x.id DESC LIMIT 1)");
}

static void compose(struct select *q, const struct aisp_filter *f, const char *chapter)
{
    const bool is_newest = f->latest && !f->run && !f->until;
    const bool by_name = f->latest || f->hardware || f->target || chapter || f->variant;

    aisp_buf_puts(&q->sql, "SELECT " FIGURES ", " TEXTS ", " NAMES);
    if (is_newest)
        aisp_buf_puts(&q->sql, " FROM newest f JOIN series s ON s.id = f.series WHERE 0 = 0");
    else if (by_name && !(f->run && !is_pattern(f->run)))
        aisp_buf_puts(&q->sql, " FROM series s CROSS JOIN figure f WHERE f.series = s.id");
    else
        aisp_buf_puts(&q->sql, " FROM figure f CROSS JOIN series s WHERE s.id = f.series");
    where_series(q, f, chapter);
    if (is_newest && f->since)
        aisp_buf_printf(&q->sql, " AND f.started_at >= CAST(?%d AS BIGINT)", number_param(q, f->since));
    else if (f->latest && !is_newest)
        where_latest_of(q, f);
    else if (!is_newest)
        where_run(q, f, "f");
    if (f->after_id)
        aisp_buf_printf(&q->sql, " AND (f.started_at, f.id) < (CAST(?%d AS BIGINT), CAST(?%d AS BIGINT))",
                        number_param(q, f->after_at), number_param(q, f->after_id));
    where_name(q, "f.goal", f->goal);
    where_name(q, "f.grade", f->grade);
    if (!f->any_order)
        aisp_buf_puts(&q->sql, " ORDER BY f.started_at DESC, f.id DESC");
    if (f->limit > 0)
        aisp_buf_printf(&q->sql, " LIMIT CAST(?%d AS BIGINT)", number_param(q, f->limit));
}

/* ---- rows ---- */

/* Texts that many rows share: of machines all, of series the last one met. */
struct shared {
    char **host;                 /* by number of the machine */
    int64_t n_hosts, series;
    struct aisp_buf names;       /* N_NAMES texts, each terminated */
};

static enum aisp_status read_hosts(struct aisp_store *store, struct shared *shared, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store, "SELECT id, host FROM machine ORDER BY id DESC", NULL, 0, &stmt, err));
    for (;;) {
        int64_t id;

        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        id = aisp_db_column_int(stmt, 0);
        if (!shared->host) {                                   /* the largest number comes first */
            shared->n_hosts = id + 1;
            shared->host = aisp_xcalloc((size_t)shared->n_hosts, sizeof *shared->host);
        }
        if (id >= 0 && id < shared->n_hosts && !shared->host[id])
            shared->host[id] = aisp_xstrdup(aisp_db_column_text(stmt, 1));
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

static void shared_release(struct shared *shared)
{
    for (int64_t i = 0; i < shared->n_hosts; i++)
        free(shared->host[i]);
    free(shared->host);
    aisp_buf_release(&shared->names);
}

static const char *text_of(struct aisp_stmt *stmt, int column)
{
    const char *text = aisp_db_column_text(stmt, column);

    return text ? text : "";
}

static double real_of(struct aisp_stmt *stmt, int column)
{
    const double x = aisp_db_column_real(stmt, column);

    return x == 0 && aisp_db_column_is_null(stmt, column) ? NAN : x;
}

/* The six texts, one behind the other, as the row's names. */
static void set_names(struct aisp_result_row *row, const char *at)
{
    const char **name[N_NAMES] = { &row->hardware, &row->target, &row->variant, &row->reference, &row->device, &row->size };

    for (int i = 0; i < N_NAMES; i++, at += strlen(at) + 1)
        *name[i] = at;
}

static void add_names(struct aisp_stmt *stmt, int first, struct aisp_buf *to)
{
    for (int i = 0; i < N_NAMES; i++) {
        const char *text = text_of(stmt, first + i);

        aisp_buf_add(to, text, strlen(text) + 1);
    }
}

static void read_names(struct aisp_stmt *stmt, struct shared *shared, struct aisp_result_row *row)
{
    const int64_t series = aisp_db_column_int(stmt, 0);

    if (shared->names.s && series == shared->series)
        return;
    shared->names.len = 0;
    add_names(stmt, AT_NAMES, &shared->names);
    set_names(row, shared->names.s);
    shared->series = series;
}

static void read_figures(struct aisp_stmt *stmt, struct aisp_result_row *row)
{
    double *figure[] = { &row->ratio,       &row->lo95,     &row->hi95,           &row->a_median_ns,
                         &row->b_median_ns, &row->b_p99_ns, &row->a_memory_bytes, &row->b_memory_bytes,
                         &row->a_energy_j,  &row->b_energy_j, &row->a_per_second, &row->b_per_second };

    row->id = aisp_db_column_int(stmt, 1);
    row->started_at = aisp_db_column_int(stmt, 2);
    for (int i = 0; i < (int)(sizeof figure / sizeof *figure); i++)
        *figure[i] = real_of(stmt, AT_RATIO + i);
}

static void read_texts(struct aisp_stmt *stmt, const struct shared *shared, struct aisp_result_row *row)
{
    const char **text[] = { &row->run, &row->key, &row->goal, &row->grade, &row->verdict };
    const int64_t machine = aisp_db_column_int(stmt, AT_TEXTS);

    row->host = machine >= 0 && machine < shared->n_hosts && shared->host[machine] ? shared->host[machine] : "";
    for (int i = 0; i < (int)(sizeof text / sizeof *text); i++)
        *text[i] = text_of(stmt, AT_TEXTS + 1 + i);
}

/* One question on its way. */
struct walk {
    struct aisp_store *store;
    const struct aisp_filter *filter;
    const char *chapter;             /* as a pattern of targets; or NULL */
    aisp_result_visitor *visit;
    void *context;
    struct shared shared;
    struct select q;
    struct aisp_stmt *stmt;
    struct aisp_result_row row;
    int64_t left;                    /* rows that may still be visited */
};

static enum aisp_status each_of_one_select(struct walk *w, struct aisp_err *err)
{
    enum aisp_status st;
    bool row;

    compose(&w->q, w->filter, w->chapter);
    AISP_TRY(aisp_db_prepare(w->store, w->q.sql.s, w->q.value, w->q.n, &w->stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(w->store, w->stmt, &row, err));
        if (!row)
            break;
        read_figures(w->stmt, &w->row);
        read_texts(w->stmt, &w->shared, &w->row);
        read_names(w->stmt, &w->shared, &w->row);
        if (!w->visit(&w->row, w->context))
            break;
    }
out:
    return st;
}

/* Mostly no run is open: then one number does for what would have to be looked up for each row. What is added meanwhile is
 * beyond that number, so the answer is that of this moment. */
static enum aisp_status read_sealed_to(struct walk *w, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(w->store,
                             "SELECT (SELECT count(*) FROM open_run), (SELECT coalesce(max(rowid), 0) FROM result)", NULL, 0,
                             &stmt, err));
    AISP_TRY(aisp_db_step(w->store, stmt, &row, err));
    w->q.sealed_to = row && !aisp_db_column_int(stmt, 0) ? aisp_db_column_int(stmt, 1) : -1;
out:
    aisp_db_finalize(stmt);
    return st;
}

/* ---- in any order: series by series ---- */

/* Numbers and names of the series that the filter names: "number", six names, "number", ... */
static enum aisp_status list_series(struct walk *w, struct aisp_buf *list, struct aisp_err *err)
{
    struct select q = { .sql = AISP_BUF_INIT };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    aisp_buf_puts(&q.sql, "SELECT " NAMES ", s.id FROM series s WHERE 0 = 0");
    where_series(&q, w->filter, w->chapter);
    AISP_TRY(aisp_db_prepare(w->store, q.sql.s, q.value, q.n, &stmt, err));
    for (;;) {
        const char *number;

        AISP_TRY(aisp_db_step(w->store, stmt, &row, err));
        if (!row)
            break;
        number = text_of(stmt, N_NAMES);
        aisp_buf_add(list, number, strlen(number) + 1);
        add_names(stmt, 0, list);
    }
out:
    aisp_db_finalize(stmt);
    aisp_buf_release(&q.sql);
    return st;
}

/* The figures of the series ?1, whose names the row has. */
static enum aisp_status each_of_series(struct walk *w, struct aisp_err *err)
{
    enum aisp_status st;
    bool row;

    if (w->stmt)
        AISP_TRY(aisp_db_rebind(w->stmt, w->q.value, w->q.n, err));
    else
        AISP_TRY(aisp_db_prepare(w->store, w->q.sql.s, w->q.value, w->q.n, &w->stmt, err));
    while (w->left) {
        AISP_TRY(aisp_db_step(w->store, w->stmt, &row, err));
        if (!row)
            break;
        read_figures(w->stmt, &w->row);
        if (!w->filter->figures_only)
            read_texts(w->stmt, &w->shared, &w->row);
        w->left--;
        if (!w->visit(&w->row, w->context))
            w->left = 0;
    }
out:
    return st;
}

/* Without sorting, and without names in every row: quicker where SQL is a call and not a round trip. */
static enum aisp_status each_by_series(struct walk *w, struct aisp_err *err)
{
    struct aisp_buf list = AISP_BUF_INIT;
    enum aisp_status st;

    AISP_TRY(list_series(w, &list, err));
    param(&w->q, NULL);
    aisp_buf_printf(&w->q.sql, "SELECT " FIGURES "%s FROM figure f WHERE f.series = CAST(?1 AS BIGINT)",
                    w->filter->figures_only ? "" : ", " TEXTS);
    w->row.run = w->row.key = w->row.host = w->row.goal = w->row.grade = w->row.verdict = "";
    where_run(&w->q, w->filter, "f");
    where_name(&w->q, "f.goal", w->filter->goal);
    where_name(&w->q, "f.grade", w->filter->grade);
    w->left = w->filter->limit > 0 ? w->filter->limit : INT64_MAX;
    for (const char *at = list.s; at && at < list.s + list.len && w->left;) {
        w->q.value[0] = at;
        set_names(&w->row, at + strlen(at) + 1);
        at = w->row.size + strlen(w->row.size) + 1;          /* the last of the names */
        AISP_TRY(each_of_series(w, err));
    }
out:
    aisp_buf_release(&list);
    return st;
}

enum aisp_status aisp_store_each_result(struct aisp_store *store, const struct aisp_filter *filter, aisp_result_visitor *visit,
                                        void *context, struct aisp_err *err)
{
    const bool by_series = filter->any_order && !filter->latest && !filter->run && !aisp_db_keeps_evidence(store);
    char *chapter = filter->chapter ? aisp_format("%s:*", filter->chapter) : NULL;
    struct walk w = { .store = store, .filter = filter, .chapter = chapter, .visit = visit, .context = context,
                      .shared = { .series = -1 } };
    enum aisp_status st;

    AISP_TRY(aisp_index_exists(store, err));
    AISP_TRY(read_hosts(store, &w.shared, err));
    AISP_TRY(read_sealed_to(&w, err));
    st = by_series ? each_by_series(&w, err) : each_of_one_select(&w, err);
out:
    aisp_db_finalize(w.stmt);
    aisp_buf_release(&w.q.sql);
    shared_release(&w.shared);
    free(chapter);
    return st;
}

/* ---- how much ---- */

enum aisp_status aisp_store_count(struct aisp_store *store, struct aisp_store_counts *counts, struct aisp_err *err)
{
    static const char sql[] =
        "WITH o AS (SELECT f.grade FROM open_run CROSS JOIN run r CROSS JOIN figure f WHERE r.id = open_run.run AND"
        "  f.started_at = r.started_at AND f.run = open_run.run)"
        " SELECT (SELECT count(*) FROM run),"
        " (SELECT coalesce(sum(n), 0) FROM tally) + (SELECT count(*) FROM o),"
        " (SELECT coalesce(sum(n_invalid), 0) FROM tally) + (SELECT count(*) FROM o WHERE grade = 'invalid'),"
        " (SELECT count(DISTINCT target) FROM series), (SELECT count(*) FROM machine),"
        " (SELECT coalesce(max(started_at), 0) FROM figure)";
    int64_t *to[] = {
        &counts->runs, &counts->results, &counts->invalid, &counts->targets, &counts->machines, &counts->newest_at
    };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_index_exists(store, err));
    AISP_TRY(aisp_db_prepare(store, sql, NULL, 0, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    for (int i = 0; i < (int)(sizeof to / sizeof *to); i++)
        *to[i] = row ? aisp_db_column_int(stmt, i) : 0;
out:
    aisp_db_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_hardware(struct aisp_store *store, json_t **out, struct aisp_err *err)
{
    json_t *list = json_array();
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_index_exists(store, err));
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT s.hardware, sum(t.n), max(n.started_at) FROM tally t JOIN series s ON s.id = t.series"
                             " JOIN newest n ON n.series = t.series GROUP BY s.hardware ORDER BY s.hardware",
                             NULL, 0, &stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "hardware", text_of(stmt, 0), "results",
                                              (json_int_t)aisp_db_column_int(stmt, 1), "newest_at",
                                              (json_int_t)aisp_db_column_int(stmt, 2)));
    }
    *out = json_incref(list);
out:
    aisp_db_finalize(stmt);
    json_decref(list);
    return st;
}
