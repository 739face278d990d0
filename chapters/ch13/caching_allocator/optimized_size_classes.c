/* optimized_size_classes - what is freed goes into a list of its size class, the next power of two, and is never given
 * back; who asks gets the last of its class.
 * Expected: after the first steps no page is new. glibc returns the end of its heap to the system whenever more than twice
 * the largest mapped block is free there, so that each step makes and zeroes nearly all of its pages again, some 500 of
 * them. A page costs a quarter of a microsecond on bare metal and one or more under a hypervisor, what is computed on it as
 * much: 2x there, 3 to 5x here.
 * Costs: a block is up to twice as large as asked for, here 1.4 times on the average; and a length that begins a new class
 * finds all the memory of the others and can use none of it. */
#include <stdlib.h>

#include "step.h"

enum { CLASSES = 64 };

/* A free block begins with the address of the next one. */
struct classes {
    struct memory memory;
    void *first[CLASSES];
};

static int class_of(size_t bytes)
{
    return bytes <= sizeof(void *) ? 3 : 64 - __builtin_clzll((unsigned long long)bytes - 1);
}

static void *get(struct memory *m, size_t bytes)
{
    void **first = &((struct classes *)m)->first[class_of(bytes)], *block = *first;

    if (!block)
        return malloc((size_t)1 << class_of(bytes));
    memcpy(first, block, sizeof *first);
    return block;
}

static void put(struct memory *m, void *block, size_t bytes)
{
    void **first = &((struct classes *)m)->first[class_of(bytes)];

    memcpy(block, first, sizeof *first);
    *first = block;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    struct classes *c = calloc(1, sizeof *c);

    if (c)
        c->memory = (struct memory){ get, put };
    *setup->state = c;
    return c ? AISP_OK : AISP_E_NO_MEMORY;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return run_steps(call, call->state);
}

static void teardown(void *state)
{
    struct classes *c = state;

    for (int i = 0; c && i < CLASSES; i++)
        while (c->first[i]) {
            void *next;

            memcpy(&next, c->first[i], sizeof next);
            free(c->first[i]);
            c->first[i] = next;
        }
    free(c);
}

AISP_DECLARE("idea: freed blocks are kept in lists of their size class\n"
             "expect: page faults / 100\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
