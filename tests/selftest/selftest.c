/* selftest.c - aisp-selftest: every cheat is caught, every honest twin passes, every switch shows
 * that it is the defence it is said to be. It needs nothing but aisp-worker and selftest/ beside
 * itself, so that the owner of any machine can repeat the proof there.
 *
 *   aisp-selftest                       all
 *   aisp-selftest cheats/stale_cache    these
 *   --device cuda                       those that run on a card, all or by NAME (the cheat and its
 *                                       twin); without a card one line says so, and it is 5 that is
 *                                       returned
 *   --seconds N                         what cannot be begun in that time is named and not tried
 *   -v                                  with all findings
 *   --json                              one value on stdout, the rest on stderr
 *   --list                              what there is
 *   --artifacts-dir DIR                 where it is kept what was seen (artifacts), and of a card DIR/traces/KIND.NAME.json,
 *                                       what the recorder saw; "" nowhere
 *
 * A cheat is proven by three things:
 *   caught    under all defences it is invalid, and the check named is the first of the findings
 *   alone     with every other defence off, each of its own catches it still
 *   through   with those off too nothing is found, and where it is about speed it is FASTER
 * Where no switch turns a check off, the second and third are: with all switches off it is found
 * still, and nothing but this check finds it.
 * What is seen on a card holds for that machine and no other. Fixtures whose defence is the device's
 * recorder are not tried where it has none.
 * A fixture whose device is played (scripted/NAME) proves the logic of a check alone, and is counted
 * apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "tests/selftest/outcome.h"
#include "tests/selftest/place.h"
#include "tests/selftest/played.h"
#include "tests/selftest/trial.h"
#include "tests/selftest/world.h"

enum { VERDICT_PAIRS = 12, ATTEMPTS = 3 };
static const uint32_t ALL = (1u << AISP_N_DEFENCES) - 1;

static bool verbose;
static int64_t until_ns; /* 0: as long as it takes */
static const char *traces_to; /* the artifacts' folder */
static int n_left;       /* not tried */

static void print_findings(const struct trial *t)
{
    for (size_t i = 0; i < t->findings.n; i++)
        printf("        %d %s: %s\n", (int)t->findings.item[i].severity,
               t->findings.item[i].check->name, t->findings.item[i].text);
    if (t->has_verdict)
        printf("        %s %.3f of %zu pairs\n", aisp_verdict_name(t->look.verdict), t->look.ratio,
               t->look.n_pairs);
}

static bool complain(const struct trial *t, const struct fixture *f, const char *what)
{
    printf("    FAILED %s/%s: %s\n", f->kind, f->name, what);
    print_findings(t);
    return false;
}

static bool says_all(const struct fixture *f, const char *text)
{
    for (int i = 0; i < f->n_says; i++)
        if (!strstr(text, f->says[i]))
            return false;
    return true;
}

static bool is_accused(const struct trial *t, int side)
{
    for (size_t i = 0; i < t->findings.n; i++)
        if (t->findings.item[i].side == side && t->findings.item[i].severity == AISP_VIOLATION)
            return true;
    return false;
}

/* The first finding; where publishable is asked for, the noise of this machine is held against it and says nothing of the cheat. */
static const struct aisp_finding *first_of(const struct fixture *f, const struct trial *t)
{
    size_t i = 0;

    while (f->publish && i + 1 < t->findings.n && !strcmp(t->findings.item[i].check->name, "background-noise") &&
           strcmp(f->check, "background-noise"))
        i++;
    return &t->findings.item[i];
}

/* What is missing for the proof that it was caught; NULL: nothing. */
static const char *flaw_of(const struct fixture *f, const struct trial *t)
{
    if (t->grade != AISP_GRADE_INVALID)
        return "it was not caught";
    if (strcmp(first_of(f, t)->check->name, f->check))
        return "another check is named first";
    if (!says_all(f, first_of(f, t)->text))
        return "the finding does not say what it should";
    if (*f->spares && is_accused(t, *f->spares == 'B' ? AISP_B : AISP_A))
        return "the other side is accused";
    if (f->has_ratio &&
        !(t->has_verdict && t->look.ratio >= f->ratio_low && t->look.ratio <= f->ratio_high))
        return "the printed ratio is not where it should be";
    return NULL;
}

/* Checks that weigh times say nothing where the machine was disturbed, and what is asked of who is FASTER is not asked where a dozen
 * pairs gave no verdict: then it is tried again. */
static bool may_try_again(const struct trial *t, int attempt)
{
    const bool is_unsure = t->has_verdict && t->look.n_pairs >= VERDICT_PAIRS && t->look.verdict == AISP_UNSURE;

    return attempt + 1 < ATTEMPTS && (is_unsure || trial_was_disturbed(t));
}

enum caught { NOT_CAUGHT, CAUGHT, NOT_RECORDED };

static enum caught prove_caught(const struct fixture *f, char text[320])
{
    const char *flaw = "";

    for (int i = 0; i < ATTEMPTS && flaw; i++) {
        const struct trial_ask ask = { 0, f->pairs, i, false };
        bool again;
        struct trial t;

        if (!trial_run(f, &ask, &t))
            return NOT_CAUGHT;
        if (trial_lacks_recorder(&t, f)) {
            trial_release(&t);
            return NOT_RECORDED;
        }
        flaw = flaw_of(f, &t);
        again = flaw && may_try_again(&t, i);
        trial_keep_trace(&t, f, traces_to);
        snprintf(text, 320, "%s", t.findings.n ? first_of(f, &t)->text : "");
        if (verbose)
            print_findings(&t);
        if (flaw && !again)
            complain(&t, f, flaw);
        trial_release(&t);
        if (!again)
            break;
    }
    return flaw ? NOT_CAUGHT : CAUGHT;
}

/* With only these on, does the check still fire? */
static bool prove_alone(const struct fixture *f, uint32_t on)
{
    bool good = false, again = true;

    for (int i = 0; i < ATTEMPTS && again; i++) {
        const struct trial_ask ask = { ALL & ~on, f->pairs, 10 + i, false };
        struct trial t;

        if (!trial_run(f, &ask, &t))
            return false;
        good = trial_violation(&t, f->check) || (*f->also && trial_violation(&t, f->also));
        again = !good && may_try_again(&t, i);
        if (verbose)
            print_findings(&t);
        if (!good && !again)
            complain(&t, f, "it is not caught by this alone");
        trial_release(&t);
    }
    return good;
}

/* What says nothing about the cheat: where outputs are not compared missing-holdout can only say
 * that, where publishable is asked for the noise of this machine is held against it, and without a
 * switch it is the check itself that is left out. */
static bool is_left_out(const struct fixture *f, const char *check)
{
    const bool compared = f->needs >> AISP_COMPARE_OUTPUTS & 1;

    return (!compared && !strcmp(check, "missing-holdout")) || !strcmp(check, "background-noise") ||
           (!f->defences && !strcmp(check, f->check)) || (*f->also && !strcmp(check, f->also));
}

static bool got_through(const struct fixture *f, const struct trial *t)
{
    for (size_t i = 0; i < t->findings.n; i++)
        if (t->findings.item[i].severity == AISP_VIOLATION &&
            !is_left_out(f, t->findings.item[i].check->name))
            return false;
    return true;
}

/* What is much faster is seen to be so in pairs of few blocks too: that is tried before it is given its time. */
static bool may_be_brief(const struct fixture *f)
{
    return f->faster && f->pairs < VERDICT_PAIRS && strcmp(f->device, "cuda") != 0;
}

static bool prove_through(const struct fixture *f, char verdict[32])
{
    bool good = false, again = true;

    for (int i = may_be_brief(f) ? -1 : 0; i < ATTEMPTS && again; i++) {
        const struct trial_ask ask = { ALL & ~f->needs, f->faster ? VERDICT_PAIRS : f->pairs,
                                       i < 0 ? 20 + ATTEMPTS : 20 + i, i < 0 };
        struct trial t;

        if (!trial_run(f, &ask, &t))
            return false;
        good = got_through(f, &t);
        again = good && f->faster && !(t.has_verdict && t.look.verdict == AISP_FASTER);
        if (!good)
            complain(&t, f, "it does not get through");
        else if (again && i == ATTEMPTS - 1)
            good = complain(&t, f, "it gets through, but is not faster");
        if (f->faster && t.has_verdict)
            snprintf(verdict, 32, ", %s %.2f", aisp_verdict_name(t.look.verdict), t.look.ratio);
        trial_release(&t);
    }
    return good;
}

static bool prove_switches(const struct fixture *f, char verdict[32])
{
    bool good = true;

    if (!f->defences)
        good = prove_alone(f, f->needs);
    for (int i = 0; i < AISP_N_DEFENCES; i++)
        if (f->defences >> i & 1)
            good &= prove_alone(f, f->needs | 1u << i);
    return prove_through(f, verdict) && good;
}

static void leave(const struct fixture *f, const char *why)
{
    n_left++;
    printf("not tried %s/%s: %s\n", f->kind, f->name, why);
}

static void print_row(const struct fixture *f, const char *state, int64_t begin_ns,
                      const char *more)
{
    printf("%-8s %-28s %5.1f s  %s\n", state, f->name, 1e-9 * (double)(aisp_now_ns() - begin_ns),
           more);
    fflush(stdout);
}

static void defence_names(const struct fixture *f, struct aisp_buf *to)
{
    const char *between = "";

    for (int i = 0; i < AISP_N_DEFENCES; i++)
        if (f->defences >> i & 1) {
            aisp_buf_printf(to, "%s%s", between, aisp_defence_name((enum aisp_defence)i));
            between = " / ";
        }
    if (!f->defences)
        aisp_buf_puts(to, "the check alone");
}

static void prove_cheat(const struct fixture *f, struct outcomes *score)
{
    const int64_t begin_ns = aisp_now_ns();
    char text[320] = "", verdict[32] = "";
    const enum caught end = prove_caught(f, text);
    const bool caught = end == CAUGHT;
    struct aisp_buf more = AISP_BUF_INIT;
    bool switched;

    if (end == NOT_RECORDED) {
        leave(f, "the device records nothing here");
        return;
    }
    switched = prove_switches(f, verdict);
    score->n_cheats++;
    score->n_caught += caught;
    score->n_switches++;
    score->n_switched += switched;
    aisp_buf_printf(&more, "%s by ", f->check);
    defence_names(f, &more);
    aisp_buf_printf(&more, "; without: through%s", verdict);
    print_row(f, caught && switched ? "caught" : "MISSED", begin_ns, more.s);
    printf("         %s\n", text);
    outcome_add(score, &(struct outcome){ f->kind, f->name, f->check,
                                          !caught     ? "it was not caught as it should be"
                                          : !switched ? "a switch does not show what it should"
                                                      : text,
                                          caught && switched, begin_ns });
    aisp_buf_release(&more);
}

/* The twin's own check has nothing to say but notes. */
static bool is_silent(const struct fixture *f, const struct trial *t)
{
    for (size_t i = 0; i < t->findings.n; i++)
        if (t->findings.item[i].severity > AISP_NOTE &&
            !strcmp(t->findings.item[i].check->name, f->check))
            return false;
    return true;
}

/* An honest variant: nothing that withholds its result, and where pairs are asked for something to be withheld. */
static void prove_twin(const struct fixture *f, struct outcomes *score)
{
    const struct trial_ask ask = { 0, f->pairs, 0, false };
    const int64_t begin_ns = aisp_now_ns();
    struct trial t;
    bool good;

    score->n_twins++;
    if (!trial_run(f, &ask, &t)) {
        outcome_add(score, &(struct outcome){ f->kind, f->name, f->check, "it could not be run",
                                              false, begin_ns });
        return;
    }
    trial_keep_trace(&t, f, traces_to);
    good = t.grade != AISP_GRADE_INVALID || complain(&t, f, "an honest variant is accused");
    good = good && (is_silent(f, &t) || complain(&t, f, "its own check accuses it"));
    good = good && (!f->pairs || trial_pairs(&t) > 0 || complain(&t, f, "no pair was completed"));
    if (good && f->has_ratio)
        good = (t.has_verdict && t.look.ratio >= f->ratio_low && t.look.ratio <= f->ratio_high) ||
               complain(&t, f, "the printed ratio is not where it should be");
    if (verbose)
        print_findings(&t);
    score->n_passed += good;
    outcome_add(score, &(struct outcome){ f->kind, f->name, f->check,
                                          good ? aisp_grade_name(t.grade) : "it is accused", good,
                                          begin_ns });
    print_row(f, good ? "passed" : "ACCUSED", begin_ns, aisp_grade_name(t.grade));
    trial_release(&t);
}

static bool prove(const char *kind, const char *name, struct outcomes *score)
{
    struct fixture f;

    if (!strcmp(kind, "scripted"))
        return played_prove(name, score);
    if (!fixture_read(&f, kind, name))
        return false;
    if (until_ns && aisp_now_ns() > until_ns)
        leave(&f, "the time was over");
    else if (f.as_nobody && !world_has_nobody())
        leave(&f, "an ordinary user cannot reach what was built here");
    else if (f.is_cheat)
        prove_cheat(&f, score);
    else
        prove_twin(&f, score);
    return true;
}

static bool prove_all(const char *kind, struct outcomes *score)
{
    bool good = true;
    char **name;
    size_t n;

    name = fixture_names(kind, &n);
    for (size_t i = 0; i < n; i++) {
        good &= prove(kind, name[i], score);
        free(name[i]);
    }
    free(name);
    return good && n > 0;
}

static const char *const cpu_kinds[] = { "cheats", "honest" }, *const card_kinds[] = { "cheats_cuda", "honest_cuda" };

/* A name alone: what of it there is for the device, cheat and twin. */
static bool prove_named(const char *name, const char *const *kinds, struct outcomes *score)
{
    bool good = true;
    int n = 0;

    for (int i = 0; i < 2; i++) {
        char *text = place_of("%s/%s.txt", kinds[i], name);

        if (!access(text, R_OK)) {
            n++;
            good &= prove(kinds[i], name, score);
        }
        free(text);
    }
    if (!n)
        printf("%s: there is no such fixture\n", name);
    return good && n;
}

static bool prove_asked(const char *id, const char *const *kinds, struct outcomes *score)
{
    const char *slash = strchr(id, '/');
    char kind[16];

    if (!slash)
        return prove_named(id, kinds, score);
    if (slash - id >= (int)sizeof kind)
        return false;
    snprintf(kind, sizeof kind, "%.*s", (int)(slash - id), id);
    if (kinds != card_kinds && (!strcmp(kind, card_kinds[0]) || !strcmp(kind, card_kinds[1]))) {
        printf("%s: it runs on a card, with --device cuda\n", id);
        return false;
    }
    return prove(kind, slash + 1, score);
}

static void list_kind(const char *kind)
{
    size_t n;
    char **name = fixture_names(kind, &n);

    for (size_t i = 0; i < n; i++) {
        printf("%s/%s\n", kind, name[i]);
        free(name[i]);
    }
    free(name);
}

struct asked {
    bool json, list;
    const char *artifacts_dir, *device;
    int first; /* of the fixtures among the arguments */
};

static bool read_arguments(struct asked *asked, int argc, char **argv)
{
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "-v"))
            verbose = true;
        else if (!strcmp(argv[i], "--json"))
            asked->json = true;
        else if (!strcmp(argv[i], "--list"))
            asked->list = true;
        else if (!strcmp(argv[i], "--artifacts-dir") && i + 1 < argc)
            asked->artifacts_dir = argv[++i];
        else if (!strcmp(argv[i], "--device") && i + 1 < argc)
            asked->device = argv[++i];
        else if (!strcmp(argv[i], "--seconds") && i + 1 < argc && atoi(argv[i + 1]) >= 0)
            until_ns = aisp_now_ns() + 1000000000 * (int64_t)atoi(argv[++i]);
        else
            break;
    }
    asked->first = i;
    while (i < argc && argv[i][0] != '-')
        i++;
    return i == argc;
}

static bool is_on_card(const struct asked *asked)
{
    return !strcmp(asked->device, "cuda");
}

static bool prove_fixtures(const struct asked *asked, int argc, char **argv, struct outcomes *s)
{
    const char *const *kinds = is_on_card(asked) ? card_kinds : cpu_kinds;
    bool good = true;

    if (asked->first == argc) {
        good &= prove_all(kinds[0], s);
        good &= prove_all(kinds[1], s);
        good &= is_on_card(asked) || played_prove(NULL, s);
    }
    for (int i = asked->first; i < argc; i++)
        good &= prove_asked(argv[i], kinds, s);
    printf("caught %d/%d, twins %d/%d, switches %d/%d, logic only %d", s->n_caught, s->n_cheats,
           s->n_passed, s->n_twins, s->n_switched, s->n_switches, outcomes_logic_only(s));
    if (n_left)
        printf(", not tried %d", n_left);
    printf("%s%s\n", s->card ? ", on " : "", s->card ? s->card : "");
    return good && outcomes_are_good(s);
}

/* What is printed on the way goes to stderr; the value alone to stdout. */
static void print_json(int to, const struct outcomes *all)
{
    json_t *value = outcomes_json(all);

    fflush(stdout);
    json_dumpfd(value, to, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    dprintf(to, "\n");
    json_decref(value);
}

static bool is_built(void)
{
    char *folder = place_of("%s", card_kinds[0]);
    const bool is_there = !access(folder, R_OK);

    free(folder);
    return is_there;
}

static int list(const struct asked *asked)
{
    const char *const *kinds = is_on_card(asked) ? card_kinds : cpu_kinds;

    list_kind(kinds[0]);
    list_kind(kinds[1]);
    if (!is_on_card(asked))
        played_list();
    return 0;
}

int main(int argc, char **argv)
{
    struct asked asked = { .artifacts_dir = "artifacts", .device = "cpu" };
    struct aisp_err err = { 0 };
    struct outcomes all = { 0 };
    bool good;
    int to = -1;

    if (!read_arguments(&asked, argc, argv)) {
        fprintf(stderr,
                "usage: aisp-selftest [-v] [--json] [--list] [--device cpu|cuda] [--seconds N] "
                "[--artifacts-dir DIR] [KIND/NAME ...]\n");
        return 2;
    }
    if (asked.list)
        return list(&asked);
    if (trial_probe(asked.device, &err)) {
        fprintf(stderr, "aisp-selftest: %s\n", err.text);
        return err.status == AISP_E_USAGE ? 2 : 5;
    }
    if (is_on_card(&asked) && !is_built()) {
        fprintf(stderr, "aisp-selftest: no fixtures for a card are built here: selftest_cuda makes them, with nvcc\n");
        return 5;
    }
    traces_to = asked.artifacts_dir;
    all.card = is_on_card(&asked) ? trial_card(asked.device) : NULL;
    if (asked.json) {
        to = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    good = prove_fixtures(&asked, argc, argv, &all);
    if (asked.json)
        print_json(to, &all);
    good &= !*asked.artifacts_dir || outcomes_keep(&all, asked.artifacts_dir);
    json_decref(all.fixtures);
    return good ? 0 : 1;
}
