/* queue.c - work that waits: what is queued on a stream behind a kernel that has not ended. Everywhere else work is done when it
 * is queued; only the kernel that holds a stream (kernels.c), or a script that says so, starts a queue, which a thread of the
 * driver's own works off in order.
 * Not here: what each piece of work is (stream.c, launch.c). */
#include "fake_cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 1024 }; /* as deep as a real launch queue, about: then queueing waits */

struct job {
    cu_stream stream;
    void (*run)(void *what);
    _Alignas(16) char what[FAKE_JOB_BYTES];
};

static struct job job[MOST_JOBS];
static unsigned first, n_jobs;
static bool has_thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *work(void *nothing)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        struct job *j = &job[first];

        if (!n_jobs) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        j->run(j->what);
        pthread_mutex_lock(&lock);
        first = (first + 1) % MOST_JOBS;
        n_jobs--;
        pthread_cond_broadcast(&changed);
    }
    return nothing;
}

/* With the lock held. NULL stands for all streams. */
static bool is_pending(const cu_stream *stream)
{
    for (unsigned i = 0; i < n_jobs; i++)
        if (!stream || job[(first + i) % MOST_JOBS].stream == *stream)
            return true;
    return false;
}

bool fake_is_pending(cu_stream stream)
{
    bool pending;

    pthread_mutex_lock(&lock);
    pending = is_pending(&stream);
    pthread_mutex_unlock(&lock);
    return pending;
}

static void put(cu_stream stream, void (*run)(void *), const void *what, size_t bytes)
{
    pthread_t thread;
    struct job *j;

    if (bytes > FAKE_JOB_BYTES)
        abort();
    if (!has_thread)
        has_thread = !pthread_create(&thread, NULL, work, NULL) && !pthread_detach(thread);
    while (n_jobs == MOST_JOBS)
        pthread_cond_wait(&changed, &lock);
    j = &job[(first + n_jobs) % MOST_JOBS];
    j->stream = stream;
    j->run = run;
    memcpy(j->what, what, bytes);
    n_jobs++;
    pthread_cond_broadcast(&changed);
}

void fake_start_queue(cu_stream stream, void (*run)(void *), const void *what, size_t bytes)
{
    pthread_mutex_lock(&lock);
    put(stream, run, what, bytes);
    pthread_mutex_unlock(&lock);
}

bool fake_queue(cu_stream stream, void (*run)(void *), const void *what, size_t bytes)
{
    bool pending;

    pthread_mutex_lock(&lock);
    pending = is_pending(&stream);
    if (pending)
        put(stream, run, what, bytes);
    pthread_mutex_unlock(&lock);
    return pending;
}

static void wait_for(const cu_stream *stream)
{
    pthread_mutex_lock(&lock);
    while (is_pending(stream))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

void fake_wait(cu_stream stream)
{
    wait_for(&stream);
}

void fake_wait_for_all(void)
{
    wait_for(NULL);
}

/* With the lock held. */
static bool is_pending_in(cu_context context)
{
    for (unsigned i = 0; i < n_jobs; i++)
        if (fake_context_of(job[(first + i) % MOST_JOBS].stream) == context)
            return true;
    return false;
}

void fake_wait_in(cu_context context)
{
    pthread_mutex_lock(&lock);
    while (is_pending_in(context))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
