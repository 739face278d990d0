/* units - `rows` units of work, and MORE_UNITS of them done again. One source for all, so that the
 * compiled loops differ in a constant only: rows + MORE_UNITS rows take (rows + MORE_UNITS) / rows
 * of the time. */
#include <aisp/variant.h>

enum { TERMS = 64, VECTORS = 6, COLS = 4 * VECTORS };

typedef float four __attribute__((vector_size(16), aligned(4)));

/* Six chains side by side, 1 + x (1 + x (1 + ...)): latency and the units' width are both nearly
 * used up. */
__attribute__((noinline)) static void unit(const float *x, float *y)
{
    four in[VECTORS], sum[VECTORS];

    for (int v = 0; v < VECTORS; v++) {
        in[v] = *(const four *)(x + 4 * v);
        sum[v] = (four){ 1, 1, 1, 1 };
    }
    for (int term = 0; term < TERMS; term++)
        for (int v = 0; v < VECTORS; v++)
            sum[v] = sum[v] * in[v] + 1.0f;
    for (int v = 0; v < VECTORS; v++)
        *(four *)(y + 4 * v) = sum[v];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];
    const int64_t rows = call->param[0];

    if (call->param[1] != COLS)
        return AISP_E_USAGE;
    for (int64_t i = 0; i < rows + MORE_UNITS; i++) {
        const int64_t row = i % rows;

        unit(x + row * COLS, y + row * COLS);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: equal units of work, some of them twice");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
