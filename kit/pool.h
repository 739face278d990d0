/* pool.h - threads that stand ready: asleep until there is work, then each does its part of it once. */
#ifndef AISP_KIT_POOL_H
#define AISP_KIT_POOL_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, quiet;
    void (*work)(void *with, int who);
    void *with;
    int64_t turn; /* raised for each work */
    int n, n_named, n_busy, is_ending;
    pthread_t thread[];
};

static void *pool_member(void *its)
{
    struct pool *p = its;
    int64_t seen = 0;
    int who;

    pthread_mutex_lock(&p->lock);
    who = p->n_named++;
    for (;;) {
        while (p->turn == seen && !p->is_ending)
            pthread_cond_wait(&p->wake, &p->lock);
        if (p->is_ending)
            break;
        seen = p->turn;
        pthread_mutex_unlock(&p->lock);
        p->work(p->with, who);
        pthread_mutex_lock(&p->lock);
        if (!--p->n_busy)
            pthread_cond_signal(&p->quiet);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static inline void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_ending = 1;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->n; i++)
        pthread_join(p->thread[i], NULL);
    free(p);
}

/* n threads, 0 too; NULL where they cannot be had. */
static inline struct pool *pool_new(int n)
{
    struct pool *p = calloc(1, sizeof *p + (size_t)n * sizeof *p->thread);

    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->quiet, NULL);
    for (; p->n < n; p->n++)
        if (pthread_create(&p->thread[p->n], NULL, pool_member, p)) {
            pool_free(p);
            return NULL;
        }
    return p;
}

/* work(with, 0 .. n - 1) begins, each on its own thread. */
static inline void pool_start(struct pool *p, void (*work)(void *with, int who), void *with)
{
    if (!p->n)
        return;
    pthread_mutex_lock(&p->lock);
    p->work = work;
    p->with = with;
    p->n_busy = p->n;
    p->turn++;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

static inline void pool_wait(struct pool *p)
{
    if (!p->n)
        return;
    pthread_mutex_lock(&p->lock);
    while (p->n_busy)
        pthread_cond_wait(&p->quiet, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

#endif
