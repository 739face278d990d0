/* trace_code.c - what the machine code of a kernel says (cubin.h), by its name, into the activities of a trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/trace.h"
#include "core/base/buf.h"

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

/* The first of that name. */
static const struct record_code *const *find(const struct cuda_codes *codes, uint64_t name)
{
    const struct record_code key = { .name = name }, *at = &key, *const *found;

    found = name && codes->n ? bsearch(&at, codes->code, codes->n, sizeof at, by_name) : NULL;
    while (found && found > codes->code && found[-1]->name == name)
        found--;
    return found;
}

/* Kernels of several modules may share a name: which of them ran nobody says. */
static bool is_ambiguous(const struct cuda_codes *codes, const struct record_code *const *found)
{
    for (const struct record_code *const *next = found; next < codes->code + codes->n && (*next)->name == (*found)->name; next++)
        if ((*next)->hash != (*found)->hash)
            return true;
    return !(*found)->hash;
}

void cuda_codes_take(const struct cuda_codes *codes, uint64_t name, struct aisp_device_activity *a)
{
    const struct record_code *const *found = find(codes, name);

    if (!found)
        return;
    if (!is_ambiguous(codes, found))
        snprintf(a->code, sizeof a->code, "%016llx", (unsigned long long)(*found)->hash);
    memcpy(a->math, (*found)->math, sizeof (*found)->math - 1);
    for (char *c = a->math; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9')))
            *c = '?';
    a->how |= ((*found)->is_sparse ? AISP_HOW_SPARSE : 0u) | ((*found)->launches ? AISP_HOW_LAUNCHES : 0u);
}

void cuda_codes_count(const struct cuda_codes *codes, const struct record_area *area, struct aisp_device_trace *trace)
{
    bool *has_run;

    if (area->n_codes >= RECORD_PLAIN_CODES || area->n_activities > RECORD_MOST_ACTIVITIES || area->n_lost)
        return;
    has_run = aisp_xcalloc(codes->n + 1, sizeof *has_run);
    for (uint32_t i = 0; i < area->n_activities; i++) {
        const struct record_code *const *found = find(codes, area->activity[i].code);

        if (found)
            has_run[found - codes->code] = true;
    }
    for (uint32_t i = 0; i < codes->n; i++) {
        const bool is_again = i > 0 && codes->code[i]->name == codes->code[i - 1]->name; /* loaded twice, or another's */

        trace->n_kernels += !is_again;
        trace->n_kernels_idle += !is_again && !has_run[i];
    }
    free(has_run);
}
