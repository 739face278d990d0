/* work.h - requests as pieces of work, and queues of those that wait for their next piece.
 * A piece is a token of a conversation, read and answered, or 16 tokens of a document: nothing interrupts it.
 * Not here: whose piece is done next: that is what the rungs differ in. */
#ifndef PRIORITY_LATENCY_WORK_H
#define PRIORITY_LATENCY_WORK_H

#include <string.h>

#include <aisp/variant.h>

#include "kit/serve.h"
#include "problem.h"

enum { PIECE = 16 };

/* last: the newest token, which has not been read yet. */
struct job {
    const int32_t *row;
    int16_t *s;
    int64_t n_read, n_to_read, n_answer;
    int32_t request, n_emitted, last;
};

/* In order; a job stands in it once at most, so that as many places as requests are enough. */
struct queue {
    struct job **job;
    int64_t first, n, places;
};

struct office {
    const struct aisp_call *call;
    struct door door;
    struct job *job;
    struct job **place; /* of two queues */
    int16_t *s, *next;
    int64_t dim, n_ended;
};

static inline size_t office_bytes(const int64_t *param)
{
    const size_t requests = (size_t)param[REQUESTS], dim = (size_t)param[DIM];

    return requests * (sizeof(struct job) + 2 * sizeof(struct job *)) + (requests + 1) * dim * sizeof(int16_t);
}

static inline void office_open(struct office *o, const struct aisp_call *call)
{
    const int64_t requests = call->param[REQUESTS];

    memset(o, 0, sizeof *o);
    o->call = call;
    o->door = door_of(call->tensor[ARRIVALS], call->param[DOCUMENT] + HEAD, requests);
    o->dim = call->param[DIM];
    o->job = call->workspace;
    o->place = (struct job **)(o->job + requests);
    o->s = (int16_t *)(o->place + 2 * requests);
    o->next = o->s + requests * o->dim;
}

static inline int is_open(const struct office *o)
{
    return o->n_ended < o->door.requests;
}

/* number: 0 or 1 */
static inline struct queue queue_of(const struct office *o, int number)
{
    return (struct queue){ .job = o->place + number * o->door.requests, .places = o->door.requests };
}

static inline void queue_put(struct queue *q, struct job *j)
{
    q->job[(q->first + q->n++) % q->places] = j;
}

/* NULL: it is empty. */
static inline struct job *queue_take(struct queue *q)
{
    struct job *j = q->n > 0 ? q->job[q->first] : NULL;

    if (j) {
        q->first = (q->first + 1) % q->places;
        q->n--;
    }
    return j;
}

/* The next request that is there, or NULL. */
static inline struct job *take(struct office *o)
{
    const int32_t request = door_take(&o->door);
    struct job *j;

    if (request < 0)
        return NULL;
    j = o->job + request;
    *j = (struct job){ .row = door_row(&o->door, request), .s = o->s + request * o->dim, .request = request };
    j->n_to_read = read_length(o->call->param, j->row);
    j->n_answer = answer_length(o->call->param, j->row);
    memset(j->s, 0, (size_t)o->dim * sizeof *j->s);
    return j;
}

/* Apart, for the compiler spills what the loop needs where it is taken into a larger function. */
__attribute__((noinline)) static int32_t dot(const int16_t *w, const int16_t *s, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * s[i];
    return sum;
}

static inline void read_token(const struct office *o, struct job *j, int64_t token)
{
    const int16_t *w = o->call->tensor[W], *e = (const int16_t *)o->call->tensor[E] + token * o->dim;

    for (int64_t i = 0; i < o->dim; i++) {
        const int32_t to = (dot(w + i * o->dim, j->s, o->dim) >> SHIFT) + e[i];

        o->next[i] = (int16_t)(to > LIMIT ? LIMIT : to < -LIMIT ? -LIMIT : to);
    }
    memcpy(j->s, o->next, (size_t)o->dim * sizeof *j->s);
}

static inline void emit(const struct office *o, struct job *j)
{
    const int16_t *u = o->call->tensor[U];
    int32_t most = dot(u, j->s, o->dim);

    j->last = 0;
    for (int64_t v = 1; v < o->call->param[VOCAB]; v++) {
        const int32_t sum = dot(u + v * o->dim, j->s, o->dim);

        if (sum > most) {
            most = sum;
            j->last = (int32_t)v;
        }
    }
    aisp_emit(o->call->tensor[EMISSIONS], j->request, j->n_emitted++, j->last);
}

/* One piece of work. False: it was the last. */
static inline int work(struct office *o, struct job *j)
{
    if (j->n_emitted > 0)
        read_token(o, j, j->last);
    for (int i = 0; i < PIECE && j->n_read < j->n_to_read; i++)
        read_token(o, j, token_to_read(o->call->param, j->row, j->n_read++));
    if (j->n_read < j->n_to_read)
        return 1;
    emit(o, j);
    o->n_ended += j->n_emitted >= j->n_answer;
    return j->n_emitted < j->n_answer;
}

#endif
