/* cache.c - entries, who waits for them, and the children that make them. */
#include "dashboard/cache.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

enum { BUCKETS = 1024, MOST_ENTRIES = 4096, MOST_QUEUED = 64, CHILD_MS = 30000, OVERHEAD = 1024 };
/* Answers about the machine itself are made again after some seconds, those of a shared store, which cannot be watched, too. */
enum { MACHINE_MS = 5000, SHARED_MS = 2000, STORE_MS = 60000 };

struct waiting { struct aisp_wait wait; int64_t generation; struct waiting *next; };

struct entry {
    struct entry *in_bucket;
    struct entry *newer, *older;             /* by use */
    struct aisp_words words;
    char *key;
    uint64_t hash;
    bool reads_store, is_packed;             /* is_packed: somebody wanted it compressed */
    enum { IS_QUEUED, IS_MADE_NOW, IS_READY } state;
    int64_t generation, since_ms;            /* of what it is made; when that began */
    int64_t fresh_ms;                        /* when what was made is last known to have been up to date */
    uint64_t turn;                           /* among the queued */
    struct waiting *waiting;
    struct aisp_made made;
    size_t bytes;
};

struct child { struct aisp_job job; struct entry *entry; };

struct aisp_cache {
    struct aisp_watched_files *watched;
    struct aisp_words common;
    struct entry *bucket[BUCKETS], *newest, *oldest;
    struct child child[AISP_CACHE_CHILDREN];
    size_t most_bytes, bytes;
    int n_entries, n_queued;
    uint64_t turns;
    struct aisp_cache_counts counts;
};

/* ---- entries ---- */

static void touch_out(struct aisp_cache *c, struct entry *e)
{
    *(e->newer ? &e->newer->older : &c->newest) = e->older;
    *(e->older ? &e->older->newer : &c->oldest) = e->newer;
}

static void touch_in(struct aisp_cache *c, struct entry *e)
{
    e->newer = NULL;
    e->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = e;
    c->newest = e;
}

static uint64_t hash_of(const char *key)
{
    static unsigned char secret[crypto_shorthash_KEYBYTES];
    static bool has_secret;
    uint64_t hash;

    if (!has_secret)
        crypto_shorthash_keygen(secret);
    has_secret = true;
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)key, strlen(key), secret);
    return hash;
}

static struct entry *entry_of(struct aisp_cache *c, struct aisp_words *words_take, bool reads_store)
{
    struct aisp_buf key = AISP_BUF_INIT;
    struct entry *e;
    uint64_t hash;

    aisp_words_join(words_take, &key);
    hash = hash_of(key.s);
    for (e = c->bucket[hash % BUCKETS]; e; e = e->in_bucket)
        if (e->hash == hash && !strcmp(e->key, key.s)) {
            aisp_buf_release(&key);
            aisp_words_release(words_take);
            touch_out(c, e);
            touch_in(c, e);
            return e;
        }
    e = aisp_xcalloc(1, sizeof *e);
    *e = (struct entry){ .in_bucket = c->bucket[hash % BUCKETS], .words = *words_take, .key = aisp_buf_detach(&key), .hash = hash,
                         .reads_store = reads_store, .state = IS_READY };
    c->bucket[hash % BUCKETS] = e;
    *words_take = (struct aisp_words)AISP_WORDS_INIT;
    touch_in(c, e);
    c->n_entries++;
    return e;
}

static void weigh(struct aisp_cache *c, struct entry *e)
{
    const size_t bytes = e->made.n + e->made.gzip_n + OVERHEAD;

    c->bytes += bytes - e->bytes;
    e->bytes = bytes;
}

static void entry_free(struct aisp_cache *c, struct entry *e)
{
    struct entry **at = &c->bucket[e->hash % BUCKETS];

    while (*at != e)
        at = &(*at)->in_bucket;
    *at = e->in_bucket;
    touch_out(c, e);
    c->bytes -= e->bytes;
    c->n_entries--;
    for (struct waiting *w = e->waiting, *next; w; w = next) {
        next = w->next;
        free(w);
    }
    aisp_made_release(&e->made);
    aisp_words_release(&e->words);
    free(e->key);
    free(e);
}

/* The least recently used go; what is being made stays. */
static void trim(struct aisp_cache *c)
{
    struct entry *e = c->oldest;

    while (e && (c->bytes > c->most_bytes || c->n_entries > MOST_ENTRIES)) {
        struct entry *newer = e->newer;

        if (e->state == IS_READY)
            entry_free(c, e);
        e = newer;
    }
}

/* ---- making ---- */

static int64_t lasts_ms(const struct aisp_cache *c, const struct entry *e)
{
    return !e->reads_store ? MACHINE_MS : c->watched->is_shared ? SHARED_MS : STORE_MS;
}

static bool is_fresh(const struct aisp_cache *c, const struct entry *e, int64_t generation, int64_t now_ms)
{
    return e->made.is_filled && e->generation == generation && now_ms - e->since_ms < lasts_ms(c, e);
}

static void wait_for(struct entry *e, const struct aisp_wait *wait, int64_t generation)
{
    struct waiting **last = &e->waiting, *w = aisp_xcalloc(1, sizeof *w);

    while (*last)
        last = &(*last)->next;
    *w = (struct waiting){ *wait, generation, NULL };
    *last = w;
}

/* Answer those who asked when the generation was this one or an older one. */
static void tell(struct entry *e, int64_t generation)
{
    struct waiting **at = &e->waiting;

    while (*at) {
        struct waiting *w = *at;

        if (w->generation > generation) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        w->wait.reply(&w->wait, &e->made);
        free(w);
    }
}

/* Who can do with it meanwhile is not kept waiting. Of what cannot be watched nobody knows how long it was up to date. */
static void note_fresh(const struct aisp_cache *c, struct entry *e, int64_t now_ms)
{
    if (e->reads_store && !c->watched->is_shared)
        e->fresh_ms = now_ms;
}

static bool will_do(const struct entry *e, const struct aisp_wait *wait, int64_t now_ms)
{
    return wait->most_stale_ms && !wait->has_page && e->made.is_filled && e->made.status == 200 &&
           now_ms - e->fresh_ms <= wait->most_stale_ms;
}

static void send_stale(struct aisp_cache *c, struct entry *e, const struct aisp_wait *wait, int64_t now_ms)
{
    aisp_made_outdate(&e->made, now_ms - e->fresh_ms);
    wait->reply(wait, &e->made);
    weigh(c, e);
}

/* A child's command line: the words, --json, and the folders of this server. */
static void child_words(const struct aisp_cache *c, const struct entry *e, struct aisp_words *words)
{
    struct aisp_words own = AISP_WORDS_INIT;
    bool is_said = false;

    for (size_t i = 0; i < e->words.n; i++) {
        if (!is_said && !strcmp(e->words.word[i], "--")) {
            aisp_words_add(&own, "--json");
            is_said = true;
        }
        aisp_words_add(&own, e->words.word[i]);
    }
    if (!is_said)
        aisp_words_add(&own, "--json");
    aisp_words_add_common(words, &own, &c->common);
    aisp_words_release(&own);
}

static void fail_to_start(struct aisp_cache *c, struct entry *e, const char *why)
{
    aisp_made_release(&e->made);
    aisp_made_problem(&e->made, 503, why);
    tell(e, INT64_MAX);
    entry_free(c, e);
}

static void start(struct aisp_cache *c, struct child *child, struct entry *e)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };

    e->since_ms = aisp_dashboard_now_ms();
    e->generation = aisp_watched_look(c->watched, e->since_ms);
    e->state = IS_MADE_NOW;
    c->n_queued--;
    child_words(c, e, &words);
    if (aisp_job_start(&child->job, &words, AISP_JOB_WANTS_TEXT | (e->is_packed ? AISP_JOB_WANTS_GZIP : 0), 80, &err)) {
        child->job = (struct aisp_job)AISP_JOB_INIT;
        fail_to_start(c, e, err.text);
    } else {
        child->entry = e;
    }
    aisp_words_release(&words);
}

static void start_queued(struct aisp_cache *c)
{
    for (int i = 0; i < AISP_CACHE_CHILDREN && c->n_queued; i++) {
        struct entry *first = NULL;

        if (c->child[i].entry)
            continue;
        for (struct entry *e = c->newest; e; e = e->older)
            if (e->state == IS_QUEUED && (!first || e->turn < first->turn))
                first = e;
        if (first)
            start(c, &c->child[i], first);
    }
}

static void enqueue(struct aisp_cache *c, struct entry *e)
{
    e->state = IS_QUEUED;
    e->turn = c->turns++;
    c->n_queued++;
}

static void finish(struct aisp_cache *c, struct child *child)
{
    struct entry *e = child->entry;

    child->entry = NULL;
    aisp_made_release(&e->made);
    aisp_made_fill(&e->made, &child->job.answer);
    e->fresh_ms = e->since_ms;
    aisp_job_drop(&child->job);
    c->counts.failed += e->made.status >= 500;
    e->state = IS_READY;
    tell(e, e->generation);
    weigh(c, e);                             /* for one of them it may have been compressed */
    if (e->waiting)                          /* something changed while it was made, and they asked after that */
        enqueue(c, e);
    else if (e->made.status >= 500)       /* may be better next time */
        entry_free(c, e);
}

static void give_up(struct aisp_cache *c, struct child *child, int status, const char *why)
{
    struct entry *e = child->entry;

    child->entry = NULL;
    aisp_job_drop(&child->job);
    aisp_made_release(&e->made);
    aisp_made_problem(&e->made, status, why);
    c->counts.failed++;
    tell(e, INT64_MAX);
    entry_free(c, e);
}

/* ---- public ---- */

struct aisp_cache *aisp_cache_new(struct aisp_watched_files *watched, const struct aisp_words *common, size_t most_bytes)
{
    struct aisp_cache *c = aisp_xcalloc(1, sizeof *c);

    *c = (struct aisp_cache){ .watched = watched, .most_bytes = most_bytes };
    for (size_t i = 0; i < common->n; i++)
        aisp_words_add(&c->common, common->word[i]);
    for (int i = 0; i < AISP_CACHE_CHILDREN; i++)
        c->child[i].job = (struct aisp_job)AISP_JOB_INIT;
    return c;
}

void aisp_cache_free(struct aisp_cache *c)
{
    if (!c)
        return;
    for (int i = 0; i < AISP_CACHE_CHILDREN; i++)
        aisp_job_drop(&c->child[i].job);
    while (c->newest)
        entry_free(c, c->newest);
    aisp_words_release(&c->common);
    free(c);
}

void aisp_cache_ask(struct aisp_cache *c, struct aisp_words *words_take, bool reads_store, const struct aisp_wait *wait)
{
    const int64_t now_ms = aisp_dashboard_now_ms(), generation = aisp_watched_look(c->watched, now_ms);
    struct entry *e = entry_of(c, words_take, reads_store);
    bool is_stale;

    e->is_packed |= wait->request->wants_gzip && !wait->has_page;      /* a page is sent as it is */
    if (e->state == IS_READY && is_fresh(c, e, generation, now_ms)) {
        c->counts.hits++;
        note_fresh(c, e, now_ms);
        wait->reply(wait, &e->made);
        weigh(c, e);                         /* its compressed form is made when it is first asked for */
        return;
    }
    is_stale = will_do(e, wait, now_ms);
    if (e->state == IS_READY && c->n_queued >= MOST_QUEUED && !is_stale) {
        aisp_http_problem(wait->request, 503, "%d answers wait to be made, which is the limit", MOST_QUEUED);
        return;
    }
    c->counts.misses += e->state == IS_READY;
    c->counts.shared += e->state != IS_READY && !is_stale;
    c->counts.stale += is_stale;
    if (is_stale)
        send_stale(c, e, wait, now_ms);
    else
        wait_for(e, wait, generation);
    if (e->state == IS_READY && c->n_queued < MOST_QUEUED)
        enqueue(c, e);
    start_queued(c);
    trim(c);
}

size_t aisp_cache_fds(const struct aisp_cache *c, struct pollfd fds[AISP_CACHE_FDS])
{
    size_t n = 0;

    for (int i = 0; i < AISP_CACHE_CHILDREN; i++)
        if (c->child[i].entry) {
            fds[n++] = (struct pollfd){ c->child[i].job.fd, POLLIN, 0 };
            fds[n++] = (struct pollfd){ c->child[i].job.stray_fd, POLLIN, 0 };
        }
    return n;
}

void aisp_cache_work(struct aisp_cache *c)
{
    const int64_t now_ms = aisp_dashboard_now_ms();

    for (int i = 0; i < AISP_CACHE_CHILDREN; i++) {
        struct child *child = &c->child[i];

        if (!child->entry)
            continue;
        if (aisp_job_read(&child->job, NULL, NULL))
            finish(c, child);
        else if (child->job.in.len > AISP_JOB_MOST_BYTES)
            give_up(c, child, 422, "the answer is over 16 MiB; ask for less of it");
        else if (now_ms - child->entry->since_ms > CHILD_MS)
            give_up(c, child, 504, "no answer within 30 s; as a job (POST /api/v1/jobs) it may take longer");
    }
    start_queued(c);
    trim(c);
}

void aisp_cache_count(const struct aisp_cache *c, struct aisp_cache_counts *counts)
{
    *counts = c->counts;
    counts->entries = c->n_entries;
    counts->bytes = c->bytes;
    counts->children = 0;
    for (int i = 0; i < AISP_CACHE_CHILDREN; i++)
        counts->children += c->child[i].entry != NULL;
}
