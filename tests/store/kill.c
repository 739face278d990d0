/* kill.c WRITER FOLDER KILLS SEED - a writer of the store is killed (SIGKILL) at random moments; each time the store must open,
 * hold all that was acknowledged on a pipe before, and show nothing that is half there. Four writers:
 *   run      begins, adds results, seals, again and again
 *   update   adds to what is there: results of an open run, quarantine, attempts, calibrations
 *   import   a whole export into an empty store; after the kill it is imported again to its end
 *   migrate  brings a store of schema 3 up to date by opening it
 * AISP_STORE says which engine, as always. The seed is printed: the same one asks for the same moments, as far as a machine
 * keeps them. Ends with 1, and a line that says what is missing, at the first fault. */
#include "tests/store/kill.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const names[N_KINDS] = { "run", "update", "import", "migrate" };

static uint64_t random_state;

static double random_share(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

void fault(const struct study *s, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "FAULT after %lld kills during %s in %s: ", (long long)s->n_kills, names[s->kind], s->folder);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* ---- before each kill ---- */

static void empty(const struct study *s)
{
    char *command = aisp_format("rm -rf '%s'", s->folder);
    struct aisp_store *store;
    struct aisp_err err;

    if (system(command))
        fault(s, "%s failed", command);
    free(command);
    if (is_shared()) {
        if (aisp_store_open(&store, s->folder, true, &err) || aisp_db_exec(store, "DROP SCHEMA aisp CASCADE", &err))
            fault(s, "%s", err.text);
        aisp_store_close(store);
    }
}

static void prepare(struct study *s)
{
    struct aisp_store *store;
    struct aisp_err err;

    if (s->kind == IMPORT || s->kind == MIGRATE) {
        empty(s);
        s->acks.n = 0;
    }
    if (s->kind == MIGRATE)
        make_old(s);
    if (s->kind == UPDATE && !*s->open_run) {
        if (aisp_store_open(&store, s->folder, true, &err) || begin_run(store, s->open_run, &err))
            fault(s, "%s", err.text);
        aisp_store_close(store);
    }
}

/* ---- kills ---- */

/* The writer, in a process of its own; *fd: where it acknowledges. */
static pid_t start(struct study *s, int *fd)
{
    int fds[2];
    pid_t writer;

    if (pipe(fds))
        fault(s, "%s", strerror(errno));
    writer = fork();
    if (writer == 0) {
        close(fds[0]);
        write_until_killed(s, fds[1]);
    }
    close(fds[1]);
    *fd = fds[0];
    return writer;
}

/* All that it said, also in the pipe of a dead one. Was it done? */
static bool listen_to(struct study *s, pid_t writer, int fd)
{
    struct ack ack;
    bool done = false;
    int status;

    while (read(fd, &ack, sizeof ack) == sizeof ack) {
        done |= ack.what == 'd';
        *(struct ack *)aisp_grow(&s->acks.ack, &s->acks.n, &s->acks.cap, sizeof ack) = ack;
    }
    close(fd);
    waitpid(writer, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status))
        fault(s, "the writer ended with %d", WEXITSTATUS(status));
    return done;
}

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* How long a writer takes that nobody kills: the moments are drawn from a little more than that. */
static void time_one(struct study *s)
{
    const double before = (prepare(s), now_us());
    int fd;
    const pid_t writer = start(s, &fd);

    if (!listen_to(s, writer, fd))
        fault(s, "the writer was not done");
    s->longest_us = 1.05 * (now_us() - before);
    s->n_finished++;
    check(s, 0);
}

static void kill_one(struct study *s)
{
    struct timespec moment;
    size_t from;
    pid_t writer;
    bool done;
    long us;
    int fd;

    prepare(s);
    from = s->acks.n;
    us = (long)(random_share() * s->longest_us);
    moment = (struct timespec){ us / 1000000, us % 1000000 * 1000 };
    writer = start(s, &fd);
    nanosleep(&moment, NULL);
    kill(writer, SIGKILL);
    done = listen_to(s, writer, fd);
    s->n_finished += done;
    s->n_kills += !done;
    /* Most kills come before the end, some close to it; and writers get to something, however slow the machine is. */
    s->longest_us *= done ? 0.9 : (s->kind == RUN || s->kind == UPDATE) && s->acks.n == from ? 1.5 : 1.03;
    check(s, from);
}

int main(int argc, char **argv)
{
    struct study s = { .kind = N_KINDS, .longest_us = 120000 };
    int64_t wanted;

    for (int i = 0; argc == 5 && i < N_KINDS; i++)
        if (!strcmp(argv[1], names[i]))
            s.kind = (enum kind)i;
    if (s.kind == N_KINDS) {
        fprintf(stderr, "usage: store_kill run|update|import|migrate FOLDER KILLS SEED\n");
        return 2;
    }
    s.folder = argv[2];
    wanted = atoll(argv[3]);
    random_state = 0x9e3779b97f4a7c15u * (strtoull(argv[4], NULL, 10) + 1) + (uint64_t)s.kind;
    if (s.kind == IMPORT)
        make_export(&s);
    if (s.kind == IMPORT || s.kind == MIGRATE)
        time_one(&s);
    while (s.n_kills < wanted || ((s.kind == RUN || s.kind == UPDATE) && !s.acks.n))
        kill_one(&s);
    if (s.kind == RUN || s.kind == UPDATE)
        check_all(&s);
    printf("%s: %lld kills (%lld writers were done before), %zu acknowledgements kept, nothing half there\n", names[s.kind],
           (long long)s.n_kills, (long long)s.n_finished, s.acks.n);
    free(s.acks.ack);
    free(s.export_path);
    free(s.exported);
    return 0;
}
