/* expectation_fuzz.c - an expectations file is data that people edit and merge: it is read whole or refused by one line, and
 * what was read is a file that can be written and read again, and judged. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/expectation.h"

/* Every row against itself, as if a run had found exactly that. */
static void judge(const json_t *file)
{
    static const struct aisp_expectation_rules rules = { .alpha = 0.01, .n_rows = 1, .mde = 0.05, .min_speedup = 1 };
    const struct aisp_noise none = { 0 };
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(file, "rows"), i, row) {
        json_t *figure = json_deep_copy(row), *judged;

        json_object_set_new(figure, "trouble", json_string(""));
        judged = aisp_expectation_judge(figure, row, &none, &rules);
        if (!json_object_get(judged, "outcome"))
            abort();
        json_decref(judged);
        json_decref(figure);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct aisp_err err = { AISP_OK, "" };
    json_t *file = NULL, *again = NULL;
    char *text;

    if (aisp_expectations_parse((const char *)data, n, "fuzz", &file, &err)) {
        if (!*err.text || file)
            abort();
        return 0;
    }
    text = json_dumps(file, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (!text || aisp_expectations_parse(text, strlen(text), "fuzz", &again, &err))
        abort();
    judge(file);
    free(text);
    json_decref(again);
    json_decref(file);
    return 0;
}
