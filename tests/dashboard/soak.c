/* soak.c - a dashboard that is asked for everything at once for MINUTES: by clients that read, that stop reading, that go away
 * in the middle, that talk nonsense, and that follow events. It must go on answering, and its memory must not grow: at the end
 * of each quarter they are quiet for a while, and what the server then holds at the last is at most 5 % over the second time;
 * never more than 96 MiB. With two arguments more it is told where a server runs already: soak MINUTES PORT PID. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "tests/dashboard/client.h"

enum { QUIET_S = 16 };                       /* of a quarter: the server gives memory back every 10 s */

static struct server server;
static uint64_t seed;

static uint64_t draw(uint64_t n)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed % n;
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *const targets[] = {
    "/",
    "/healthz",
    "/metrics",
    "/api/v1/openapi.json",
    "/api/v1/bench/analyze",
    "/api/v1/bench/list-runs",
    "/api/v1/bench/list-targets",
    "/api/v1/bench/summary",
    "/api/v1/bench/show?target=ch01:double",
    "/api/v1/bench/show-run",
    "/api/v1/bench/whatif?latency=10",
    "/api/v1/version",
    "/api/v1/jobs",
    "/api/v1/bench/list-runs?limit=1000&page-size=1",
    "/api/v1/nothing",
    "/api/v1/bench/run",
    "/api/analysis/pareto",
    "/api/v1/utils/kv-cache?layers=80&hidden=8192&tokens=4096&batch=8",
    "/../etc/passwd",
};
enum { N_TARGETS = sizeof targets / sizeof *targets };

/* ---- one client each, as a process of its own ---- */

static void reads(void)
{
    const char *target = targets[draw(N_TARGETS)];
    char *own = draw(4) ? aisp_xstrdup(target)
                        : aisp_format("/api/v1/bench/analyze?top=%d&show=leaderboards", (int)draw(200) + 1);
    struct reply r = client_ask(&server, "GET", own, draw(2) ? "Accept-Encoding: gzip\r\n" : "", NULL);

    if (!r.status || (r.status >= 500 && r.status != 503)) {
        fprintf(stderr, "soak: %s: %d %s\n", own, r.status, r.body ? r.body : "");
        exit(1);
    }
    free(own);
    reply_release(&r);
}

static void keeps_alive(void)
{
    const int fd = client_connect(server.port);

    for (int i = 0; i < 50; i++) {
        char *ask = aisp_format("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", targets[draw(10)]);
        struct reply r;

        client_send(fd, ask, strlen(ask));
        r = client_read(fd, 60000);
        free(ask);
        if (!r.status) {
            reply_release(&r);
            break;
        }
        reply_release(&r);
    }
    close(fd);
}

/* Asks for much and does not read it, then goes. */
static void stops_reading(void)
{
    static const char ask[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const int fd = client_connect(server.port);

    for (int i = 0; i < 20; i++)
        client_send(fd, ask, strlen(ask));
    usleep((useconds_t)draw(500000));
    close(fd);
}

static void goes_in_the_middle(void)
{
    char *ask = aisp_format("GET %s HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n", targets[draw(N_TARGETS)]);
    const int fd = client_connect(server.port);
    const struct linger hard = { 1, 0 };

    if (draw(2))
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    client_send(fd, ask, draw(strlen(ask)) + 1);
    close(fd);
    free(ask);
}

static void speaks_slowly(void)
{
    static const char ask[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const int fd = client_connect(server.port);

    for (size_t i = 0; i < strlen(ask); i++) {
        client_send(fd, ask + i, 1);
        usleep((useconds_t)draw(20000));
    }
    close(fd);
}

static void talks_nonsense(void)
{
    char bytes[2048];
    const size_t n = draw(sizeof bytes) + 1;
    const int fd = client_connect(server.port);
    struct reply r;

    for (size_t i = 0; i < n; i++)
        bytes[i] = draw(3) ? (char)(32 + draw(95)) : (char)draw(256);
    if (draw(2))
        memcpy(bytes, "GET /", n < 5 ? n : 5);
    client_send(fd, bytes, n);
    client_send(fd, "\r\n\r\n", 4);
    shutdown(fd, SHUT_WR);
    r = client_read(fd, 2000);
    reply_release(&r);
    close(fd);
}

static void follows(void)
{
    static const char ask[] = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const int fd = client_connect(server.port);

    client_send(fd, ask, strlen(ask));
    usleep((useconds_t)draw(3000000));
    close(fd);
}

static void starts_jobs(void)
{
    struct reply r;

    if (!*server.token)
        return;
    r = client_post(&server, "/api/v1/jobs", draw(2) ? "{\"command\": \"version\"}" : "{\"command\": \"bench list-targets\"}");
    reply_release(&r);
    r = client_post(&server, "/api/v1/jobs", draw(2) ? "{\"command\": }" : "{\"command\": \"bench\\u0000\"}");
    reply_release(&r);
    usleep(200000);
}

/* Between two loads, so that the server holds only what it keeps. */
static bool is_quiet(double since, double seconds)
{
    const double quarter = seconds / 4, at = since - quarter * (double)(int)(since / quarter);

    return at > quarter - QUIET_S;
}

static void client(int number, double from, double seconds)
{
    static void (*const ways[])(
        void) = { reads,         reads,          reads,   reads,   keeps_alive, stops_reading, goes_in_the_middle,
                  speaks_slowly, talks_nonsense, follows, follows, starts_jobs };
    void (*way)(void) = ways[(size_t)number % (sizeof ways / sizeof *ways)];

    seed = UINT64_C(88172645463325252) + (uint64_t)number * 7919;
    while (now_s() < from + seconds)
        if (is_quiet(now_s() - from, seconds))
            usleep(50000);
        else
            way();
    exit(0);
}

/* A write, so that answers are made again. */
static void touch_store(void)
{
    const struct timeval *now = NULL;

    if (utimes("artifacts/aisp.sqlite", now))
        perror("soak: artifacts/aisp.sqlite");
}

/* What it holds at the end of each quarter, and the most that it ever held. */
struct memory { long kib[4], most; };

static void watch(double from, double seconds, bool is_own, struct memory *memory)
{
    for (double now; (now = now_s() - from) < seconds - 1; sleep(1)) {
        const long kib = server_kib(&server);

        memory->kib[(int)(4 * now / seconds)] = kib;
        memory->most = kib > memory->most ? kib : memory->most;
        if (is_own && (int)now % 5 == 0)
            touch_store();
    }
}

static int wait_for_clients(int n)
{
    int n_bad = 0, status;

    while (n-- > 0) {
        wait(&status);
        n_bad += !WIFEXITED(status) || WEXITSTATUS(status);
    }
    return n_bad;
}

int main(int argc, char **argv)
{
    enum { CLIENTS = 24, MOST_KIB = 96 * 1024 };
    const double seconds = 60 * (argc > 1 ? atof(argv[1]) : 2), from = now_s();
    const bool is_own = argc < 4;
    struct memory memory = { 0 };
    int n_bad;
    struct reply r;

    if (is_own)
        server_start(&server, NULL);
    else
        server = (struct server){ .port = atoi(argv[2]), .pid = atoi(argv[3]) };
    for (int i = 0; i < CLIENTS; i++)
        if (fork() == 0)
            client(i, from, seconds);
    watch(from, seconds, is_own, &memory);
    n_bad = wait_for_clients(CLIENTS);
    r = client_get(&server, "/metrics");
    for (int i = 0; i < 4; i++)
        printf("after quarter %d: %ld KiB\n", i + 1, memory.kib[i]);
    printf("%.0f s: at most %ld KiB; %d clients saw what they should not\n%s", seconds, memory.most, n_bad, r.body);
    n_bad += r.status != 200 || (double)memory.kib[3] > 1.05 * (double)memory.kib[1] || memory.most > MOST_KIB;
    reply_release(&r);
    if (is_own && server_stop(&server)) {
        puts("it did not stop as it should");
        n_bad++;
    }
    return n_bad ? 1 : 0;
}
