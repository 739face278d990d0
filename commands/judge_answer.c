/* judge_answer.c - facts into the answer. */
#include "commands/judge_answer.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/judge/judge.h"

/* ---- the reason word ---- */

/* By the name of the call that ended it, which comes first in the observation's detail. */
static const char *word_of_call(const char *detail)
{
    static const struct {
        const char *call, *word;
    } words[] = {
        { "fork", "started-process" },
        { "vfork", "started-process" },
        { "clone", "started-process" },
        { "setsid", "started-process" },
        { "setpgid", "started-process" },
        { "execve", "started-program" },
        { "execveat", "started-program" },
        { "a call that was made", "started-program" },
        { "socket", "socket" },
        { "socketpair", "socket" },
        { "connect", "socket" },
        { "ptrace", "traced" },
        { "process_vm_readv", "traced" },
        { "process_vm_writev", "traced" },
        { "pidfd_getfd", "traced" },
        { "kill", "signalled" },
        { "tkill", "signalled" },
        { "tgkill", "signalled" },
        { "rt_sigqueueinfo", "signalled" },
        { "rt_tgsigqueueinfo", "signalled" },
        { "pidfd_send_signal", "signalled" },
        { "open", "opened-file" },
        { "openat", "opened-file" },
        { "openat2", "opened-file" },
        { "creat", "wrote-file" },
        { "mkdir", "wrote-file" },
        { "mkdirat", "wrote-file" },
        { "unlink", "wrote-file" },
        { "unlinkat", "wrote-file" },
        { "rmdir", "wrote-file" },
        { "rename", "wrote-file" },
        { "renameat", "wrote-file" },
        { "renameat2", "wrote-file" },
        { "link", "wrote-file" },
        { "linkat", "wrote-file" },
        { "symlink", "wrote-file" },
        { "symlinkat", "wrote-file" },
        { "truncate", "wrote-file" },
    };
    const size_t n = strcspn(detail, " ");

    if (!strncmp(detail, "open", 4) && strstr(detail, " for writing"))
        return "wrote-file";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((n == strlen(words[i].call) && !strncmp(detail, words[i].call, n)) ||
            (strchr(words[i].call, ' ') && !strncmp(detail, words[i].call, strlen(words[i].call))))
            return words[i].word;
    return "forbidden-call";
}

static const char *word_of(const struct aisp_observation *o)
{
    switch (o->what) {
    case AISP_SEEN_FORBIDDEN_CALL:
        return word_of_call(o->detail);
    case AISP_SEEN_SIGNAL:
        return "crashed";
    case AISP_SEEN_EXIT:
        return "left";
    case AISP_SEEN_HANG:
        return "hung";
    case AISP_SEEN_OUTPUT_FLOOD:
        return "output-flood";
    case AISP_SEEN_MEMORY:
        return "memory";
    case AISP_SEEN_BAD_STATUS:
        return "failed";
    case AISP_SEEN_PROTOCOL:
        return "protocol";
    case AISP_SEEN_REFUSED:
        return "refused";
    case AISP_SEEN_WRONG_OUTPUT:
        return "wrong-output";
    case AISP_SEEN_CANARY:
        return "wrote-outside";
    case AISP_SEEN_LATE_WRITE:
        return "late-write";
    case AISP_SEEN_INPUT_CHANGED:
        return "changed-input";
    case AISP_SEEN_BUSY_OUTSIDE:
        return "busy-outside";
    case AISP_SEEN_EXTRA_THREADS:
        return "undeclared-threads";
    default:
        return "violation";
    }
}

static bool is_invalid(const json_t *result)
{
    const char *grade = json_string_value(json_object_get(result, "grade"));

    return grade && !strcmp(grade, "invalid");
}

/* The side of the first violation: 'a', 'b' or 0. */
static char blamed(const json_t *result)
{
    const json_t *finding;
    size_t i;

    json_array_foreach(json_object_get(result, "findings"), i, finding)
    {
        const char *severity = json_string_value(json_object_get(finding, "severity")),
                   *side = json_string_value(json_object_get(finding, "side"));

        if (severity && !strcmp(severity, "violation"))
            return side ? *side : '-';
    }
    return 0;
}

/* What no candidate may be seen doing, whatever the checks make of it: here nobody looks at a number twice. */
static bool is_fatal(const struct aisp_observation *o)
{
    switch (o->what) {
    case AISP_SEEN_BUSY_OUTSIDE:
    case AISP_SEEN_EXTRA_THREADS:
        return false;
    default:
        return o->what <= AISP_SEEN_REFUSED;
    }
}

static const char *word_of_first(const struct aisp_evidence *ev)
{
    for (size_t i = 0; i < ev->n_observations; i++)
        if (ev->observation[i].side == AISP_B && is_fatal(&ev->observation[i]))
            return word_of(&ev->observation[i]);
    return "";
}

const char *aisp_answer_word(const struct aisp_evidence *ev, const json_t *result)
{
    const char who = blamed(result);

    if (!is_invalid(result))
        return word_of_first(ev);
    if (!who)
        return "not-publishable";
    if (who == 'a')
        return "reference-failed";
    for (size_t i = 0; i < ev->n_observations; i++)
        if (ev->observation[i].side == AISP_B)
            return word_of(&ev->observation[i]);
    return "violation";
}

/* ---- what is withheld ---- */

static bool is_expected(double x, const struct aisp_evidence *ev)
{
    for (size_t i = 0; ev && i < ev->n_observations; i++) {
        const struct aisp_observation *o = &ev->observation[i];

        if (o->what == AISP_SEEN_WRONG_OUTPUT && fabs(x - o->expected) <= 1e-2 * fabs(o->expected))
            return true;
    }
    return false;
}

/* Does the text before `at` end with a word behind which a number is a place? */
static bool is_place(const char *text, const char *at)
{
    static const char *const words[] = { "call ", "slot ", "element ", "window ",
                                         "pair ", "of ",   "rank ",    "rows " };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i]);

        if ((size_t)(at - text) >= n && !strncmp(at - n, words[i], n))
            return true;
    }
    return false;
}

static size_t number_at(const char *at, double *x)
{
    char *end;

    if (!isdigit((unsigned char)*at) && !strchr("+-.", *at) && strncmp(at, "nan", 3) &&
        strncmp(at, "inf", 3))
        return 0;
    *x = strtod(at, &end);
    return (size_t)(end - at);
}

char *aisp_answer_withhold(const char *text, const struct aisp_evidence *ev)
{
    static const char after[] = "expected ", margin[] = " +- ", withheld[] = "(withheld)";
    struct aisp_buf out = AISP_BUF_INIT;
    const char *at = text;

    aisp_buf_puts(&out, "");
    while (*at) {
        const bool is_after = (size_t)(at - text) >= sizeof after - 1 &&
                              !strncmp(at - (sizeof after - 1), after, sizeof after - 1);
        const bool begins =
            at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '.' || at[-1] == '_');
        double x;
        size_t n = begins ? number_at(at, &x) : 0;

        if (n && (is_after || (!is_place(text, at) && is_expected(x, ev)))) {
            aisp_buf_puts(&out, withheld);
            at += n;
            if (!strncmp(at, margin, sizeof margin - 1))
                at += sizeof margin - 1 + number_at(at + sizeof margin - 1, &x);
            continue;
        }
        n = n ? n : 1;
        for (size_t i = 0; i < n; i++)
            aisp_buf_add(&out, at[i] >= ' ' && at[i] <= '~' ? &at[i] : "?", 1);
        at += n;
    }
    return aisp_buf_detach(&out);
}

/* ---- parts ---- */

static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *ms(int64_t ns)
{
    return json_real(round((double)ns / 1e4) / 1e2);
}

static json_t *copy_or_null(const json_t *from, const char *key)
{
    json_t *value = json_object_get(from, key);

    return value ? json_deep_copy(value) : json_null();
}

static void add_finding(json_t *list, const char *check, const char *severity, const char *text)
{
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s}", "check", check, "severity", severity, "text", text));
}

/* What was found about the candidate; a finding about the reference is not its business, but for its name. */
static json_t *findings_of(const struct aisp_answer_facts *f)
{
    json_t *list = json_array();
    const json_t *finding;
    size_t i;

    json_array_foreach(json_object_get(f->result, "findings"), i, finding)
    {
        char *text =
            aisp_answer_withhold(json_string_value(json_object_get(finding, "text")), f->ev);

        add_finding(list, json_string_value(json_object_get(finding, "check")),
                    json_string_value(json_object_get(finding, "severity")), text);
        free(text);
    }
    return list;
}

/* Where the first wrong element lies, and how many there were; neither what was there nor what should have been. */
static json_t *wrong_of(const struct aisp_answer_facts *f)
{
    for (size_t i = 0; f->ev && i < f->ev->n_observations; i++) {
        const struct aisp_observation *o = &f->ev->observation[i];
        const bool has_name = f->problem && o->tensor >= 0 && o->tensor < AISP_MAX_TENSORS;

        if (o->what != AISP_SEEN_WRONG_OUTPUT || o->side != AISP_B)
            continue;
        return json_pack("{s:s, s:s, s:s?, s:I, s:I, s:i, s:I, s:I}", "kind",
                         aisp_wrong_name((enum aisp_wrong)o->kind), "phase",
                         aisp_phase_name(o->phase), "tensor",
                         has_name ? f->problem->tensor[o->tensor].name : NULL, "element",
                         (json_int_t)o->element, "call", (json_int_t)o->call, "slot", (int)o->slot,
                         "wrong", (json_int_t)o->count, "of", (json_int_t)o->of);
    }
    return json_null();
}

static json_t *correct_of(const struct aisp_answer_facts *f)
{
    const struct aisp_verified *v = f->ev ? &f->ev->verified[AISP_B] : NULL;

    for (size_t i = 0; f->ev && i < f->ev->n_observations; i++)
        if (f->ev->observation[i].what == AISP_SEEN_WRONG_OUTPUT &&
            f->ev->observation[i].side == AISP_B)
            return json_false();
    if (!v || !v->n_full || v->n_full_right < v->n_full)
        return json_null();
    return json_true();
}

static json_t *best_of(const struct aisp_answer_facts *f)
{
    static const char *const keys[] = { "verdict", "ratio", "lo95", "hi95", "n_pairs" };
    json_t *best;

    if (!f->best_name || !f->best || is_invalid(f->best))
        return json_null();
    best = json_pack("{s:s}", "variant", f->best_name);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set_new(best, keys[i], copy_or_null(f->best, keys[i]));
    return best;
}

/* Why the answer is what it is: rejected before it was measured, or what the run says. */
static const char *rejected_of(const struct aisp_answer_facts *f)
{
    const char *word;

    if (*f->candidate->rejected)
        return f->candidate->rejected;
    if (f->built && f->built->is_tried && f->built->result.end != AISP_SANDBOX_BUILT)
        return aisp_sandbox_end_name(f->built->result.end);
    if (f->refused)
        return "refused";
    word = f->ev ? aisp_answer_word(f->ev, f->result) : "not-judged";
    return f->unmeasured && !*word ? "not-measured" : word;
}

/* Without namespaces less held the build than could have. */
static const char *lack_of(const struct aisp_answer_facts *f)
{
    return f->mode == AISP_JAIL_LANDLOCK
               ? "compiled without namespaces: Landlock, a filter of system calls and limits held "
                 "the build, the size of all its "
                 "files together was not bounded"
               : NULL;
}

static const char *grade_of(const struct aisp_answer_facts *f, const char *rejected)
{
    const char *grade = json_string_value(json_object_get(f->result, "grade"));

    if (*rejected || !grade)
        return "invalid";
    return lack_of(f) && !strcmp(grade, "publishable") ? "development" : grade;
}

static void add_measured(json_t *answer, const struct aisp_answer_facts *f, const char *rejected)
{
    static const char *const keys[] = { "ratio", "lo95", "hi95", "n_pairs" };
    const json_t *from = *rejected ? NULL : f->result;
    const char *verdict = json_string_value(json_object_get(from, "verdict")),
               *why = json_string_value(json_object_get(from, "reason"));

    json_object_set_new(answer, "correct", correct_of(f));
    json_object_set_new(answer, "max_error",
                        f->ev ? real_or_null(f->ev->verified[AISP_B].worst) : json_null());
    json_object_set_new(answer, "wrong", wrong_of(f));
    json_object_set_new(answer, "verdict", json_string(verdict ? verdict : "INVALID"));
    json_object_set_new(answer, "unsure", json_string(why ? why : ""));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set_new(answer, keys[i], copy_or_null(from, keys[i]));
    json_object_set_new(answer, "best", *rejected ? json_null() : best_of(f));
    json_object_set_new(answer, "best_why", json_string(*rejected ? "" : f->best_why));
    json_object_set_new(answer, "generalisation", copy_or_null(from, "holdout_speed"));
}

/* Why, in words: one line for people. */
static void add_reasons(json_t *answer, const struct aisp_answer_facts *f, json_t *findings)
{
    const struct aisp_candidate *c = f->candidate;

    if (*c->rejected)
        add_finding(findings, "candidate", "violation", c->why);
    if (f->built && f->built->is_tried && f->built->result.end != AISP_SANDBOX_BUILT)
        add_finding(findings, "compile", "violation", aisp_sandbox_end_name(f->built->result.end));
    if (f->refused) {
        char *text = aisp_answer_withhold(f->refused, NULL);

        add_finding(findings, "refused", "violation", text);
        free(text);
    }
    if (f->unmeasured) {
        char *text = aisp_answer_withhold(f->unmeasured, f->ev);

        add_finding(findings, "not-measured", "violation", text);
        free(text);
    }
    if (lack_of(f))
        add_finding(findings, "compile-sandbox", "development", lack_of(f));
    json_object_set_new(answer, "findings", findings);
}

json_t *aisp_answer_new(const struct aisp_answer_facts *f)
{
    const struct aisp_candidate *c = f->candidate;
    const bool compiled =
        f->built && f->built->result.end == AISP_SANDBOX_BUILT && f->built->is_tried;
    const bool has_lack = lack_of(f) && f->publish;
    const char *rejected = rejected_of(f);
    json_t *answer;

    rejected = !*rejected && has_lack ? "not-publishable" : rejected;
    answer =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:s, s:b}", "schema",
                  AISP_JUDGE_SCHEMA, "kind", "answer", "candidate", c->name, "sha256", c->sha256,
                  "bytes", (json_int_t)c->bytes, "family", c->family, "target", f->target, "device",
                  f->device, "size", f->size, "rejected", rejected, "compiled", compiled);
    json_object_set_new(answer, "compiler_message",
                        json_string(f->built && !compiled ? f->built->result.message : ""));
    add_measured(answer, f, rejected);
    json_object_set_new(answer, "grade", json_string(grade_of(f, rejected)));
    add_reasons(answer, f, findings_of(f));
    json_object_set_new(answer, "sandbox", json_string(aisp_sandbox_mode_name(f->mode)));
    json_object_set_new(answer, "compile_ms", ms(f->compile_ns));
    json_object_set_new(answer, "measure_ms", ms(f->measure_ns));
    json_object_set_new(answer, "judge_ms", ms(f->judge_ns));
    json_object_set_new(answer, "seed_commitment", json_string(f->seed_commitment));
    return answer;
}

const char *aisp_answer_rejected(const json_t *answer)
{
    const char *word = json_string_value(json_object_get(answer, "rejected"));

    return word ? word : "";
}
