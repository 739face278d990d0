/* prompts.c - questions that come up often, each with the way to an answer that holds.
 * In a text {name} is an argument, and `name` a tool; [run|A|B|] is A where code may be run, else B. */
#include <stdlib.h>
#include <string.h>

#include "mcp/mcp.h"

enum { MOST_ARGUMENTS = 3 };

struct argument {
    const char *name, *kind;                 /* kind: what complete.c offers for it */
    const char *help;
    const char *preset;                      /* NULL: it has to be given */
};

static const struct prompt {
    const char *name, *title, *help;
    struct argument argument[MOST_ARGUMENTS + 1];
    const char *text;
} prompts[] = {
    { "is_it_faster",
      "Is my kernel really faster?",
      "Measure or look up one target, and say what was shown",
      { { "target", "target", "The target: ch07:transpose" },
        { "variant", "variant", "One variant of it, such as optimized_tiled", "every variant" } },
      "Is {variant} of {target} really faster than its baseline?\n"
      "1. Call `bench_show` for {target}: what the problem asks, what the variants do, and how many wrong answers would be "
      "found.\n"
      "2. [run|Call `bench_run` with targets [\"{target}\"]; it takes minutes and wants the machine for itself.|Call "
      "`bench_history` for {target}. If nothing is recorded, ask me to type: aisp bench run -t {target}|]\n"
      "3. Call `bench_show_run` for the run that this gave, and read the verdict, the ratio with its 95 % interval, and the "
      "grade.\n"
      "4. Answer with these figures. Say \"faster\" only where the verdict is FASTER; UNSURE is not a little faster, and "
      "SAME is not unsure. If the grade is development, name its reasons; if a result is invalid, quote its finding and "
      "give no speedup." },
    { "why_unsure",
      "Why is it UNSURE?",
      "What keeps a comparison from a verdict, and what would decide it",
      { { "target", "target", "The target: ch07:transpose" }, { "run", "run", "The run", "latest" } },
      "In run {run}, {target} has a verdict of UNSURE. Why, and what would decide it?\n"
      "1. Call `bench_show_run` for {run}: the reason that stands beside the verdict, the interval, the number of pairs, "
      "notes.\n"
      "2. Call it again with the result's key: how the samples are spread, and whether they drift with time.\n"
      "3. Call `bench_history` for {target}: how far the same code moved from run to run.\n"
      "4. Call `doctor`: what on this machine makes times noisy.\n"
      "Say which it is: too few pairs for the effect, an interval that reaches over 1 or over the band, drift, or a machine "
      "that is not quiet; then the one change that would help most, such as a longer time-limit or a fix that doctor "
      "prints. Do not suggest measuring again and again until it says FASTER: that is how false speedups are made." },
    { "compare_two_runs",
      "What changed between two runs?",
      "Two recorded runs compared through the baseline both measured",
      { { "a", "run", "The run before" }, { "b", "run", "The run after, or latest" } },
      "What changed from run {a} to run {b}?\n"
      "1. Call `bench_compare_runs` with a {a} and b {b}.\n"
      "2. For each row that is slower or faster, call `bench_history` for its target: is it a change of level, or a move "
      "that this row makes from run to run anyway?\n"
      "3. Call `bench_triage` for {b}: what to look at first.\n"
      "Name what has become slower or faster with its interval, then what is unsure, then what is gone or new. Differences "
      "inside the noise that the comparison states are no changes." },
    { "what_next",
      "What should I try next?",
      "Where the next gain may lie, from what was measured",
      { { "run", "run", "The run", "latest" } },
      "After run {run}: what should I try next?\n"
      "1. Call `bench_triage` and `bench_summary` for {run}.\n"
      "2. Call `utils_roofline`: which variants are far below the measured ceiling that bounds them, and which are at it.\n"
      "3. Call `bench_analyze` with show recommendations, and `bench_stacking`: which ideas combine, and which get in each "
      "other's way.\n"
      "Propose at most three steps, the largest possible gain first. For each say what was measured that speaks for it, how "
      "much can be won at most, and how it would be shown: the command line that measures it." },
    { "why_invalid",
      "Why is the result invalid?",
      "What a check found, and how an honest variant avoids it",
      { { "target", "target", "The target: ch07:transpose" }, { "run", "run", "The run", "latest" } },
      "In run {run}, a result of {target} is invalid. Why, and what has to change?\n"
      "1. Call `bench_show_run` for {run}: the finding says which call, what was seen, what was expected, and names the "
      "protection.\n"
      "2. Read the resource aisp://guide/validity, the part of that protection: what it guards against.\n"
      "3. Call `bench_show` for {target}: the declared shapes, tolerance and secret sizes.\n"
      "Explain the finding in plain words, say whether it is a wrong output, a forbidden shortcut or the environment, and "
      "what an honest variant does instead. Do not propose a way around the check." },
};
enum { N_PROMPTS = sizeof prompts / sizeof *prompts };

static const struct prompt *find(const char *name)
{
    for (size_t i = 0; i < N_PROMPTS; i++)
        if (!strcmp(prompts[i].name, name))
            return &prompts[i];
    return NULL;
}

static const struct argument *find_argument(const struct prompt *prompt, const char *name)
{
    for (const struct argument *a = prompt->argument; a->name; a++)
        if (!strcmp(a->name, name))
            return a;
    return NULL;
}

const char *aisp_mcp_prompt_argument(const char *prompt, const char *argument)
{
    const struct prompt *p = find(prompt);
    const struct argument *a = p ? find_argument(p, argument) : NULL;

    return a ? a->kind : NULL;
}

json_t *aisp_mcp_prompts_list(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    json_t *list;

    (void)mcp;
    if (json_object_get(ask->params, "cursor"))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "no such cursor: the prompts are one page");
    list = json_array();
    for (const struct prompt *p = prompts; p < prompts + N_PROMPTS; p++) {
        json_t *arguments = json_array();

        for (const struct argument *a = p->argument; a->name; a++)
            json_array_append_new(arguments, json_pack("{s:s, s:s, s:b}", "name", a->name, "description", a->help, "required",
                                                       !a->preset));
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o}", "name", p->name, "title", p->title, "description", p->help,
                                              "arguments", arguments));
    }
    return json_pack("{s:o}", "prompts", list);
}

/* False: *fault says which argument is wrong or missing. */
static bool check(const struct prompt *prompt, const json_t *given, struct aisp_mcp_fault *fault)
{
    const char *name;
    const json_t *value;

    if (given && !json_is_object(given))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "\"arguments\" is not an object");
    json_object_foreach((json_t *)(uintptr_t)given, name, value)
        if (!find_argument(prompt, name) || !json_string_length(value))
            return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "%s: the argument \"%s\" is unknown, empty or no string",
                                 prompt->name, name);
    for (const struct argument *a = prompt->argument; a->name; a++)
        if (!a->preset && !json_object_get(given, a->name))
            return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "%s needs the argument \"%s\"", prompt->name, a->name);
    return true;
}

/* Adds the part that applies. Returns what follows the choice. */
static const char *choose(const char *at, enum aisp_ask_right right, struct aisp_buf *out)
{
    const char *first = strchr(at, '|') + 1, *second = strchr(first, '|') + 1, *end = strchr(second, '|');

    if (right == AISP_ASK_RUN)
        aisp_buf_add(out, first, (size_t)(second - 1 - first));
    else
        aisp_buf_add(out, second, (size_t)(end - second));
    return end + 2;
}

static void fill(const struct prompt *prompt, const char *text, const json_t *given, struct aisp_buf *out)
{
    while (*text) {
        const size_t plain = strcspn(text, "{");
        const size_t n = text[plain] ? strcspn(text + plain + 1, "}") : 0;
        char *name;
        const char *value;

        aisp_buf_add(out, text, plain);
        if (!text[plain])
            break;
        name = aisp_format("%.*s", (int)n, text + plain + 1);
        value = json_string_value(json_object_get(given, name));
        aisp_buf_puts(out, value ? value : find_argument(prompt, name)->preset);
        free(name);
        text += plain + n + 2;
    }
}

json_t *aisp_mcp_prompts_get(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const json_t *given = json_object_get(ask->params, "arguments");
    const char *name = aisp_mcp_string(ask, "name", fault), *choice;
    const struct prompt *prompt = name ? find(name) : NULL;
    struct aisp_buf text = AISP_BUF_INIT, out = AISP_BUF_INIT;
    json_t *result;

    if (name && !prompt)
        aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "Unknown prompt: %s", name);
    if (!prompt || !check(prompt, given, fault))
        return NULL;
    choice = strstr(prompt->text, "[run|");
    if (choice) {
        aisp_buf_add(&text, prompt->text, (size_t)(choice - prompt->text));
        aisp_buf_puts(&text, choose(choice, mcp->right, &text));
    } else {
        aisp_buf_puts(&text, prompt->text);
    }
    fill(prompt, text.s, given, &out);
    result = json_pack("{s:s, s:[{s:s, s:{s:s, s:s}}]}", "description", prompt->help, "messages", "role", "user", "content",
                       "type", "text", "text", out.s);
    aisp_buf_release(&text);
    aisp_buf_release(&out);
    return result;
}
