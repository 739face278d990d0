/* proofs.c - three tables joined: issues, fixtures, and what this machine saw of them. */
#include "commands/proofs.h"

#include <stdlib.h>
#include <string.h>

#include "checks/issues.h"
#include "core/base/buf.h"
#include "core/environment.h"
#include "core/json.h"
#include "store/proofs.h"

static const char *const severities[] = { "note", "development", "violation" };

enum aisp_status aisp_proofs_here(const char *artifacts_dir, json_t **kept, struct aisp_err *err)
{
    struct aisp_environment env;
    char host[65];

    aisp_environment_probe(&env, "/");
    aisp_environment_fingerprint(&env, host);
    return aisp_proofs_load(artifacts_dir, host, kept, err);
}

/* How often a fixture of the check was good, bad or not tried here. Those of a card count beside the others: where they were not
 * tried nothing is missing. */
struct tries {
    int good, bad, none;
};

struct all_tries {
    struct tries anywhere, card_cheats, card_twins;
};

static struct tries *tries_of(struct all_tries *all, const struct aisp_fixture *f)
{
    return f->kind == AISP_FIXTURE_CARD_CHEAT  ? &all->card_cheats
           : f->kind == AISP_FIXTURE_CARD_TWIN ? &all->card_twins
                                               : &all->anywhere;
}

static bool is_proven_on_card(const struct all_tries *all)
{
    return all->card_cheats.good && all->card_twins.good && !all->card_cheats.bad && !all->card_twins.bad;
}

static json_t *fixture_row(const struct aisp_fixture *f, const json_t *kept, struct all_tries *all)
{
    struct tries *tries = tries_of(all, f);
    char *id = aisp_fixture_id(f);
    const json_t *seen = json_object_get(json_object_get(kept, "fixtures"), id);
    const json_t *good = json_object_get(seen, "good");
    json_t *row;

    tries->good += json_is_true(good);
    tries->bad += json_is_false(good);
    tries->none += !seen;
    row = json_pack("{s:s, s:s, s:s, s:O?, s:O?, s:O?, s:O*}", "id", id, "what", f->what, "switches",
                    f->switches, "good", good, "at", json_object_get(seen, "at"), "says",
                    json_object_get(seen, "says"), "on", json_object_get(seen, "on"));
    free(id);
    return row;
}

static const char *here_of(const struct all_tries *all)
{
    const struct tries *t = &all->anywhere;

    if (t->bad || all->card_cheats.bad || all->card_twins.bad)
        return "failed";
    if (is_proven_on_card(all) && !t->none)
        return "proven";
    if (!t->good)
        return is_proven_on_card(all) ? "in part" : "not tried";
    return t->none ? "in part" : "proven";
}

static json_t *check_row(const struct aisp_check *check, const json_t *kept)
{
    json_t *fixtures = json_array();
    struct all_tries tries = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
    const char *why;
    enum aisp_proof proof = aisp_proof_of(check, &why);

    for (const struct aisp_fixture *f = aisp_fixtures; f->name; f++)
        if (!strcmp(f->check, check->name))
            json_array_append_new(fixtures, fixture_row(f, kept, &tries));
    if (is_proven_on_card(&tries)) {
        proof = AISP_PROVEN;
        why = "";
    }
    if (tries.anywhere.bad || tries.card_cheats.bad || tries.card_twins.bad) {
        proof = AISP_UNPROVEN;
        why = "a fixture of it failed on this machine";
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "check", check->name, "title",
                     check->title, "needs", check->needs, "severity", severities[check->severity],
                     "incident", check->incident, "proof", aisp_proof_name(proof), "why", why,
                     "here", here_of(&tries), "fixtures", fixtures);
}

static enum aisp_proof proof_named(const char *name)
{
    for (int i = 0; i < AISP_N_PROOFS; i++)
        if (!strcmp(aisp_proof_name((enum aisp_proof)i), name))
            return (enum aisp_proof)i;
    return AISP_UNPROVEN;
}

/* A protection is as good as the best of its checks. */
static json_t *issue_row(int number, const json_t *kept)
{
    json_t *checks = json_array(), *check;
    enum aisp_proof best = AISP_UNPROVEN;
    const char *why = "no check yet";
    size_t i;

    AISP_FOR_EACH(aisp_checks, struct aisp_check, c)
        if (c->issue == number)
            json_array_append_new(checks, check_row(c, kept));
    json_array_foreach(checks, i, check) {
        const enum aisp_proof proof = proof_named(aisp_json_text(check, "proof"));

        if (i == 0 || proof > best) {
            best = proof;
            why = aisp_json_text(check, "why");
        }
    }
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:o}", "issue", number, "family",
                     aisp_issue(number)->family, "name", aisp_issue(number)->name, "proof",
                     aisp_proof_name(best), "why", why, "checks", checks);
}

json_t *aisp_proofs_rows(const json_t *kept)
{
    json_t *rows = json_array();

    for (int i = 1; i <= AISP_N_ISSUES; i++)
        json_array_append_new(rows, issue_row(i, kept));
    return rows;
}

enum aisp_proof aisp_proofs_find(const json_t *rows, const char *name, const char **why)
{
    const json_t *row, *check;
    size_t i, j;

    json_array_foreach(rows, i, row)
        json_array_foreach(json_object_get(row, "checks"), j, check)
            if (!strcmp(aisp_json_text(check, "check"), name)) {
                *why = aisp_json_text(check, "why");
                return proof_named(aisp_json_text(check, "proof"));
            }
    AISP_BUG("no row of the check %s", name);
}

json_t *aisp_proofs_summary(const json_t *rows, const json_t *kept)
{
    int n[AISP_N_PROOFS] = { 0 }, good = 0, bad = 0;
    const json_t *row;
    json_t *fixture;
    const char *id;
    json_int_t at = 0;
    size_t i;

    json_array_foreach(rows, i, row)
        n[proof_named(aisp_json_text(row, "proof"))]++;
    json_object_foreach(json_object_get(kept, "fixtures"), id, fixture) {
        const json_int_t when = json_integer_value(json_object_get(fixture, "at"));

        good += json_is_true(json_object_get(fixture, "good"));
        bad += json_is_false(json_object_get(fixture, "good"));
        at = when > at ? when : at;
    }
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:I}", "proven", n[AISP_PROVEN], "logic_only",
                     n[AISP_LOGIC_ONLY], "unproven", n[AISP_UNPROVEN], "here_good", good,
                     "here_bad", bad, "here_at", at);
}
