/* proof.c - from fixtures to what a row may be called. */
#include "checks/proof.h"

#include <string.h>

#include "checks/issues.h"
#include "core/base/buf.h"

const char *aisp_proof_name(enum aisp_proof proof)
{
    static const char *const names[AISP_N_PROOFS] = { "unproven", "logic only", "proven" };

    return names[proof];
}

char *aisp_fixture_id(const struct aisp_fixture *f)
{
    static const char *const kinds[] = { "cheats", "honest", "scripted", "scripted", "cheats_cuda", "honest_cuda" };

    return aisp_format("%s/%s", kinds[f->kind], f->name);
}

static bool has(const char *check, enum aisp_fixture_kind kind)
{
    for (const struct aisp_fixture *f = aisp_fixtures; f->name; f++)
        if (f->kind == kind && !strcmp(f->check, check))
            return true;
    return false;
}

static const char *excuse(const char *check)
{
    for (const struct aisp_no_proof *p = aisp_no_proofs; p->check; p++)
        if (!strcmp(p->check, check))
            return p->why;
    return NULL;
}

enum aisp_proof aisp_proof_of(const struct aisp_check *check, const char **why)
{
    const bool cheat = has(check->name, AISP_FIXTURE_CHEAT),
               twin = has(check->name, AISP_FIXTURE_TWIN);
    const char *ignored, *excused = excuse(check->name);

    why = why ? why : &ignored;
    *why = "";
    if (cheat && twin)
        return AISP_PROVEN;
    if (has(check->name, AISP_FIXTURE_SCRIPTED_CHEAT) &&
        has(check->name, AISP_FIXTURE_SCRIPTED_TWIN)) {
        *why = "proved with a scripted device";
        return AISP_LOGIC_ONLY;
    }
    *why = excused ? excused
           : cheat ? "no honest twin that it lets pass"
                   : "no cheat that it catches";
    return AISP_UNPROVEN;
}

enum aisp_proof aisp_proof_of_issue(int number, const char **why)
{
    enum aisp_proof best = AISP_UNPROVEN;
    const char *ignored;

    why = why ? why : &ignored;
    *why = "no check yet";
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check) {
        const char *said;
        enum aisp_proof proof;

        if (check->issue != number)
            continue;
        proof = aisp_proof_of(check, &said);
        if (proof > best || !strcmp(*why, "no check yet")) {
            best = proof;
            *why = said;
        }
    }
    return best;
}

/* ---- what a check needs ---- */

static bool is_on(const struct aisp_evidence *ev, const char *device)
{
    return !strcmp(ev->device, device);
}

static bool was_timed(const struct aisp_evidence *ev)
{
    return ev->n_windows > 0;
}

/* A card's workers are processes of this host as well: what is looked at there is looked at here. */
static bool on_cpu(const struct aisp_evidence *ev)
{
    return is_on(ev, "cpu") || is_on(ev, "fake") || is_on(ev, "cuda");
}

static bool on_gpu(const struct aisp_evidence *ev)
{
    return is_on(ev, "cuda") || ev->machine.card.asked || ev->device_trace[AISP_B].taken;
}

static bool on_gpus(const struct aisp_evidence *ev)
{
    return on_gpu(ev) && ev->machine.card.n_cards > 1;
}

static bool on_ranks(const struct aisp_evidence *ev)
{
    return ev->ranks.n_ranks > 1;
}

static bool was_compared(const struct aisp_evidence *ev)
{
    return ev->verified[AISP_A].n_elements > 0 || ev->verified[AISP_B].n_elements > 0;
}

static const struct need {
    const char *word;
    bool (*is_met)(const struct aisp_evidence *ev);
    const char *lacks;
} needs[] = {
    { "cpu", on_cpu, "of a CPU run only" },
    { "gpu", on_gpu, "of a run on a GPU only" },
    { "gpus", on_gpus, "of a machine with several GPUs only" },
    { "ranks", on_ranks, "of a run with ranks only" },
    { "timed", was_timed, "nothing was timed" },
    { "compared", was_compared, "no output was compared" },
};

/* Is the one word met? A word that is not known here is not. */
static bool is_met(const char *word, size_t n, const struct aisp_evidence *ev, const char **why)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (strlen(needs[i].word) != n || memcmp(needs[i].word, word, n))
            continue;
        *why = needs[i].lacks;
        return needs[i].is_met(ev);
    }
    *why = "its evidence was not gathered";
    return false;
}

bool aisp_check_applies(const struct aisp_check *check, const struct aisp_evidence *ev,
                        const char **why)
{
    const char *ignored;

    why = why ? why : &ignored;
    for (const char *at = check->needs;
         *at && !strchr("(;", *at);) { /* words; what follows is for people */
        const size_t n = strcspn(at, " ,;(");

        if (!is_met(at, n, ev, why))
            return false;
        at += n;
        at += strspn(at, " ,");
    }
    *why = "";
    return true;
}
