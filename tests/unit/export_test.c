/* export_test.c - exports read back by the rules of their formats: RFC 4180, JSON, OpenMetrics 1.0. */
#include "tests/unit/report_scene.h"

#include <ctype.h>
#include <time.h>

#include "store/quarantine.h"

#define LABEL   "a\"b\\c\nd=\x1b[0m,{}"
#define FORMULA "=HYPERLINK(\"http://x\",\"y\")"

static const struct spec specs[] = {
    { "k1", "ch07:transpose", "optimized_tiled", "Tiles stay in L1", "FASTER", "publishable", NULL, 8210, 4105, false, 1 },
    { "k2", FORMULA, "@SUM(A1)", "Formula", "UNSURE", "development", NULL, 901, 900, false, 1 },
    { "k3", "ch07:transpose", "optimized_cheat", "Remember answers", "INVALID", "invalid", "an old answer", 8210, 123.4, false,
      1 },
    { "k4", LABEL, "-1+1", "Label", "SAME", "publishable", NULL, 400, 400, false, 1 },
};
enum { N_SPECS = sizeof specs / sizeof *specs };

/* The export of the run as text; caller frees. */
static char *exported(struct fixture *f, const char *format, const char *option)
{
    const char *const argv[] = { "bench", "export", "--format", format, "--artifacts-dir", f->folder, option };
    json_t *value = NULL;
    char *text;

    if (command(f, argv, option ? 7 : 6, &value))
        fail_msg("%s", f->err.text);
    text = aisp_xstrdup(json_string_value(json_object_get(value, "text")));
    json_decref(value);
    return text;
}

/* Of the last run, as the store has it. */
static long long started_at(struct fixture *f)
{
    json_t *runs = NULL, *run;
    long long at = 0;
    size_t i;

    assert_int_equal(aisp_store_runs(f->store, 10, &runs, &f->err), AISP_OK);
    json_array_foreach(runs, i, run) if (!strcmp(json_string_value(json_object_get(run, "run")), f->run)) at =
        json_integer_value(json_object_get(run, "started"));
    json_decref(runs);
    assert_true(at > 0);
    return at;
}

/* ---- CSV ---- */

enum { CELLS_MAX = 400 };
struct table {
    char *cell[CELLS_MAX];
    int n, columns, rows;
};

/* A field of RFC 4180; leaves *at behind it. */
static char *read_cell(const char **at)
{
    struct aisp_buf cell = AISP_BUF_INIT;
    const bool is_quoted = **at == '"';

    *at += is_quoted;
    for (; **at; (*at)++) {
        if (is_quoted && **at == '"' && (*at)[1] != '"')
            break;
        if (is_quoted && **at == '"')
            (*at)++;
        else if (!is_quoted && strchr(",\r", **at))
            break;
        assert_true((unsigned char)**at >= 0x20 && **at != 0x7f);
        if (!is_quoted)
            assert_true(**at != '"');
        aisp_buf_add(&cell, *at, 1);
    }
    if (is_quoted)
        assert_true(*(*at)++ == '"');
    return aisp_buf_detach(&cell);
}

static void read_table(const char *text, struct table *t)
{
    int columns = 0;

    *t = (struct table){ 0 };
    for (const char *at = text; *at;) {
        assert_true(t->n < CELLS_MAX);
        t->cell[t->n++] = read_cell(&at);
        columns++;
        if (*at == ',') {
            at++;
            continue;
        }
        assert_memory_equal(at, "\r\n", 2);
        at += 2;
        t->columns = t->columns ? t->columns : columns;
        assert_int_equal(columns, t->columns);
        t->rows++;
        columns = 0;
    }
}

static const char *cell_of(const struct table *t, const char *key, const char *column)
{
    int key_at = 0, at = 0;

    while (strcmp(t->cell[key_at], "key"))
        key_at++;
    while (strcmp(t->cell[at], column))
        at++;
    assert_true(at < t->columns);
    for (int row = 1; row < t->rows; row++)
        if (!strcmp(t->cell[row * t->columns + key_at], key))
            return t->cell[row * t->columns + at];
    fail_msg("no row %s", key);
    return NULL;
}

static void csv_reads_back_by_the_rules(void **state)
{
    struct fixture *f = *state;
    struct table t;
    char *text, when[32];
    time_t at;

    record(f, specs, N_SPECS);
    text = exported(f, "csv", NULL);
    read_table(text, &t);
    at = (time_t)started_at(f);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&at));
    assert_int_equal(t.rows, 1 + N_SPECS);
    assert_string_equal(t.cell[0], "run");
    assert_string_equal(cell_of(&t, "k1", "run"), f->run);
    assert_string_equal(cell_of(&t, "k1", "started_at_utc"), when);
    assert_string_equal(cell_of(&t, "k1", "ratio"), "2");
    assert_true(strtod(cell_of(&t, "k1", "ratio_low95"), NULL) == 2.0 - 0.01);
    assert_string_equal(cell_of(&t, "k1", "variant_median_ns"), "4105");
    assert_string_equal(cell_of(&t, "k3", "ratio"), ""); /* withheld */
    assert_string_equal(cell_of(&t, "k3", "variant_median_ns"), "");
    assert_string_equal(cell_of(&t, "k1", "variant_energy_joules"), ""); /* not measured */
    for (int i = 0; i < t.n; i++)
        free(t.cell[i]);
    free(text);
}

static void no_text_is_a_formula_to_a_spreadsheet(void **state)
{
    struct fixture *f = *state;
    struct table t;
    char *text;

    record(f, specs, N_SPECS);
    text = exported(f, "csv", NULL);
    read_table(text, &t);
    assert_string_equal(cell_of(&t, "k2", "target"), "'" FORMULA);
    assert_string_equal(cell_of(&t, "k2", "variant"), "'@SUM(A1)");
    assert_string_equal(cell_of(&t, "k4", "variant"), "'-1+1");
    for (int i = 0; i < t.n; i++) {
        char *end;
        const double number = strtod(t.cell[i], &end);

        if (*t.cell[i] && strchr("=+-@", *t.cell[i]))
            assert_true(isfinite(number) && !*end);
        free(t.cell[i]);
    }
    free(text);
}

/* ---- JSON Lines ---- */

static void every_line_of_json_is_an_object_with_all_fields(void **state)
{
    struct fixture *f = *state;
    char *text, *line, *rest;
    int n = 0;

    record(f, specs, N_SPECS);
    text = exported(f, "json", NULL);
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), n++) {
        json_t *row = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        const char *key = json_string_value(json_object_get(row, "key"));

        assert_int_equal(json_object_size(row), 26);
        if (!strcmp(key, "k4"))
            assert_string_equal(json_string_value(json_object_get(row, "target")), LABEL);
        if (!strcmp(key, "k3"))
            assert_true(json_is_null(json_object_get(row, "ratio")));
        if (!strcmp(key, "k1"))
            assert_true(json_number_value(json_object_get(row, "reference_median_ns")) == 8210);
        json_decref(row);
    }
    assert_int_equal(n, N_SPECS);
    free(text);
}

/* ---- OpenMetrics ---- */

struct families {
    char name[40][64], type[40][16];
    int n;
    char *series[400];
    int n_series;
};

static bool is_name(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(isalpha((unsigned char)text[i]) || text[i] == '_' || (i && isdigit((unsigned char)text[i]))))
            return false;
    return n > 0;
}

/* A "# TYPE|UNIT|HELP name text" line: TYPE opens a family, which must be new; the others belong to the open one. */
static void read_metadata(struct families *all, const char *line)
{
    char what[8], name[64], value[300];

    assert_int_equal(sscanf(line, "# %7s %63s %299[^\n]", what, name, value), 3);
    assert_true(is_name(name, strlen(name)));
    if (!strcmp(what, "TYPE")) {
        assert_true(!strcmp(value, "gauge") || !strcmp(value, "info"));
        for (int i = 0; i < all->n; i++)
            assert_string_not_equal(all->name[i], name);
        strcpy(all->name[all->n], name);
        strcpy(all->type[all->n++], value);
        return;
    }
    assert_true(all->n > 0);
    assert_string_equal(all->name[all->n - 1], name);
    assert_true(!strcmp(what, "HELP") || !strcmp(what, "UNIT"));
    if (!strcmp(what, "UNIT")) {
        const size_t unit = strlen(value), length = strlen(name);

        assert_true(length > unit && name[length - unit - 1] == '_' && !strcmp(name + length - unit, value));
    }
}

/* {name="value",...}: names are names and come once, values have no bare quote, backslash or control character. */
static const char *read_labels(const char *at)
{
    char seen[20][32];
    int n = 0;

    assert_true(*at++ == '{');
    do {
        const size_t length = strcspn(at, "=");

        assert_true(is_name(at, length) && length < sizeof seen[0] && n < 20);
        snprintf(seen[n], sizeof seen[0], "%.*s", (int)length, at);
        for (int i = 0; i < n; i++)
            assert_string_not_equal(seen[i], seen[n]);
        n++;
        at += length + 1;
        assert_true(*at++ == '"');
        for (; *at != '"'; at++) {
            assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
            if (*at == '\\')
                assert_true(strchr("n\"\\", *++at) != NULL && *at);
        }
        at++;
    } while (*at++ == ',');
    assert_true(at[-1] == '}');
    return at;
}

/* when: 0 is without a time */
static void read_sample(struct families *all, char *line, long long when)
{
    const char *family = all->name[all->n - 1];
    const bool is_info = !strcmp(all->type[all->n - 1], "info");
    const size_t length = strcspn(line, "{");
    char *wanted = aisp_format("%s%s", family, is_info ? "_info" : ""), *end;
    const char *behind = read_labels(line + length);
    double value;

    assert_true(all->n > 0);
    assert_int_equal(length, strlen(wanted));
    assert_memory_equal(line, wanted, length);
    assert_true(*behind++ == ' ');
    value = strtod(behind, &end);
    assert_true(isfinite(value) && end > behind && (!is_info || value == 1));
    if (when) {
        assert_true(*end++ == ' ');
        assert_int_equal(strtoll(end, &end, 10), when);
    }
    assert_int_equal(*end, 0);
    line[behind - 1 - line] = '\0'; /* name and labels: no series twice */
    for (int i = 0; i < all->n_series; i++)
        assert_string_not_equal(all->series[i], line);
    all->series[all->n_series++] = line;
    free(wanted);
}

/* The whole exposition; `text` is taken apart, and all points into it. */
static void read_openmetrics(char *text, struct families *all, long long when)
{
    const size_t n = strlen(text);
    char *line, *rest;

    *all = (struct families){ 0 };
    assert_true(n >= 6);
    assert_string_equal(text + n - 6, "# EOF\n");
    assert_int_equal(count_of(text, "\n\n"), 0);
    text[n - 6] = '\0';
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (*line == '#')
            read_metadata(all, line);
        else
            read_sample(all, line, when);
    }
}

static int samples_of(const struct families *all, const char *name)
{
    int n = 0;

    for (int i = 0; i < all->n_series; i++)
        n += !strncmp(all->series[i], name, strlen(name)) && all->series[i][strlen(name)] == '{';
    return n;
}

static void openmetrics_follows_its_grammar(void **state)
{
    struct fixture *f = *state;
    struct families all;
    char *text;

    record(f, specs, N_SPECS);
    text = exported(f, "openmetrics", NULL);
    assert_non_null(strstr(text, "target=\"a\\\"b\\\\c\\nd=\xef\xbf\xbd[0m,{}\""));
    assert_non_null(
        strstr(text, "variant=\"optimized_tiled\",reference=\"baseline\",device=\"cpu\",size=\"quick\"} 4.105e-06 "));
    read_openmetrics(text, &all, started_at(f));
    assert_int_equal(samples_of(&all, "aisp_result_info"), N_SPECS);
    assert_int_equal(samples_of(&all, "aisp_speedup_ratio"), N_SPECS - 1); /* one is withheld */
    assert_int_equal(samples_of(&all, "aisp_variant_median_seconds"), N_SPECS - 1);
    assert_int_equal(samples_of(&all, "aisp_reference_median_seconds"), N_SPECS);
    assert_int_equal(samples_of(&all, "aisp_variant_energy_joules"), 0);
    free(text);
    text = exported(f, "openmetrics", "--no-timestamps");
    read_openmetrics(text, &all, 0);
    assert_int_equal(samples_of(&all, "aisp_result_info"), N_SPECS);
    free(text);
}

static void of_all_runs_openmetrics_has_one_sample_of_a_series(void **state)
{
    struct fixture *f = *state;
    struct families all;
    struct table t;
    char *text;

    record(f, specs, N_SPECS);
    record(f, specs, N_SPECS);
    text = exported(f, "csv", "--all");
    read_table(text, &t);
    assert_int_equal(t.rows, 1 + 2 * N_SPECS);
    for (int i = 0; i < t.n; i++)
        free(t.cell[i]);
    free(text);
    text = exported(f, "openmetrics", "--all");
    read_openmetrics(text, &all, started_at(f));
    assert_int_equal(samples_of(&all, "aisp_result_info"), N_SPECS);
    free(text);
}

static void who_is_in_quarantine_is_marked_and_has_no_sample(void **state)
{
    struct aisp_quarantine_entry entry = { "ch07:transpose", "optimized_tiled", "cpu", NULL, "stale-cache", "it was wrong" };
    struct fixture *f = *state;
    struct families all;
    struct table t;
    char *text;

    record(f, specs, N_SPECS);
    entry.run = f->run;
    assert_int_equal(aisp_store_quarantine_put(f->store, &entry, &f->err), AISP_OK);
    text = exported(f, "csv", NULL);
    read_table(text, &t);
    assert_string_equal(cell_of(&t, "k1", "quarantined"), "true");
    assert_string_equal(cell_of(&t, "k4", "quarantined"), "false");
    for (int i = 0; i < t.n; i++)
        free(t.cell[i]);
    free(text);
    text = exported(f, "openmetrics", NULL);
    read_openmetrics(text, &all, started_at(f));
    assert_int_equal(samples_of(&all, "aisp_speedup_ratio"), N_SPECS - 2);
    free(text);
}

/* ---- Markdown, and files ---- */

static void markdown_is_one_table_in_which_nothing_is_markup(void **state)
{
    static const struct spec nasty = { "k", NASTY, NASTY, NASTY, "FASTER", "development", NULL, 500, 250, false, 1 };
    struct fixture *f = *state;
    char *text;

    record(f, &nasty, 1);
    text = exported(f, "markdown", NULL);
    assert_int_equal(count_of(text, "\n"), 3);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "[x]"));
    assert_non_null(strstr(text, "| 500 ns | 250 ns | 2.000 \\[1.990, 2.010\\] | FASTER | development |\n"));
    free(text);
}

static void a_file_is_written_whole_or_not_at_all(void **state)
{
    struct fixture *f = *state;
    char *path = aisp_format("%s/out.csv", f->folder), *nowhere = aisp_format("%s/no/such.csv", f->folder);
    const char *const good[] = { "bench", "export", "-o", path, "--artifacts-dir", f->folder };
    const char *const bad[] = { "bench", "export", "-o", nowhere, "--artifacts-dir", f->folder };
    json_t *value = NULL;
    struct stat st;

    record(f, specs, N_SPECS);
    assert_int_equal(command(f, good, 6, &value), AISP_OK);
    assert_true(json_is_null(json_object_get(value, "text")));
    assert_int_equal(json_integer_value(json_object_get(value, "n_results")), N_SPECS);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size > 500);
    json_decref(value);
    value = NULL;
    assert_int_equal(command(f, bad, 6, &value), AISP_E_IO);
    assert_non_null(strstr(f->err.text, nowhere));
    free(path);
    free(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(csv_reads_back_by_the_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_text_is_a_formula_to_a_spreadsheet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_line_of_json_is_an_object_with_all_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(openmetrics_follows_its_grammar, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_all_runs_openmetrics_has_one_sample_of_a_series, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_is_in_quarantine_is_marked_and_has_no_sample, set_up, tear_down),
        cmocka_unit_test_setup_teardown(markdown_is_one_table_in_which_nothing_is_markup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_is_written_whole_or_not_at_all, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
