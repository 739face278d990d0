/* trace_code.c - what the machine code of a kernel says (cubin.h), by its name, into the activities of a trace. */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/trace.h"

static int by_name(const void *a, const void *b)
{
    const struct record_code *x = *(const struct record_code *const *)a, *y = *(const struct record_code *const *)b;

    return x->name < y->name ? -1 : x->name > y->name;
}

void cuda_codes_init(struct cuda_codes *codes, const struct record_area *area)
{
    codes->n = area->n_codes < RECORD_MOST_CODES ? area->n_codes : RECORD_MOST_CODES;
    for (uint32_t i = 0; i < codes->n; i++)
        codes->code[i] = &area->code[i];
    qsort(codes->code, codes->n, sizeof *codes->code, by_name);
}

void cuda_codes_take(const struct cuda_codes *codes, uint64_t name, struct aisp_device_activity *a)
{
    const struct record_code key = { .name = name }, *at = &key, *const *found;

    found = name && codes->n ? bsearch(&at, codes->code, codes->n, sizeof at, by_name) : NULL;
    if (!found)
        return;
    memcpy(a->math, (*found)->math, sizeof (*found)->math - 1);
    for (char *c = a->math; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9')))
            *c = '?';
    a->how |= ((*found)->is_sparse ? AISP_HOW_SPARSE : 0u) | ((*found)->launches ? AISP_HOW_LAUNCHES : 0u);
}
