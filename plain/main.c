/* main.c - aisp-plain: run and judge the variants of one target without confining them, for compute-sanitizer, profilers and first
 * looks at a kernel. It judges and never scores: who wants a verdict asks `aisp bench run`.
 * Each variant has a child of its own, forked before anything of CUDA is called: a crash, a hang or an error that a context does
 * not survive costs that variant alone. Tools that follow no fork get --here. */
#include "plain/plain.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plain/show.h"

enum { DEFAULT_LIMIT_S = 120, USAGE = 2 };

static const char usage[] =
    "usage: aisp-plain TARGET_FOLDER VARIANT... [options]\n"
    "  runs variants on plain allocations and compares them with the problem's reference; no verdict on speed\n"
    "  VARIANT is a name, a pattern ('optimized_*'), `all`, or `reference`: reference.cu against the CPU's reference\n"
    "  --device cuda|cpu            which forms (default: cuda)\n"
    "  --size quick|default|large   of the parameters (default: quick); --set n=5 puts a value over it\n"
    "  --time                       also time: events on the stream, call slots by turns\n"
    "  --json                       results as JSON\n"
    "  --here                       in this process and without a limit, one variant: for tools that follow no fork\n"
    "  --no-poison                  leave outputs and workspace as the allocator gave them: for initcheck\n"
    "  --limit S                    seconds that a variant may take (default: 120)\n"
    "example: aisp-plain build/targets/ch07/transpose all --size large --time\n"
    "exit: 0 all right, 1 something is wrong or failed, 2 usage\n";

static _Noreturn void refuse(const char *what, const char *why)
{
    fprintf(stderr, "aisp-plain: %s%s%s (--help says more)\n", what, why ? ": " : "", why ? why : "");
    exit(USAGE);
}

static enum aisp_size size_of(const char *name)
{
    if (!strcmp(name, "default"))
        return AISP_SIZE_DEFAULT;
    if (!strcmp(name, "large"))
        return AISP_SIZE_LARGE;
    if (strcmp(name, "quick") != 0)
        refuse("--size is quick, default or large, not", name);
    return AISP_SIZE_QUICK;
}

static void take_option(struct plain_options *o, int option)
{
    switch (option) {
    case 'd':
        if (strcmp(optarg, "cuda") != 0 && strcmp(optarg, "cpu") != 0)
            refuse("--device is cuda or cpu, not", optarg);
        o->on_cuda = !strcmp(optarg, "cuda");
        break;
    case 's':
        o->size = size_of(optarg);
        break;
    case 'p':
        if (o->n_set == PLAIN_MOST_SETS)
            refuse("too many --set", NULL);
        o->set[o->n_set++] = optarg;
        break;
    case 'l':
        o->limit_s = atoi(optarg);
        if (o->limit_s < 1)
            refuse("--limit is a number of seconds, not", optarg);
        break;
    case 't':
        o->time = true;
        break;
    case 'j':
        o->json = true;
        break;
    case 'h':
        o->here = true;
        break;
    case 'n':
        o->no_poison = true;
        break;
    case '?':
        fputs(usage, stdout);
        exit(0);
    default:
        exit(USAGE);
    }
}

static void read_options(struct plain_options *o, int argc, char **argv)
{
    static const struct option options[] = {
        { "device", required_argument, NULL, 'd' }, { "size", required_argument, NULL, 's' },
        { "set", required_argument, NULL, 'p' },    { "limit", required_argument, NULL, 'l' },
        { "time", no_argument, NULL, 't' },         { "json", no_argument, NULL, 'j' },
        { "here", no_argument, NULL, 'h' },         { "no-poison", no_argument, NULL, 'n' },
        { "help", no_argument, NULL, '?' },         { 0 },
    };
    int option;

    *o = (struct plain_options){ .on_cuda = true, .size = AISP_SIZE_QUICK, .limit_s = DEFAULT_LIMIT_S };
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == '?' && strcmp(argv[optind - 1], "--help") != 0)
            exit(USAGE);
        take_option(o, option);
    }
    if (argc - optind < 2)
        refuse("a target folder and at least one variant are needed", NULL);
    o->folder = argv[optind];
}

/* Names that one of the patterns names, in the catalogue's order; "reference" stands for the two truths. */
struct chosen { const char *name; const struct aisp_variant_ref *variant; };

static bool is_named(const char *name, char **pattern, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(pattern[i], "all") || !fnmatch(pattern[i], name, 0))
            return true;
    return false;
}

static int choose(const struct plain_options *o, const struct aisp_target *target, char **pattern, int n, struct chosen *chosen)
{
    char *reference = aisp_format("%s/reference.cuda.so", o->folder);
    int n_chosen = 0;

    for (size_t i = 0; i < target->n_variants; i++) {
        const struct aisp_variant_ref *v = &target->variant[i];

        if (!strcmp(v->device, o->on_cuda ? "cuda" : "cpu") && is_named(v->name, pattern, n))
            chosen[n_chosen++] = (struct chosen){ v->name, v };
    }
    if (o->on_cuda && !access(reference, F_OK) && is_named("reference", pattern, n))
        chosen[n_chosen++] = (struct chosen){ "reference", NULL };
    free(reference);
    for (int i = 0; i < n; i++) {
        bool is_found = false;

        for (int k = 0; k < n_chosen; k++)
            is_found |= is_named(chosen[k].name, &pattern[i], 1);
        if (!is_found)
            refuse(pattern[i], o->on_cuda ? "no such variant on cuda here" : "no such variant on cpu here");
    }
    return n_chosen;
}

/* Does the problem omit the variant at the large size? Its list is "baseline, cuda:optimized_blocked". */
static bool is_omitted(const struct plain_options *o, const char *list, const char *variant)
{
    char name[AISP_NAME_MAX + 8];
    const size_t n = (size_t)snprintf(name, sizeof name, "%s%s", o->on_cuda ? "cuda:" : "", variant);

    if (o->size != AISP_SIZE_LARGE)
        return false;
    for (const char *at = list; at && *at; at += strcspn(at, ", "), at += strspn(at, ", "))
        if (strcspn(at, ", ") == n && !memcmp(at, name, n))
            return true;
    return false;
}

static void run_in_child(const struct plain_options *o, const struct aisp_problem *problem, const struct chosen *c,
                         struct plain_result *result)
{
    int status;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        alarm((unsigned)o->limit_s);
        plain_run_one(o, problem, c->variant, result);
        fflush(NULL);
        _exit(0);
    }
    if (pid < 0) {
        snprintf(result->why, sizeof result->why, "fork: %s", strerror(errno));
        result->end = PLAIN_FAILED;
        return;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(result->why, sizeof result->why, "ran past %d s and was ended", o->limit_s);
    else if (WIFSIGNALED(status))
        snprintf(result->why, sizeof result->why, "crashed: %s", strsignal(WTERMSIG(status)));
    else if (status)
        snprintf(result->why, sizeof result->why, "left with status %d", WEXITSTATUS(status));
    if (status)
        result->end = PLAIN_FAILED;
}

static void run_chosen(const struct plain_options *o, const struct aisp_problem *problem, const struct chosen *c,
                       struct plain_result *result)
{
    if (c->variant && c->variant->refused[0]) {
        result->end = PLAIN_FAILED;
        snprintf(result->why, sizeof result->why, "refused: %s", c->variant->refused);
    } else if (is_omitted(o, problem->large_omits, c->name)) {
        result->end = PLAIN_LEFT_OUT;
        snprintf(result->why, sizeof result->why, "the problem omits it at the large size");
    } else if (o->here) {
        plain_run_one(o, problem, c->variant, result);
    } else {
        run_in_child(o, problem, c, result);
    }
}

static int run_all(const struct plain_options *o, const struct aisp_target *target, const struct aisp_problem *problem, char **pattern,
                   int n)
{
    struct chosen *chosen = aisp_xcalloc(target->n_variants + 1, sizeof *chosen);
    const int n_chosen = choose(o, target, pattern, n, chosen);
    struct plain_result *result = mmap(NULL, sizeof *result * (size_t)n_chosen, PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool bad = false;

    if (result == MAP_FAILED)
        refuse("no memory", NULL);
    if (o->here && n_chosen != 1)
        refuse("--here runs one variant", NULL);
    for (int i = 0; i < n_chosen; i++) {
        run_chosen(o, problem, &chosen[i], &result[i]);
        bad |= result[i].end == PLAIN_WRONG || result[i].end == PLAIN_FAILED;
        if (!o->json)
            plain_show_row(o, target, chosen[i].name, &result[i], i == 0);
        else
            plain_show_json(o, target, chosen[i].name, &result[i], i == 0, i == n_chosen - 1);
    }
    munmap(result, sizeof *result * (size_t)n_chosen);
    free(chosen);
    return bad;
}

int main(int argc, char **argv)
{
    struct aisp_loaded_problem loaded = { 0 };
    struct aisp_target target = { 0 };
    struct plain_options o;
    struct aisp_err err;
    int exit_code;

    read_options(&o, argc, argv);
    if (aisp_target_from_folder(o.folder, NULL, &target, &err) || aisp_problem_load(target.problem_path, &loaded, &err))
        refuse(err.text, NULL);
    exit_code = run_all(&o, &target, loaded.problem, argv + optind + 1, argc - optind - 1);
    aisp_problem_unload(&loaded);
    aisp_target_release(&target);
    return exit_code;
}
