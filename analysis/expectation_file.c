/* expectation_file.c - expectations from and to a file. Every field is checked: what is misspelled or cut off is refused and
 * not taken for "nothing is expected". */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/expectation.h"
#include "core/json.h"

enum { FILE_BYTES_MAX = 64 << 20 };

enum kind { TEXT, TEXT_OR_NULL, HASH, COUNT, RATIO, SPREAD, FLAG, PARAMS, OBJECT, OBJECT_OR_NULL, LIST };

struct field { const char *name; enum kind kind; };

static const struct field file_fields[] = {
    { "aisp_expectations", COUNT }, { "hardware", TEXT }, { "chapter", TEXT }, { "rows", LIST },
};
static const struct field row_fields[] = {
    { "target", TEXT },  { "variant", TEXT },         { "reference", TEXT },        { "device", TEXT },
    { "size", TEXT },    { "goal", TEXT },            { "params", PARAMS },         { "threads", COUNT },
    { "hash_of", TEXT }, { "problem_sha256", HASH },  { "reference_sha256", HASH }, { "variant_sha256", HASH },
    { "ratio", RATIO },  { "lo95", RATIO },           { "hi95", RATIO },            { "n_pairs", COUNT },
    { "floor", SPREAD }, { "band", SPREAD },          { "noise", OBJECT_OR_NULL },  { "provenance", OBJECT },
};
static const struct field noise_fields[] = { { "sd_log", SPREAD }, { "sd_log_high", SPREAD }, { "n_runs", COUNT } };
static const struct field provenance_fields[] = {
    { "run", TEXT },  { "commit", TEXT_OR_NULL }, { "dirty", FLAG }, { "date", TEXT },
    { "host", TEXT }, { "aisp", TEXT },           { "grade", TEXT },
};

#define N(array) (sizeof array / sizeof *array)

static bool is_hash(const json_t *value)
{
    const char *text = json_string_value(value);

    return text && strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static bool are_params(const json_t *value)
{
    const json_t *param;
    const char *name;

    json_object_foreach((json_t *)value, name, param)
        if (!json_is_integer(param))
            return false;
    return json_is_object(value);
}

static bool is_real(const json_t *value, double least)
{
    return json_is_number(value) && isfinite(json_number_value(value)) && json_number_value(value) >= least;
}

/* NULL: it is; else what it should be. */
static const char *wrong_kind(const json_t *value, enum kind kind)
{
    switch (kind) {
    case TEXT:
        return json_string_length(value) ? NULL : "has to be a text";
    case TEXT_OR_NULL:
        return json_is_string(value) || json_is_null(value) ? NULL : "has to be a text or null";
    case HASH:
        return is_hash(value) ? NULL : "has to be 64 hex digits";
    case COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 1 ? NULL : "has to be an integer above 0";
    case RATIO:
        return is_real(value, 1e-9) && json_number_value(value) <= 1e9 ? NULL : "has to be a ratio above 0";
    case SPREAD:
        return is_real(value, 0) && json_number_value(value) <= 10 ? NULL : "has to be a logarithm of 0 to 10";
    case FLAG:
        return json_is_boolean(value) ? NULL : "has to be true or false";
    case PARAMS:
        return are_params(value) ? NULL : "has to be an object of integers";
    case OBJECT:
        return json_is_object(value) ? NULL : "has to be an object";
    case OBJECT_OR_NULL:
        return json_is_object(value) || json_is_null(value) ? NULL : "has to be an object or null";
    case LIST:
        return json_is_array(value) ? NULL : "has to be a list";
    }
    return "is unknown";
}

static const struct field *field_of(const struct field *fields, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(fields[i].name, name))
            return &fields[i];
    return NULL;
}

/* All of the fields, each of its kind, and no others. `where` is "NAME: rows[3]" or "NAME:". */
static enum aisp_status check_fields(const json_t *object, const struct field *fields, size_t n, const char *where,
                                     struct aisp_err *err)
{
    const json_t *value;
    const char *name;

    if (!json_is_object(object))
        return aisp_fail(err, AISP_E_USAGE, "%s has to be an object", where);
    json_object_foreach((json_t *)object, name, value)
        if (!field_of(fields, n, name))
            return aisp_fail(err, AISP_E_USAGE, "%s has an unknown field \"%.40s\"", where, name);
    for (size_t i = 0; i < n; i++) {
        const char *wrong;

        value = json_object_get(object, fields[i].name);
        if (!value)
            return aisp_fail(err, AISP_E_USAGE, "%s has no field \"%s\"", where, fields[i].name);
        wrong = wrong_kind(value, fields[i].kind);
        if (wrong)
            return aisp_fail(err, AISP_E_USAGE, "%s.%s %s", where, fields[i].name, wrong);
    }
    return AISP_OK;
}

static enum aisp_status check_noise(const json_t *noise, const char *where, struct aisp_err *err)
{
    char *place = aisp_format("%s.noise", where);
    enum aisp_status st = AISP_OK;

    if (json_is_object(noise)) {
        AISP_TRY(check_fields(noise, noise_fields, N(noise_fields), place, err));
        if (aisp_json_number(noise, "sd_log_high") < aisp_json_number(noise, "sd_log"))
            st = aisp_fail(err, AISP_E_USAGE, "%s.sd_log_high is below sd_log, whose upper bound it is", place);
        else if (json_integer_value(json_object_get(noise, "n_runs")) < AISP_NOISE_MIN_RUNS)
            st = aisp_fail(err, AISP_E_USAGE, "%s.n_runs is below %d: nothing is learned from so few, noise has to be null",
                           place, AISP_NOISE_MIN_RUNS);
    }
out:
    free(place);
    return st;
}

static bool is_goal(const char *goal)
{
    static const char *const goals[] = { "speed", "memory", "throughput", "latency" };

    for (size_t i = 0; i < N(goals); i++)
        if (!strcmp(goal, goals[i]))
            return true;
    return false;
}

static enum aisp_status check_row(const json_t *row, const char *chapter, const char *where, struct aisp_err *err)
{
    char *inner = aisp_format("%s.provenance", where), *group = NULL;
    const struct aisp_ratio r = aisp_figure_ratio(row);
    enum aisp_status st;

    AISP_TRY(check_fields(row, row_fields, N(row_fields), where, err));
    AISP_TRY(check_fields(json_object_get(row, "provenance"), provenance_fields, N(provenance_fields), inner, err));
    AISP_TRY(check_noise(json_object_get(row, "noise"), where, err));
    group = aisp_figure_chapter(aisp_json_text(row, "target"));
    if (strcmp(group, chapter))
        st = aisp_fail(err, AISP_E_USAGE, "%s.target is \"%.60s\", which is not of chapter %.40s", where,
                       aisp_json_text(row, "target"), chapter);
    else if (!is_goal(aisp_json_text(row, "goal")))
        st = aisp_fail(err, AISP_E_USAGE, "%s.goal has to be speed, memory, throughput or latency", where);
    else if (strcmp(aisp_json_text(row, "hash_of"), "code") && strcmp(aisp_json_text(row, "hash_of"), "file"))
        st = aisp_fail(err, AISP_E_USAGE, "%s.hash_of has to be code or file", where);
    else if (!(r.lo95 <= r.ratio && r.ratio <= r.hi95))
        st = aisp_fail(err, AISP_E_USAGE, "%s.ratio is not between its lo95 and hi95", where);
out:
    free(inner);
    free(group);
    return st;
}

static enum aisp_status check_rows(const json_t *rows, const char *chapter, const char *name, struct aisp_err *err)
{
    const json_t *row, *other;
    enum aisp_status st = AISP_OK;
    size_t i, j;

    json_array_foreach(rows, i, row) {
        char *where = aisp_format("%s: rows[%zu]", name, i);

        st = check_row(row, chapter, where, err);
        json_array_foreach(rows, j, other)
            if (!st && j < i && aisp_figure_is_same(row, other))
                st = aisp_fail(err, AISP_E_USAGE, "%s is of the same figure as rows[%zu]; one of them has to go", where, j);
        free(where);
        if (st)
            break;
    }
    return st;
}

enum aisp_status aisp_expectations_parse(const char *text, size_t n, const char *name, json_t **out, struct aisp_err *err)
{
    json_error_t error;
    json_t *json = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    char *where = aisp_format("%s:", name);
    enum aisp_status st;

    *out = NULL;
    if (!json) {
        st = aisp_fail(err, AISP_E_USAGE, "%s: line %d: %.120s", name, error.line, error.text);
        goto out;
    }
    AISP_TRY(check_fields(json, file_fields, N(file_fields), where, err));
    if (json_integer_value(json_object_get(json, "aisp_expectations")) != AISP_EXPECTATIONS_VERSION) {
        st = aisp_fail(err, AISP_E_USAGE, "%s: aisp_expectations is %lld, this aisp knows %d", name,
                       (long long)json_integer_value(json_object_get(json, "aisp_expectations")), AISP_EXPECTATIONS_VERSION);
        goto out;
    }
    AISP_TRY(check_rows(json_object_get(json, "rows"), aisp_json_text(json, "chapter"), name, err));
    *out = json_incref(json);
out:
    json_decref(json);
    free(where);
    return st;
}

static enum aisp_status read_whole(const char *path, struct aisp_buf *out, struct aisp_err *err)
{
    FILE *f = fopen(path, "rbe");
    enum aisp_status st = AISP_OK;
    char part[65536];
    size_t n;

    if (!f && errno == ENOENT)
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: no such file", path);
    if (!f)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", path);
    while ((n = fread(part, 1, sizeof part, f)) > 0 && out->len <= FILE_BYTES_MAX)
        aisp_buf_add(out, part, n);
    if (ferror(f))
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", path);
    else if (out->len > FILE_BYTES_MAX)
        st = aisp_fail(err, AISP_E_USAGE, "%s: more than %d bytes are no expectations", path, FILE_BYTES_MAX);
    fclose(f);
    return st;
}

enum aisp_status aisp_expectations_read(const char *path, const char *hardware, const char *chapter, json_t **out,
                                        struct aisp_err *err)
{
    struct aisp_buf text = AISP_BUF_INIT;
    enum aisp_status st;

    *out = NULL;
    AISP_TRY(read_whole(path, &text, err));
    AISP_TRY(aisp_expectations_parse(text.s ? text.s : "", text.len, path, out, err));
    if (strcmp(aisp_json_text(*out, "hardware"), hardware))
        st = aisp_fail(err, AISP_E_USAGE, "%s: its field hardware says \"%.60s\": it is of another machine than its name", path,
                       aisp_json_text(*out, "hardware"));
    else if (strcmp(aisp_json_text(*out, "chapter"), chapter))
        st = aisp_fail(err, AISP_E_USAGE, "%s: its field chapter says \"%.60s\": it lies beside another one", path,
                       aisp_json_text(*out, "chapter"));
out:
    aisp_buf_release(&text);
    if (st) {
        json_decref(*out);
        *out = NULL;
    }
    return st;
}

/* Seven digits: more than is known of any ratio, and a file that people can read and merge. */
enum aisp_status aisp_expectations_write(const char *path, const json_t *expectations, struct aisp_err *err)
{
    char *text = json_dumps(expectations, JSON_INDENT(1) | JSON_REAL_PRECISION(7)), *beside;
    enum aisp_status st = AISP_OK;
    FILE *f;

    if (!text)
        AISP_BUG("%s: expectations that are no JSON", path);
    beside = aisp_format("%s.%ld.new", path, (long)getpid());
    f = fopen(beside, "wxe");
    if (!f || fprintf(f, "%s\n", text) < 0 || fflush(f) || fsync(fileno(f)) || rename(beside, path)) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
        if (f)
            unlink(beside);
    }
    if (f)
        fclose(f);
    free(beside);
    free(text);
    return st;
}

json_t *aisp_expectations_new(const char *hardware, const char *chapter)
{
    return json_pack("{s:i, s:s, s:s, s:[]}", "aisp_expectations", AISP_EXPECTATIONS_VERSION, "hardware", hardware, "chapter",
                     chapter, "rows");
}

enum aisp_status aisp_expectation_new(const json_t *figure, const struct aisp_noise *noise, const json_t *provenance,
                                      json_t **out, struct aisp_err *err)
{
    char *chapter = aisp_figure_chapter(aisp_json_text(figure, "target"));
    json_t *row = json_object();
    enum aisp_status st;

    for (size_t i = 0; i < N(row_fields); i++) {
        json_t *value = json_object_get(figure, row_fields[i].name);

        if (value)
            json_object_set_new(row, row_fields[i].name, json_deep_copy(value));
    }
    json_object_set_new(row, "noise",
                        noise->is_learned ? json_pack("{s:f, s:f, s:I}", "sd_log", noise->sd_log, "sd_log_high",
                                                      noise->sd_log_high, "n_runs", (json_int_t)noise->n_runs)
                                          : json_null());
    json_object_set_new(row, "provenance", json_deep_copy(provenance));
    st = check_row(row, chapter, "its record", err);
    *out = st ? NULL : json_incref(row);
    json_decref(row);
    free(chapter);
    return st;
}

/* As a file is best read and merged: by name. */
static int order(const json_t *a, const json_t *b)
{
    static const char *const names[] = { "target", "variant", "reference", "device", "size" };
    int by = 0;

    for (size_t i = 0; i < N(names) && !by; i++)
        by = strcmp(aisp_json_text(a, names[i]), aisp_json_text(b, names[i]));
    return by;
}

json_t *aisp_expectations_put(json_t *expectations, json_t *row)
{
    json_t *rows = json_object_get(expectations, "rows"), *other, *was = NULL;
    size_t i;

    json_array_foreach(rows, i, other) {
        if (aisp_figure_is_same(other, row)) {
            was = json_incref(other);
            json_array_set_new(rows, i, row);
            return was;
        }
    }
    for (i = 0; i < json_array_size(rows) && order(json_array_get(rows, i), row) < 0; i++)
        ;
    json_array_insert_new(rows, i, row);
    return NULL;
}
