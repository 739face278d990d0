/* shown.c - does a break change an output at all? aisp-plain runs it without a cage on the problem's contents: at the quick size,
 * and whoever is right there at the ends of the secret range, at points drawn from it, and at the default size.
 * A break that is right everywhere is set aside: with the very bits of the variant as it was, or within the tolerance. */
#include "tests/breaks/breaks.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/instance.h"

enum { QUICK_LIMIT_S = 10, LIMIT_S = 40, N_SIZES = 7, N_DRAWN = 3, ROOM = 600 };
static const size_t MOST_BYTES = (size_t)160 << 20;

struct size { char name[24]; const char *size; char set[AISP_MAX_PARAMS][48]; int n_set; };

static void set_all(struct size *s, const struct aisp_problem *problem, struct aisp_dice *dice, int end)
{
    for (const struct aisp_param *p = problem->param; p->name; p++) {
        const uint64_t steps = p->step > 0 && p->high > p->low ? (uint64_t)((p->high - p->low) / p->step) : 0;
        const uint64_t at = end < 0 ? 0 : end > 0 ? steps : aisp_dice_below(dice, steps + 1);

        if (p->high >= p->low && p->low > 0)
            snprintf(s->set[s->n_set++], sizeof *s->set, "%s=%lld", p->name, (long long)(p->low + (int64_t)at * p->step));
    }
}

static bool is_affordable(const struct size *s, const struct aisp_problem *problem)
{
    const char *set[AISP_MAX_PARAMS];
    struct aisp_instance inst;

    for (int i = 0; i < s->n_set; i++)
        set[i] = s->set[i];
    return aisp_instance_init(&inst, problem, AISP_SIZE_DEFAULT, set, s->n_set, NULL) == AISP_OK &&
           aisp_instance_total_bytes(&inst) <= MOST_BYTES;
}

static int sizes_make(const struct job *job, struct size *size)
{
    const struct aisp_key root = { { 0 } };
    struct aisp_key key = aisp_key_derive(&root, job->target->id, (int64_t)job->settings->seed, 0, 0, 0);
    struct aisp_loaded_problem loaded;
    struct aisp_dice dice;
    struct aisp_err err;
    int n = 0;

    aisp_dice_init(&dice, &key);
    size[n++] = (struct size){ .name = "quick", .size = "quick" };
    if (aisp_problem_load(job->target->problem_path, &loaded, &err))
        return n;
    for (int i = 0; i < N_DRAWN + 2; i++) {
        size[n] = (struct size){ .size = "default" };
        snprintf(size[n].name, sizeof size[n].name, i == 0 ? "lowest" : i == 1 ? "highest" : "drawn %d", i - 1);
        set_all(&size[n], loaded.problem, &dice, i == 0 ? -1 : i == 1 ? 1 : 0);
        n += size[n].n_set && is_affordable(&size[n], loaded.problem);
    }
    size[n] = (struct size){ .name = "default", .size = "default" };
    n += is_affordable(&size[n], loaded.problem);
    aisp_problem_unload(&loaded);
    return n;
}

/* aisp-plain on `names` (n of them) of a folder. */
static json_t *run_plain(const struct job *job, const char *folder, const struct size *size, char **names, int n)
{
    char *program = aisp_format("%s/aisp-plain", job->settings->build), limit[16];
    const char *argv[ROOM], *const more[] = { "--device", "cpu", "--json", "--size", size->size, "--limit", limit };
    const int limit_s = strcmp(size->name, "quick") ? LIMIT_S : QUICK_LIMIT_S;
    struct program_result result;
    json_t *rows;
    int k = 0;

    snprintf(limit, sizeof limit, "%d", limit_s);
    argv[k++] = program;
    argv[k++] = folder;
    for (int i = 0; i < n && k < ROOM - 2 * AISP_MAX_PARAMS - 10; i++)
        argv[k++] = names[i];
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        argv[k++] = more[i];
    for (int i = 0; i < size->n_set; i++) {
        argv[k++] = "--set";
        argv[k++] = size->set[i];
    }
    argv[k] = NULL;
    program_run(argv, (n + 1) * (limit_s + 5), &result);
    rows = json_loads(result.out, 0, NULL);
    free(result.out);
    free(program);
    return rows ? rows : json_array();
}

static const json_t *row_of(const json_t *rows, const char *name)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
        if (!strcmp(text_of(row, "variant"), name))
            return row;
    return NULL;
}

/* "n=1500, rows=40" */
static void describe(const struct size *size, const char *how, char to[160])
{
    size_t len = (size_t)snprintf(to, 160, "%s at %s", how, size->name);

    for (int i = 0; i < size->n_set && len < 160; i++)
        len += (size_t)snprintf(to + len, 160 - len, " %s", size->set[i]);
}

/* All calls were made and right: what failed was the teardown, which no output waits for. */
static bool is_done(const json_t *row, const json_t *original)
{
    return !strcmp(text_of(row, "result"), "failed") && !strcmp(text_of(original, "result"), "right") &&
           json_integer_value(json_object_get(row, "calls")) == json_integer_value(json_object_get(original, "calls"));
}

static void settle_one(struct attempt *a, const struct size *size, const json_t *row, const json_t *original)
{
    const char *result = text_of(row, "result"), *why = text_of(row, "why");

    if (!row || !strncmp(why, "refused", 7) || strstr(why, "undefined symbol")) {
        a->fate = FATE_NO_COMPILE;
    } else if (!strcmp(result, "WRONG")) {
        a->fate = FATE_SHOWN;
        describe(size, "wrong", a->where);
    } else if (strcmp(result, "right") != 0 && !is_done(row, original)) {
        a->fate = FATE_SHOWN;
        describe(size, strstr(why, "ran past") ? "hangs" : strstr(why, "crashed") ? "crashes" : "fails", a->where);
    } else if (strcmp(text_of(row, "outputs"), text_of(original, "outputs")) != 0) {
        a->fate = FATE_WITHIN;
        describe(size, "other bits", a->where);
    }
}

static bool is_open(const struct attempt *a)
{
    return a->fate == FATE_EQUAL || a->fate == FATE_WITHIN;
}

/* Variants as they are, at one size; each target asks once a size and round. */
static json_t *run_originals(const struct job *job, const struct size *size, size_t first)
{
    char *folder = aisp_format("%s/%s/%s", job->settings->bench_root, job->target->group, strchr(job->target->id, ':') + 1);
    char *name[64];
    json_t *rows;
    int n = 0;

    for (size_t v = 0; v < job->target->n_variants && n < 64; v++)
        for (size_t i = first; i < job->n; i++)
            if (is_open(&job->attempt[i]) && job->attempt[i].variant == (int)v) {
                name[n++] = job->target->variant[v].name;
                break;
            }
    rows = n ? run_plain(job, folder, size, name, n) : json_array();
    free(folder);
    return rows;
}

static void settle_at(struct job *job, const struct size *size, size_t first)
{
    char *folder = aisp_format("%s/plain", job->folder), *name[ROOM];
    json_t *originals, *rows;
    int n = 0;

    for (size_t i = first; i < job->n; i++)
        if (is_open(&job->attempt[i]))
            name[n++] = aisp_format("optimized_b%03d", job->attempt[i].number);
    if (n) {
        originals = run_originals(job, size, first);
        rows = run_plain(job, folder, size, name, n);
        for (size_t i = first, k = 0; i < job->n; i++)
            if (is_open(&job->attempt[i]))
                settle_one(&job->attempt[i], size, row_of(rows, name[k++]),
                           row_of(originals, job->target->variant[job->attempt[i].variant].name));
        json_decref(originals);
        json_decref(rows);
    }
    while (n)
        free(name[--n]);
    free(folder);
}

void shown_settle(struct job *job, size_t first)
{
    struct size size[N_SIZES];
    const int n = sizes_make(job, size);

    for (size_t i = first; i < job->n; i++)
        if (job->attempt[i].fate == FATE_NONE)
            job->attempt[i].fate = job->is_plain ? FATE_EQUAL : FATE_SHOWN;
    for (int i = 0; i < n && job->is_plain; i++)
        settle_at(job, &size[i], first);
}
