/* table.c - what became of all breaks: a row a chapter, then variants with too few of them, then what was missed; with --all
 * every break. */
#include "tests/breaks/breaks.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Of one variant, or the sum of some. */
struct row { char name[AISP_ID_MAX + AISP_NAME_MAX]; int n[N_FATES], n_variants, n_few; };
struct rows { struct row *item; size_t n, cap; };

static struct row *row_of(struct rows *rows, const char *name, size_t n)
{
    struct row *row;

    for (size_t i = 0; i < rows->n; i++)
        if (!strncmp(rows->item[i].name, name, n) && !rows->item[i].name[n])
            return &rows->item[i];
    row = aisp_grow(&rows->item, &rows->n, &rows->cap, sizeof *row);
    snprintf(row->name, sizeof row->name, "%.*s", (int)n, name);
    return row;
}

static int n_found(const struct row *r)
{
    return r->n[FATE_OUTPUT] + r->n[FATE_CRASH] + r->n[FATE_OTHER];
}

static void add_row(struct row *to, const struct row *variant, int wanted)
{
    for (int f = 0; f < N_FATES; f++)
        to->n[f] += variant->n[f];
    to->n_variants++;
    to->n_few += n_found(variant) + variant->n[FATE_MISSED] < wanted;
}

static void print_row(const struct row *r)
{
    int tried = 0;

    for (int f = 0; f < N_FATES; f++)
        tried += r->n[f];
    printf("%-8s %8d %7d %8d %6d %7d %9d | %7d %6d %6d %7d\n", r->name, r->n_variants, tried, r->n[FATE_NO_COMPILE],
           r->n[FATE_EQUAL], r->n[FATE_WITHIN], r->n[FATE_NOT_SHOWN], r->n[FATE_OUTPUT], r->n[FATE_CRASH],
           r->n[FATE_OTHER], r->n[FATE_MISSED] + r->n[FATE_NONE]);
}

static void print_break(const json_t *line)
{
    printf("%s: %s/%s.c:%lld, %s: \"%s\" in `%s`; %s\n", fate_name((enum fate)json_integer_value(json_object_get(line, "fate"))),
           text_of(line, "target"), text_of(line, "variant"), json_integer_value(json_object_get(line, "line")),
           text_of(line, "operator"), text_of(line, "with"), text_of(line, "was"), text_of(line, "where"));
}

static void print_breaks(const json_t *lines, bool all)
{
    const json_t *line;
    size_t i;

    json_array_foreach(lines, i, line)
        if (all || json_integer_value(json_object_get(line, "fate")) == FATE_MISSED ||
            json_integer_value(json_object_get(line, "fate")) == FATE_NONE)
            print_break(line);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static json_t *read_lines(FILE *file, struct rows *variants)
{
    json_t *lines = json_array(), *line;
    char *text = NULL;
    size_t cap = 0;

    while (getline(&text, &cap, file) > 0) {
        char name[AISP_ID_MAX + AISP_NAME_MAX];

        line = json_loads(text, 0, NULL);
        if (!line)
            continue;
        snprintf(name, sizeof name, "%.120s/%.60s", text_of(line, "target"), text_of(line, "variant"));
        row_of(variants, name, strlen(name))->n[json_integer_value(json_object_get(line, "fate"))]++;
        json_array_append_new(lines, line);
    }
    free(text);
    if (variants->n)
        qsort(variants->item, variants->n, sizeof *variants->item, by_name);
    return lines;
}

void table_print(const struct settings *settings, FILE *file, int *n_all_found, int *n_missed)
{
    struct rows variants = { 0 }, chapters = { 0 };
    json_t *lines = read_lines(file, &variants);
    struct row all = { .name = "all" };

    for (size_t i = 0; i < variants.n; i++) {
        const char *name = variants.item[i].name;

        add_row(row_of(&chapters, name, strcspn(name, ":")), &variants.item[i], settings->per_variant);
        add_row(&all, &variants.item[i], settings->per_variant);
    }
    printf("%-8s %8s %7s %8s %6s %7s %9s | %7s %6s %6s %7s\n", "", "variants", "breaks", "no C", "equal", "within", "not shown",
           "output", "crash", "other", "missed");
    for (size_t i = 0; i < chapters.n; i++)
        print_row(&chapters.item[i]);
    print_row(&all);
    for (size_t i = 0; i < variants.n; i++)
        if (n_found(&variants.item[i]) + variants.item[i].n[FATE_MISSED] < settings->per_variant)
            printf("few: %s, %d shown\n", variants.item[i].name, n_found(&variants.item[i]));
    print_breaks(lines, settings->show_all);
    *n_all_found = n_found(&all);
    *n_missed = all.n[FATE_MISSED] + all.n[FATE_NONE];     /* whom verification did not answer it did not find */
    printf("%d of %d breaks that change an output were found, %d missed; %d of %d variants have fewer than %d\n", *n_all_found,
           *n_all_found + *n_missed, *n_missed, all.n_few, all.n_variants, settings->per_variant);
    json_decref(lines);
    free(variants.item);
    free(chapters.item);
}
