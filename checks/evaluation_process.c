/* evaluation_process.c - what a worker's process and a variant's file tell of attempts on the evaluation: code that was changed
 * in memory, files that are held open, answers that were shipped, and files of the harness that are others afterwards. */
#include <string.h>

#include "checks/observed.h"
#include "checks/process.h"
#include "core/channel.h"

static void code_tampering(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_process_facts *p = &ev->process[side];
        const bool makes_code = aisp_side_uses(ev, (enum aisp_side)side, "jit") || aisp_side_uses(ev, (enum aisp_side)side, "library");

        if (p->patched_code_bytes)
            aisp_find(out, self, AISP_VIOLATION, side, "%s: %lld bytes of code in memory are no longer those of their file %s",
                      ev->variant[side].name, (long long)p->patched_code_bytes, p->patched_object);
        if (p->writable_code_bytes && !makes_code)
            aisp_find(out, self, AISP_VIOLATION, side, "%s: %lld bytes are writable and executable at once (uses: jit is not declared)",
                      ev->variant[side].name, (long long)p->writable_code_bytes);
        if (p->jit_setup_bytes > 0 && !makes_code)
            aisp_find(out, self, AISP_VIOLATION, side, "%s: made %lld bytes of code in setup (uses: jit is not declared)",
                      ev->variant[side].name, (long long)p->jit_setup_bytes);
    }
}

AISP_CHECK(code_tampering_check) = {
    .issue = 88,
    .name = "code-tampering",
    .family = "evaluation",
    .title = "Code of worker and libraries stays what its files hold; code of no file has to be declared",
    .needs = "cpu",
    .incident = "a timing function replaced in place by the code that it timed, 2025",
    .severity = AISP_VIOLATION,
    .rank = 4,
    .examine = code_tampering,
};

/* Both sides' workers are of one kind: the same user looks at the same user's. */
static bool are_alike(const struct aisp_evidence *ev)
{
    return !((ev->account[AISP_A].missing ^ ev->account[AISP_B].missing) & AISP_CAGE_USER);
}

/* Where the other side's is seen in each session, nothing but the process itself keeps it from being seen. */
static void process_hidden(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const int32_t n[2] = { ev->process[AISP_A].n_unseen, ev->process[AISP_B].n_unseen };

    for (int side = AISP_A; side <= AISP_B; side++)
        if (n[side] && !n[!side] && ev->process[!side].n_looks && are_alike(ev)) {
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: in %d sessions its process could not be looked into from outside, and the other side's could: it hid itself",
                      ev->variant[side].name, n[side]);
            return;
        }
    if (n[AISP_A] || n[AISP_B])
        aisp_find(out, self, AISP_DEVELOPMENT, -1,
                  "workers could not be looked into from outside (%d and %d sessions): second mappings, changed or new code, open files "
                  "and other cores would not be seen; run aisp as the user of its workers, or with CAP_SYS_PTRACE",
                  n[AISP_A], n[AISP_B]);
}

AISP_CHECK(process_hidden_check) = {
    .issue = 88,
    .name = "process-hidden",
    .family = "evaluation",
    .title = "Who hides its process from the supervisor is named, and so is a host on which none can be seen",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 3,
    .examine = process_hidden,
};

static void test_data_leakage(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        for (int i = 0; i < ev->process[side].n_objects; i++) {
            const struct aisp_process_object *o = &ev->process[side].object[i];

            if (o->is_executable || aisp_object_owner(ev, (enum aisp_side)side, o) != AISP_OWNER_NOBODY)
                continue;
            aisp_find(out, self, AISP_VIOLATION, side, "%s: has %s %s, a file that it was not given", ev->variant[side].name,
                      o->is_open ? "open" : "mapped", o->path);
            break;
        }
}

AISP_CHECK(test_data_leakage_check) = {
    .issue = 91,
    .name = "test-data-leakage",
    .family = "evaluation",
    .title = "Contents exist only once a call needs them; what else a worker reads is out of its reach, or seen",
    .needs = "cpu",
    .incident = "benchmark answers found in the folder that the solver could read",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = test_data_leakage,
};

static void memorisation(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_process_facts *p = &ev->process[side];
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, -1);
        char where[192];

        if (!p->shipped_answer_at || !o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: saw %.9g, expected %.9g; the bytes of its answer lie in its own file, at offset %lld of %lld bytes of data: they "
                  "were shipped, for other contents",
                  where, o->seen, o->expected, (long long)p->shipped_answer_at - 1, (long long)p->scan.data_bytes);
    }
}

AISP_CHECK(memorisation_check) = {
    .issue = 94,
    .name = "memorisation",
    .family = "evaluation",
    .title = "Contents come from a secret drawn after the variant was written: answers that it ships fit none of them",
    .needs = "cpu",
    .incident = "tables of answers for the one seed that a benchmark used",
    .severity = AISP_VIOLATION,
    .rank = 16,
    .examine = memorisation,
};
