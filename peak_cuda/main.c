/* main.c - aisp-peak-cuda: try everything in the tables on one card and print one JSON object.
 *   aisp-peak-cuda [--quick] [--device N] [--only peaks|features|NAME] [--list]
 * The parent forks before anybody starts the driver, watches the child's clock and never touches the card: see peak_cuda.h.
 * Exit: 0 whenever the object was printed, also where there is no card ("unavailable" says why); 2 for a wrong argument. */
#include "peak_cuda/peak_cuda.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TASKS = 96, ITEM_LIMIT_S = 25, KILL_LIMIT_MS = 8000, MOST_CHILDREN = 24 };

/* One of either table. */
struct task {
    const struct peak_item *item;
    const struct peak_feature *feature;
};

struct plan {
    struct task task[MOST_TASKS];
    int n, device;
    bool quick;
};

/* What the parent gathers. */
struct answers {
    struct peak_text card, peaks, features;
    char why[PEAK_WHY];          /* no card */
    int next;                    /* the task that is next, or at work */
};

/* ---- what to do ---- */

static bool is_wanted(const char *only, const char *kind, const char *name)
{
    return !only || !strcmp(only, kind) || !strcmp(only, name);
}

static void plan_all(struct plan *plan, const char *only)
{
    static const struct peak_item *const items[] = { peak_memory_items, peak_arithmetic_items, peak_matrix_items,
                                                     peak_link_items, peak_latency_items };
    static const struct peak_feature *const features[] = { peak_copy_features,   peak_cluster_features,
                                                           peak_matrix_features, peak_launch_features,
                                                           peak_device_launch_features, peak_memory_features,
                                                           peak_partition_features };

    for (size_t t = 0; t < sizeof items / sizeof *items; t++)
        for (const struct peak_item *i = items[t]; i->name && plan->n < MOST_TASKS; i++)
            if (is_wanted(only, "peaks", i->name))
                plan->task[plan->n++].item = i;
    for (size_t t = 0; t < sizeof features / sizeof *features; t++)
        for (const struct peak_feature *f = features[t]; f->name && plan->n < MOST_TASKS; f++)
            if (is_wanted(only, "features", f->name))
                plan->task[plan->n++].feature = f;
}

static const char *name_of(const struct task *task)
{
    return task->item ? task->item->name : task->feature->name;
}

/* ---- the child ---- */

static void say(int to, char kind, struct peak_text *text)
{
    const struct peak_text line = { 0 };
    struct peak_text whole = line;

    peak_text_add(&whole, "%c%s\n", kind, text->s ? text->s : "");
    for (size_t done = 0; done < whole.n;) {
        const ssize_t n = write(to, whole.s + done, whole.n - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(3);
        done += (size_t)n;
    }
    free(whole.s);
    text->n = 0;
}

static void do_task(const struct peak_card *card, const struct task *task, int to, struct peak_text *text)
{
    char why[PEAK_WHY] = "";

    if (task->item) {
        struct peak_result result = { 0 };
        const bool is_done = task->item->run(card, task->item, &result, why);

        peak_text_item(text, task->item, is_done ? &result : NULL, *why ? why : "no reason was given");
        say(to, 'P', text);
    } else {
        const enum peak_answer answer = task->feature->run(card, why);

        peak_text_feature(text, task->feature, answer, *why ? why : NULL);
        say(to, 'F', text);
    }
}

/* Lines: C card, X no card and why, P and F a row, each for the task that is next. */
static void child(const struct plan *plan, int first, bool is_first, int to)
{
    struct peak_card card = { .quick = plan->quick, .sustain_s = plan->quick ? 0.12 : 0.6 };
    struct peak_text text = { 0 };
    char why[PEAK_WHY] = "";

    if (!peak_card_open(&card, plan->device, why)) {
        peak_text_add(&text, "%s", why);
        say(to, 'X', &text);
        _exit(0);
    }
    if (is_first) {
        peak_text_card(&text, &card);
        say(to, 'C', &text);
    }
    for (int i = first; i < plan->n; i++) {
        do_task(&card, &plan->task[i], to, &text);
        if (peak_card_is_lost())
            _exit(0);
    }
    _exit(0);
}

/* ---- the parent ---- */

static void keep_row(struct answers *answers, char kind, const char *row)
{
    struct peak_text *rows = kind == 'P' ? &answers->peaks : &answers->features;

    peak_text_add(rows, "%s    %s", rows->n ? ",\n" : "", row);
    answers->next++;
}

static void keep_failure(const struct plan *plan, struct answers *answers, const char *why)
{
    const struct task *task = &plan->task[answers->next];
    struct peak_text row = { 0 };

    if (task->item)
        peak_text_item(&row, task->item, NULL, why);
    else
        peak_text_feature(&row, task->feature, PEAK_ERROR, why);
    keep_row(answers, task->item ? 'P' : 'F', row.s);
    free(row.s);
}

/* Where rows are known already, a card that cannot be opened any more is the reason of those that are left, not of all. */
static void keep_rest(const struct plan *plan, struct answers *answers)
{
    char why[PEAK_WHY];

    if (*answers->why && !answers->card.n)
        return;
    snprintf(why, sizeof why, "%s", *answers->why ? answers->why : "not tried: too much failed before");
    *answers->why = 0;
    while (answers->next < plan->n)
        keep_failure(plan, answers, why);
}

static void keep_line(struct answers *answers, const char *line)
{
    if (*line == 'C' && !answers->card.n)
        peak_text_add(&answers->card, "%s", line + 1);
    else if (*line == 'X')
        snprintf(answers->why, sizeof answers->why, "%s", line + 1);
    else if (*line == 'P' || *line == 'F')
        keep_row(answers, *line, line + 1);
}

/* Whole lines out of what has come so far. */
static void keep_lines(struct answers *answers, struct peak_text *in)
{
    char *line = in->s, *end;

    while (in->n && (end = memchr(line, '\n', in->n - (size_t)(line - in->s)))) {
        *end = 0;
        keep_line(answers, line);
        line = end + 1;
    }
    if (in->n) {
        in->n -= (size_t)(line - in->s);
        memmove(in->s, line, in->n);
    }
}

/* False: `limit` passed without a word. */
static bool listen_to(int from, struct answers *answers)
{
    struct peak_text in = { 0 };
    bool in_time = true;

    for (;;) {
        struct pollfd waits = { .fd = from, .events = POLLIN };
        char bytes[4096];
        const int ready = poll(&waits, 1, ITEM_LIMIT_S * 1000);
        ssize_t n;

        if (ready < 0 && errno == EINTR)
            continue;
        in_time = ready > 0;
        n = in_time ? read(from, bytes, sizeof bytes - 1) : 0;
        if (n <= 0)
            break;
        bytes[n] = 0;
        peak_text_add(&in, "%s", bytes);
        keep_lines(answers, &in);
    }
    free(in.s);
    return in_time;
}

/* Its status; -1: it does not even die, which a hung driver can do to a process. */
static int reap(pid_t pid)
{
    const struct timespec pause = { 0, 10000000 };
    int status;

    for (int ms = 0; ms < KILL_LIMIT_MS; ms += 10) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return status;
        nanosleep(&pause, NULL);
    }
    return -1;
}

/* One child from the task that is next on. False: no other child can do better. */
static bool run_child(const struct plan *plan, struct answers *answers, bool is_first)
{
    const int begin = answers->next;
    char why[PEAK_WHY];
    int fd[2], status;
    bool in_time;
    pid_t pid;

    if (pipe(fd) || (pid = fork()) < 0) {
        snprintf(answers->why, sizeof answers->why, "no process can be started: %s", strerror(errno));
        return false;
    }
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(fd[0]);
        child(plan, begin, is_first, fd[1]);
    }
    close(fd[1]);
    in_time = listen_to(fd[0], answers);
    close(fd[0]);
    if (!in_time)
        kill(pid, SIGKILL);
    status = reap(pid);
    if (answers->next == plan->n || *answers->why)
        return false;
    if (in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0 && answers->next > begin)
        return true;               /* it lost its context and said so */
    if (!in_time)
        snprintf(why, sizeof why, "no answer in %d s%s", ITEM_LIMIT_S, status == -1 ? ", and it cannot be killed" : "");
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "it was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(why, sizeof why, "it left with exit code %d", WEXITSTATUS(status));
    keep_failure(plan, answers, why);
    return status != -1;
}

static void print(const struct plan *plan, const struct answers *answers, double seconds)
{
    struct peak_text text = { 0 };

    peak_text_add(&text, "{\n  \"program\": \"aisp-peak-cuda\", \"format\": %d, \"quick\": %s, \"seconds\": %.2f,\n", PEAK_FORMAT,
                  plan->quick ? "true" : "false", seconds);
    if (*answers->why) {
        peak_text_add(&text, "  ");
        peak_text_string(&text, "unavailable", answers->why);
        peak_text_add(&text, ",\n");
    }
    peak_text_add(&text, "  \"card\": %s,\n  \"peaks\": [\n%s\n  ],\n  \"features\": [\n%s\n  ]\n}\n",
                  answers->card.n ? answers->card.s : "null", answers->peaks.n ? answers->peaks.s : "",
                  answers->features.n ? answers->features.s : "");
    fputs(text.s, stdout);
    fflush(stdout);
    free(text.s);
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int usage(const char *what)
{
    fprintf(stderr, "aisp-peak-cuda: %s\nusage: aisp-peak-cuda [--quick] [--device N] [--only peaks|features|NAME] [--list]\n",
            what);
    return 2;
}

int main(int argc, char **argv)
{
    static struct plan plan;
    static struct answers answers;
    const double begin = now_s();
    const char *only = NULL;
    bool lists = false;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            plan.quick = true;
        else if (!strcmp(argv[i], "--list"))
            lists = true;
        else if (!strcmp(argv[i], "--device") && i + 1 < argc)
            plan.device = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--only") && i + 1 < argc)
            only = argv[++i];
        else
            return usage(argv[i]);
    }
    plan_all(&plan, only);
    if (!plan.n)
        return usage("--only: no ceiling or feature has that name");
    for (int i = 0; lists && i < plan.n; i++)
        puts(name_of(&plan.task[i]));
    if (lists)
        return 0;
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);          /* who asked is gone: nobody waits */
    for (int i = 0; i < MOST_CHILDREN && run_child(&plan, &answers, i == 0); i++)
        ;
    keep_rest(&plan, &answers);
    print(&plan, &answers, now_s() - begin);
    return 0;
}
