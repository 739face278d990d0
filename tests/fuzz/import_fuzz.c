/* import_fuzz.c - an export is a file of strangers: it is taken whole or leaves nothing, and what was taken can be read.
 * Three promises, each for any bytes:
 *   what store/skim.h passes, jansson reads, and it is the same value when it was laid out anew
 *   an import that fails adds nothing
 *   an import that succeeds can be repeated without adding anything, and every run of the store loads */
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/exchange.h"
#include "store/query.h"

enum { RUNS_MAX = 200 };         /* then a new store is begun */

static char folder[64], path[80];
static struct aisp_store *store;

static int remove_one(const char *name, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    return remove(name);
}

static void clear(void)
{
    aisp_store_close(store);
    store = NULL;
    if (*folder)
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "import_fuzz: %s\n", what);
    abort();
}

/* In memory where there is such a folder: nothing here has to survive. */
static void begin(void)
{
    struct aisp_err err = { 0 };
    static bool registered;

    unsetenv("AISP_STORE");
    snprintf(folder, sizeof folder, "%s/aisp-fuzz-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    must(mkdtemp(folder) != NULL, "no folder to work in");
    snprintf(path, sizeof path, "%s/input.jsonl", folder);
    if (!registered)
        atexit(clear);
    registered = true;
    must(aisp_store_open(&store, folder, true, &err) == AISP_OK, err.text);
}

/* The same value after it was made compact and laid out. */
static void compare_readers(const char *text, size_t n)
{
    const struct aisp_span span = { text, n };
    struct aisp_buf compact = AISP_BUF_INIT, laid = AISP_BUF_INIT;
    json_t *tree, *again;

    if (aisp_skim_check(span, NULL, NULL))
        return;
    tree = json_loadb(text, n, JSON_DECODE_ANY, NULL);
    must(tree != NULL, "passed here, and jansson refuses it");
    aisp_skim_compact(span, &compact);
    aisp_skim_indent((struct aisp_span){ compact.s, compact.len }, &laid);
    again = json_loadb(laid.s, laid.len, JSON_DECODE_ANY, NULL);
    must(again && json_equal(tree, again), "another value once it was laid out");
    json_decref(tree);
    json_decref(again);
    aisp_buf_release(&compact);
    aisp_buf_release(&laid);
}

static struct aisp_store_counts count(void)
{
    struct aisp_store_counts counts;

    must(aisp_store_count(store, &counts, NULL) == AISP_OK, "the store cannot be counted");
    return counts;
}

static void load_all(void)
{
    json_t *runs = NULL, *entry, *run;
    size_t i;

    must(aisp_store_runs(store, INT_MAX, &runs, NULL) == AISP_OK, "the runs cannot be listed");
    json_array_foreach(runs, i, entry)
    {
        must(aisp_store_run_load(store, json_string_value(json_object_get(entry, "run")), &run, NULL) == AISP_OK,
             "a run cannot be loaded");
        json_decref(run);
    }
    json_decref(runs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct aisp_store_counts before, after;
    struct aisp_intake_counts taken = { 0 };
    char *copy = aisp_xmalloc(n + 1);
    enum aisp_status st;
    FILE *f;

    memcpy(copy, data, n);
    copy[n] = '\0';
    compare_readers(copy, n);
    if (!store)
        begin();
    f = fopen(path, "we");
    must(f && fwrite(data, 1, n, f) == n, "the input cannot be written");
    fclose(f);
    before = count();
    st = aisp_store_import_runs(store, path, NULL, &taken, NULL);
    after = count();
    if (st)
        must(after.runs == before.runs && after.results == before.results, "refused, and something stayed");
    else if (taken.runs || taken.results) {
        must(aisp_store_import_runs(store, path, NULL, &taken, NULL) == AISP_OK && !taken.runs && !taken.results,
             "the second time is not like the first");
        load_all();
    }
    if (after.runs > RUNS_MAX)
        clear();
    free(copy);
    return 0;
}
