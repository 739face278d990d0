/* share.c - threads that are made when a first piece is large enough, and sleep between pieces. They are not made and joined for
 * each: what the kernel frees behind a thread it frees some ms later on the same CPU, beside who is timed there by then. */
#include "core/base/share.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST_SHARERS = 8 };

struct piece {
    aisp_part *part;
    void *context;
    int64_t first, n;
};

struct helper {
    sem_t go;
    struct piece piece;
    cpu_set_t place; /* where the caller may run now */
};

static struct {
    pthread_mutex_t in_use;
    pid_t owner; /* a child of fork() has none of its parent's threads */
    sem_t done;
    int n;
    struct helper helper[MOST_SHARERS - 1];
} crew = { .in_use = PTHREAD_MUTEX_INITIALIZER };

static void do_piece(const struct piece *p)
{
    p->part(p->context, p->first, p->n);
}

static void wait_for(sem_t *sem)
{
    while (sem_wait(sem))
        ;
}

static void *helper_main(void *of)
{
    struct helper *h = of;
    cpu_set_t place;

    CPU_ZERO(&place);
    for (;;) {
        wait_for(&h->go);
        if (!CPU_EQUAL(&place, &h->place)) {
            place = h->place;
            sched_setaffinity(0, sizeof place, &place);
        }
        do_piece(&h->piece);
        sem_post(&crew.done);
    }
    return NULL;
}

/* Signals are the caller's: a thread starts with what it blocks. */
static bool add_helper(void)
{
    struct helper *h = &crew.helper[crew.n];
    sigset_t all, before;
    pthread_t thread;
    int failed;

    sem_init(&h->go, 0, 0);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&thread, NULL, helper_main, h);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return false;
    pthread_detach(thread);
    crew.n++;
    return true;
}

/* How many helpers there are, at most `n`. */
static int helpers(int n)
{
    if (crew.owner != getpid()) {
        crew.owner = getpid();
        crew.n = 0;
        sem_init(&crew.done, 0, 0);
    }
    while (crew.n < n && add_helper())
        ;
    return n < crew.n ? n : crew.n;
}

static void share(int64_t n, int64_t least, int n_pieces, const cpu_set_t *place, const struct piece *whole)
{
    const int64_t n_units = (n + least - 1) / least;
    int64_t first = 0;

    for (int i = 0; i < n_pieces; i++) {
        const int64_t end = i + 1 < n_pieces ? n_units * (i + 1) / n_pieces * least : n;
        const struct piece piece = { whole->part, whole->context, first, end - first };

        first = end;
        if (i + 1 == n_pieces) {
            do_piece(&piece);
            break;
        }
        crew.helper[i].piece = piece;
        crew.helper[i].place = *place;
        sem_post(&crew.helper[i].go);
    }
    for (int i = 0; i + 1 < n_pieces; i++)
        wait_for(&crew.done);
}

void aisp_share(int64_t n, int64_t least, aisp_part *part, void *context)
{
    const struct piece whole = { part, context, 0, n };
    const int64_t n_units = (n + least - 1) / least;
    int n_pieces = 1;
    cpu_set_t place;

    if (n <= 0)
        return;
    if (n_units > 1 && sched_getaffinity(0, sizeof place, &place) == 0)
        n_pieces = CPU_COUNT(&place) < MOST_SHARERS ? CPU_COUNT(&place) : MOST_SHARERS;
    n_pieces = n_units < n_pieces ? (int)n_units : n_pieces;
    if (n_pieces < 2 || pthread_mutex_trylock(&crew.in_use)) {
        do_piece(&whole);
        return;
    }
    share(n, least, helpers(n_pieces - 1) + 1, &place, &whole);
    pthread_mutex_unlock(&crew.in_use);
}
