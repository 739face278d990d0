/* target.c - one target: breaks are tried, a few a variant and round, until enough of each variant change an output. */
#include "tests/breaks/breaks.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_VARIANTS = 32, ROUNDS = 4 };

struct rung { struct tokens tokens; struct edits edits; size_t next; int n_tried; };

const char *fate_name(enum fate fate)
{
    static const char *const name[N_FATES] = {
        [FATE_NONE] = "not settled",
        [FATE_LEFT_OUT] = "left out",
        [FATE_NO_COMPILE] = "not compiling",
        [FATE_EQUAL] = "equal",
        [FATE_WITHIN] = "within tolerance",
        [FATE_NOT_SHOWN] = "not shown",
        [FATE_SHOWN] = "shown",
        [FATE_OUTPUT] = "output",
        [FATE_CRASH] = "crash",
        [FATE_OTHER] = "other",
        [FATE_MISSED] = "MISSED",
    };

    return name[fate];
}

/* "ch01:dot_ilp", "ch0*" or "ch01:dot_ilp/optimized_simd". */
static bool is_asked(const struct job *job, const struct aisp_variant_ref *v)
{
    const char *only = job->settings->only;
    char *id = aisp_format("%s/%s", job->target->id, v->name);
    const bool is = !only || !fnmatch(only, id, 0) || aisp_target_matches(job->target, only);

    free(id);
    return is && !strcmp(v->device, "cpu") && !*v->refused;
}

static void open_rung(const struct job *job, size_t v, struct rung *rung)
{
    char *path = aisp_format("%s/%s.c", job->source, job->target->variant[v].name);

    if (is_asked(job, &job->target->variant[v]) && tokens_read(&rung->tokens, path)) {
        edits_find(&rung->tokens, &rung->edits);
        edits_shuffle(&rung->edits, job->settings->seed * 1000003 + v);
    }
    free(path);
}

static int n_shown(const struct job *job, size_t v)
{
    int n = 0;

    for (size_t i = 0; i < job->n; i++)
        n += job->attempt[i].variant == (int)v && job->attempt[i].fate == FATE_SHOWN;
    return n;
}

/* The line of an edit without the blanks about it. */
static void copy_line(const struct tokens *tokens, const struct edit *edit, char to[160])
{
    size_t from = edit->at, n;

    while (from > 0 && tokens->source[from - 1] != '\n')
        from--;
    from += strspn(tokens->source + from, " \t");
    n = strcspn(tokens->source + from, "\n");
    snprintf(to, 160, "%.*s", (int)n, tokens->source + from);
}

/* Compiles the next few breaks of a variant: as many as are wanting, and one. */
static void try_some(struct job *job, size_t v, struct rung *rung)
{
    int wanting = job->settings->per_variant - n_shown(job, v);

    for (wanting += wanting > 0; wanting > 0 && rung->next < rung->edits.n && rung->n_tried < job->settings->tries; wanting--) {
        struct attempt *a = aisp_grow(&job->attempt, &job->n, &job->cap, sizeof *a);

        a->edit = rung->edits.item[rung->next++];
        a->variant = (int)v;
        a->number = (int)job->n - 1;
        copy_line(&rung->tokens, &a->edit, a->line);
        rung->n_tried++;
        if (!object_make(job, &rung->tokens, a))
            a->fate = FATE_NO_COMPILE;
    }
}

/* More than are asked for is no harm, but each costs a verification. */
static void leave_out_surplus(struct job *job)
{
    int n[MOST_VARIANTS] = { 0 };

    for (size_t i = 0; i < job->n; i++)
        if (job->attempt[i].fate == FATE_SHOWN && ++n[job->attempt[i].variant] > job->settings->per_variant)
            job->attempt[i].fate = FATE_LEFT_OUT;
}

static void write_attempts(const struct job *job, FILE *to)
{
    for (size_t i = 0; i < job->n; i++) {
        const struct attempt *a = &job->attempt[i];
        json_t *line;
        char *text;

        if (a->fate == FATE_LEFT_OUT)
            continue;
        line = json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:i, s:s}", "target", job->target->id, "variant",
                         job->target->variant[a->variant].name, "operator", a->edit.operator, "line", a->edit.line, "was",
                         a->line, "with", a->edit.with, "fate", (int)a->fate, "where", a->where);
        text = line ? json_dumps(line, JSON_COMPACT) : NULL;
        fprintf(to, "%s\n", text ? text : "");
        free(text);
        json_decref(line);
    }
}

/* Of a problem whose variants cannot be run plainly it is verification itself that shows a break; what it does not see proves
 * nothing. */
static void settle_unshown(struct job *job)
{
    for (size_t i = 0; i < job->n && !job->is_plain; i++)
        if (job->attempt[i].fate == FATE_MISSED)
            job->attempt[i].fate = FATE_NOT_SHOWN;
}

void target_run(struct job *job, FILE *to)
{
    const size_t n = job->target->n_variants;
    char *plain = aisp_format("%s/plain", job->folder);
    struct rung rung[MOST_VARIANTS] = { 0 };

    if (n > MOST_VARIANTS)
        AISP_BUG("%s has more than %d variants", job->target->id, MOST_VARIANTS);
    mkdir(job->folder, 0700);
    object_copy(job->target->problem_path, plain, "problem.so");
    object_copy(aisp_target_variant(job->target, "baseline", "cpu")->path, plain, "baseline.so");
    for (size_t v = 0; v < n; v++)
        open_rung(job, v, &rung[v]);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t first = job->n;

        for (size_t v = 0; v < n; v++)
            try_some(job, v, &rung[v]);
        if (job->n > first)
            shown_settle(job, first);
    }
    if (job->is_plain)
        leave_out_surplus(job);
    verified_settle(job);
    settle_unshown(job);
    write_attempts(job, to);
    for (size_t v = 0; v < n; v++) {
        tokens_release(&rung[v].tokens);
        free(rung[v].edits.item);
    }
    folder_remove(job->folder);
    free(job->attempt);
    free(plain);
}
