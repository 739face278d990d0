/* audit.c - builds with their code moved, and short comparisons of them.
 * Why the alignment flags are taken back here: with them a function goes to the next line of 64, and so does every loop, however
 * much is put before them. Functions keep the 16 bytes that compilers give them anyway, so moves are multiples of that. */
#include "commands/audit.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/compile.h"
#include "commands/place.h"
#include "commands/sources.h"
#include "core/base/buf.h"

static const int moves[] = { 16, 32, 48 };
enum { N_MOVES = sizeof moves / sizeof *moves, PAIRS_OF_A_MOVE = 6, AS_BUILT = -1 };
/* All of the moves together take about as long as one comparison. */
enum { SHARE_OF_TIME = 4 };

/* One side's builds. */
struct moved {
    struct aisp_variant_ref ref[N_MOVES];
    int bytes[N_MOVES];
    int n;
};

static bool is_library(const struct aisp_variant_ref *v)
{
    return !strncmp(v->name, "peer_", 5);
}

static enum aisp_status find_sources(const struct aisp_target *target, struct aisp_sources *s,
                                     struct aisp_err *err)
{
    struct aisp_err why;

    if (!aisp_sources_find(target, true, s, &why))
        return AISP_OK;
    return aisp_fail(err, AISP_E_USAGE,
                     "--placement-audit builds %s again, and its sources are not here (%s)",
                     target->id, why.text);
}

enum aisp_status aisp_audit_check(const struct aisp_target *target,
                                  const struct aisp_variant_ref *variant, struct aisp_err *err)
{
    enum aisp_status st;
    struct aisp_sources s;
    char *source;

    if (strcmp(variant->device, "cpu"))
        return aisp_fail(err, AISP_E_USAGE,
                         "--placement-audit moves code of the CPU; %s/%s runs on %s", target->id,
                         variant->name, variant->device);
    st = find_sources(target, &s, err);
    if (st || is_library(variant))
        return st;
    source = aisp_format("%s/%s.c", s.folder, variant->name);
    if (!aisp_place_is_file(source))
        st = aisp_fail(err, AISP_E_USAGE,
                       "--placement-audit: no %s: %s must be built again from its source", source,
                       variant->name);
    free(source);
    return st;
}

/* The text that every file of a build starts with. */
static enum aisp_status write_move(const char *path, int bytes, struct aisp_err *err)
{
    static const char *const section[] = { ".text.hot,\\\"ax\\\",@progbits", ".text" };
    FILE *f = fopen(path, "w");

    if (!f)
        return aisp_fail_errno(err, AISP_E_IO, "%s", path);
    fprintf(f, "#ifdef __ASSEMBLER__\n.text\n.p2align 6\n.skip %d, 0x90\n#else\n", bytes);
    for (size_t i = 0; i < sizeof section / sizeof *section; i++)
        fprintf(f, "__asm__(\".section %s\\n.p2align 6\\n.skip %d, 0x90\\n\");\n", section[i],
                bytes);
    fputs("__asm__(\".text\");\n#endif\n", f);
    if (fclose(f))
        return aisp_fail_errno(err, AISP_E_IO, "%s", path);
    return AISP_OK;
}

enum aisp_status aisp_audit_compile(const struct aisp_audit_build *build, struct aisp_err *err)
{
    enum { MOST_FILES = 8 };
    char *first = aisp_format("%s/move_%d.h", build->folder, build->bytes),
         *source = aisp_format("%s/%s.c", build->sources, build->name),
         *assembly = aisp_format("%s/%s*.S", build->sources, build->name),
         *log = aisp_format("%s/move.log", build->folder);
    const char *more[6 + MOST_FILES] = {
        "-falign-functions=16", "-falign-loops=1", "-falign-jumps=1",
        "-falign-labels=1",     "-include",        first
    };
    struct aisp_compile spec = { .source = source,
                                 .object = build->object,
                                 .log = log,
                                 .include = build->include,
                                 .more = more,
                                 .n_more = 6 };
    enum aisp_status st;
    glob_t found = { 0 };

    AISP_TRY(write_move(first, build->bytes, err));
    if (glob(assembly, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && i < MOST_FILES; i++)
            more[spec.n_more++] = found.gl_pathv[i];
    st = aisp_compile_variant(&spec, err);
out:
    globfree(&found);
    free(first);
    free(source);
    free(assembly);
    free(log);
    return st;
}

static void release(struct moved *m)
{
    for (int i = 0; i < m->n; i++)
        free(m->ref[i].path);
}

static enum aisp_status move(const struct aisp_variant_ref *v, const struct aisp_sources *s,
                             const char *folder, struct moved *m, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    *m = (struct moved){ 0 };
    for (int i = 0; i < (is_library(v) ? 1 : N_MOVES) && !st; i++) {
        struct aisp_variant_ref *ref = &m->ref[m->n];

        *ref = *v;
        m->bytes[m->n++] = is_library(v) ? AS_BUILT : moves[i];
        if (is_library(v)) {
            ref->path = aisp_xstrdup(v->path);
            continue;
        }
        ref->path = aisp_format("%s/%s_%d.so", folder, v->name, moves[i]);
        st = aisp_audit_compile(&(struct aisp_audit_build){ .sources = s->folder,
                                                            .include = s->include,
                                                            .name = v->name,
                                                            .folder = folder,
                                                            .object = ref->path,
                                                            .bytes = moves[i] },
                                err);
    }
    return st;
}

static enum aisp_status compare(const struct aisp_plan *asked, const struct moved side[2],
                                const int which[2], struct aisp_evidence *ev, struct aisp_err *err)
{
    struct aisp_placement *seen, now = { .centre = NAN, .lo95 = NAN, .hi95 = NAN };
    struct aisp_evidence short_ev;
    struct aisp_look_result look;
    struct aisp_plan plan = *asked;
    enum aisp_status st;

    for (int i = AISP_A; i <= AISP_B; i++) {
        plan.variant[i] = &side[i].ref[which[i]];
        now.bytes[i] = side[i].bytes[which[i]];
    }
    plan.max_pairs = PAIRS_OF_A_MOVE;
    plan.wants_energy = false;
    plan.time_limit_ns = asked->time_limit_ns / SHARE_OF_TIME;
    plan.first_look_ns = 0; /* a move has fewer pairs than a look */
    plan.secret =
        aisp_key_derive(&asked->secret, "placement", now.bytes[AISP_A], now.bytes[AISP_B], 0, 0);
    st = aisp_run(&plan, &short_ev, err);
    if (!st && aisp_run_verdict(&short_ev, &look, NULL) == AISP_OK) {
        now.n_pairs = (int32_t)look.n_pairs;
        now.centre = look.centre;
        now.lo95 = log(look.lo95);
        now.hi95 = log(look.hi95);
    }
    aisp_evidence_release(&short_ev);
    if (st)
        return st;
    seen = aisp_grow(&ev->placement, &ev->n_placements, &ev->cap_placements, sizeof *seen);
    *seen = now;
    return AISP_OK;
}

static enum aisp_status compare_all(const struct aisp_plan *plan, const struct moved side[2],
                                    struct aisp_evidence *ev, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int a = 0; a < side[AISP_A].n; a++)
        for (int b = 0; b < side[AISP_B].n && !st; b++)
            if (side[AISP_A].bytes[a] != side[AISP_B].bytes[b])
                st = compare(plan, side, (const int[]){ a, b }, ev, err);
    return st;
}

enum aisp_status aisp_audit_run(const struct aisp_target *target, const struct aisp_plan *plan,
                                struct aisp_evidence *ev, struct aisp_err *err)
{
    struct moved side[2] = { { .n = 0 }, { .n = 0 } };
    struct aisp_look_result look;
    struct aisp_sources s;
    char *folder = NULL;
    enum aisp_status st;

    if (aisp_run_verdict(ev, &look, NULL) ||
        (look.verdict != AISP_FASTER && look.verdict != AISP_SLOWER))
        return AISP_OK;
    AISP_TRY(find_sources(target, &s, err));
    AISP_TRY(aisp_place_private(&folder, err));
    for (int i = AISP_A; i <= AISP_B; i++)
        AISP_TRY(move(plan->variant[i], &s, folder, &side[i], err));
    st = compare_all(plan, side, ev, err);
out:
    release(&side[AISP_A]);
    release(&side[AISP_B]);
    if (folder)
        aisp_place_remove(folder, NULL, NULL);
    free(folder);
    return st;
}
