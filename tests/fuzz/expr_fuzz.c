/* expr_fuzz.c - any text is either a value or one line that says why not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const name[] = { "m", "n", "heads" };
    static const int64_t value[] = { 3, INT64_MAX, 0 };
    const struct aisp_names names = { name, value, 3 };
    char *text = aisp_xmalloc(n + 1);
    struct aisp_err err = { 0 };
    int64_t out[4];
    int n_out = 0;

    memcpy(text, data, n);
    text[n] = 0;
    if (aisp_expr(text, "fuzz", &names, out, &err) && !*err.text)
        abort();
    if (aisp_expr_list(text, "fuzz", &names, out, 4, &n_out, &err) == AISP_OK && (n_out < 1 || n_out > 4))
        abort();
    free(text);
    return 0;
}
