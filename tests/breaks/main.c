/* main.c - aisp-breaks: breaks every rung in one line, many times, and demands that `bench verify` finds each break that changes
 * an output. Why: that checks fire on cheats says nothing of the ordinary mistake, which is what verification is for.
 * Targets are done by some processes at once, each in a folder of its own. The same seed tries the same breaks. */
#include "tests/breaks/breaks.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: aisp-breaks [BUILD] [options]\n"
    "  breaks variants in one line and demands that verification finds every break that changes an output\n"
    "  --only PATTERN     ch01, 'ch0*', ch01:dot_ilp, 'ch01:dot_ilp/optimized_*' (default: all)\n"
    "  --per-variant N    breaks of each variant that change an output (default: 2)\n"
    "  --tries N          breaks of each variant that are tried for those (default: 6 N)\n"
    "  --seed N           which breaks (default: 1)\n"
    "  --jobs N           targets at once (default: a processor each)\n"
    "  --bench-root DIR   the targets (default: BUILD/targets)\n"
    "  --source DIR       where the sources lie, in chapters/ (default: those that were built)\n"
    "  --all              print every break\n"
    "exit: 0 all found, 1 one was missed or none was made, 2 usage\n";

static int number(const char *text)
{
    char *end;
    const long n = strtol(text, &end, 10);

    if (*end || n < 1 || n > 1000000) {
        fprintf(stderr, "aisp-breaks: %s is no number from 1 to 1000000\n", text);
        exit(2);
    }
    return (int)n;
}

/* Whole, for a compiler and a worker have folders of their own; kept until the end. */
static const char *folder(const char *name)
{
    const char *whole = realpath(name, NULL);

    if (!whole) {
        fprintf(stderr, "aisp-breaks: %s: %s\n", name, strerror(errno));
        exit(2);
    }
    return whole;
}

static void read_options(struct settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        { "only", required_argument, NULL, 'o' },  { "per-variant", required_argument, NULL, 'n' },
        { "tries", required_argument, NULL, 't' }, { "seed", required_argument, NULL, 's' },
        { "jobs", required_argument, NULL, 'j' },  { "all", no_argument, NULL, 'a' },
        { "source", required_argument, NULL, 'S' }, { "bench-root", required_argument, NULL, 'r' },
        { "help", no_argument, NULL, 'h' },        { 0 },
    };
    int option;

    *s = (struct settings){ .build = BREAKS_BUILD, .source = BREAKS_SOURCE, .per_variant = 2, .seed = 1,
                            .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN) };
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'o')
            s->only = optarg;
        else if (option == 'n')
            s->per_variant = number(optarg);
        else if (option == 't')
            s->tries = number(optarg);
        else if (option == 's')
            s->seed = (uint64_t)number(optarg);
        else if (option == 'j')
            s->jobs = number(optarg);
        else if (option == 'a')
            s->show_all = true;
        else if (option == 'S')
            s->source = folder(optarg);
        else if (option == 'r')
            s->bench_root = folder(optarg);
        else {
            fputs(usage, option == 'h' ? stdout : stderr);
            exit(option == 'h' ? 0 : 2);
        }
    }
    if (optind < argc)
        s->build = folder(argv[optind]);
    if (!s->bench_root)
        s->bench_root = aisp_format("%s/targets", s->build);
    if (!s->tries)
        s->tries = 6 * s->per_variant;
}

/* aisp-plain knows no ranks, no servers and no files (plain/rig.c). */
static bool is_plain(const struct aisp_target *target)
{
    struct aisp_loaded_problem loaded;
    struct aisp_err err;
    bool is = false;

    if (aisp_problem_load(target->problem_path, &loaded, &err)) {
        fprintf(stderr, "aisp-breaks: %s: %s\n", target->id, err.text);
        exit(2);
    }
    is = !loaded.problem->ranks && !loaded.problem->serving;
    for (const struct aisp_tensor *t = loaded.problem->tensor; t->name; t++)
        is &= t->role != AISP_FILE;
    aisp_problem_unload(&loaded);
    return is;
}

static bool is_asked(const struct settings *s, const struct aisp_target *target)
{
    char *folder = s->only ? aisp_format("%.*s", (int)strcspn(s->only, "/"), s->only) : NULL;
    const bool is = !*target->refused && !strncmp(target->group, "ch", 2) && (!folder || aisp_target_matches(target, folder));

    free(folder);
    return is;
}

static _Noreturn void run_target(const struct settings *s, const struct aisp_target *target, size_t i)
{
    char *path = aisp_format("%s/%zu.lines", s->work, i);
    struct job job = { .settings = s, .target = target, .folder = aisp_format("%s/%zu", s->work, i),
                       .source = aisp_format("%s/chapters/%s/%s", s->source, target->group, strchr(target->id, ':') + 1),
                       .is_plain = is_plain(target) };
    FILE *to = fopen(path, "w");

    if (!to)
        AISP_BUG("%s: %s", path, strerror(errno));
    target_run(&job, to);
    fclose(to);
    free(path);
    free(job.folder);
    free(job.source);
    exit(0);
}

/* A target whose process did not come to its end is in no line, and so in no row: that is a failure of the whole. */
static void wait_for_one(int *n_running, int *n_lost)
{
    int status;

    if (wait(&status) <= 0)
        return;
    --*n_running;
    *n_lost += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void append(FILE *to, const char *path)
{
    FILE *from = fopen(path, "r");
    char part[4096];
    size_t n;

    while (from && (n = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, n, to);
    if (from)
        fclose(from);
}

static FILE *run_all(const struct settings *s, const struct aisp_catalogue *cat, int *n_lost)
{
    FILE *lines = tmpfile();
    int n_running = 0;

    for (size_t i = 0; i < cat->n; i++) {
        if (!is_asked(s, &cat->target[i]))
            continue;
        while (n_running >= s->jobs)
            wait_for_one(&n_running, n_lost);
        fprintf(stderr, "%s\n", cat->target[i].id);
        fflush(NULL);
        if (fork() == 0)
            run_target(s, &cat->target[i], i);
        n_running++;
    }
    while (n_running > 0)
        wait_for_one(&n_running, n_lost);
    for (size_t i = 0; i < cat->n; i++) {
        char *path = aisp_format("%s/%zu.lines", s->work, i);

        append(lines, path);
        free(path);
    }
    rewind(lines);
    return lines;
}

int main(int argc, char **argv)
{
    const char *place = getenv("TMPDIR");
    char *work = aisp_format("%s/aisp-breaks-XXXXXX", place && *place ? place : "/tmp");
    struct aisp_catalogue cat;
    struct settings s;
    struct aisp_err err;
    int n_found, n_missed, n_lost = 0;
    const time_t from = time(NULL);
    FILE *lines;

    read_options(&s, argc, argv);
    s.work = mkdtemp(work);
    if (!s.work || aisp_catalogue_init(&cat, s.bench_root, &err)) {
        fprintf(stderr, "aisp-breaks: %s\n", s.work ? err.text : strerror(errno));
        return 2;
    }
    lines = run_all(&s, &cat, &n_lost);
    table_print(&s, lines, &n_found, &n_missed);
    printf("seed %llu, %ld s\n", (unsigned long long)s.seed, (long)(time(NULL) - from));
    fclose(lines);
    folder_remove(s.work);
    aisp_catalogue_release(&cat);
    free(work);
    if (n_lost)
        printf("%d targets were not gone through to their end\n", n_lost);
    return n_missed || n_lost || !n_found;
}
