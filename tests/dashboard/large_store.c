/* large_store.c - ARTIFACTS MACHINES: a store of 25,000 synthetic results a machine (tests/bench/synthetic.h), for who tests how a
 * door behaves over many: 40 machines are the million that the figures of docs/guide are of. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/exchange.h"
#include "tests/bench/synthetic.h"

enum { RUNS = 500, MOST_MACHINES = 40 };

static enum aisp_status add_machine(struct aisp_store *store, const char *path, int machine, struct aisp_err *err)
{
    const struct synthetic what = { .seed = 1, .machine = machine, .n_runs = RUNS };
    struct aisp_intake_counts counts;
    enum aisp_status st;

    AISP_TRY(synthetic_export(path, &what, NULL, err));
    st = aisp_store_import_runs(store, path, NULL, &counts, err);
out:
    unlink(path);
    return st;
}

int main(int argc, char **argv)
{
    const int n = argc == 3 ? atoi(argv[2]) : 0;
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_store *store = NULL;
    enum aisp_status st;
    char *path;

    if (n < 1 || n > MOST_MACHINES) {
        fprintf(stderr, "usage: large_store ARTIFACTS MACHINES (1 to %d)\n", MOST_MACHINES);
        return 2;
    }
    path = aisp_format("%s/machine.jsonl", argv[1]);
    st = aisp_store_open(&store, argv[1], true, &err);
    for (int i = 0; i < n && !st; i++)
        st = add_machine(store, path, i, &err);
    aisp_store_close(store);
    free(path);
    if (st)
        fprintf(stderr, "large_store: %s\n", err.text);
    return st ? 1 : 0;
}
