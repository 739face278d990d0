/* client.c - see client.h. */
#include "tests/dashboard/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"

enum { PATIENCE_MS = 20000, ANSWER_MS = 120000 };

static void fail(const char *what)
{
    fprintf(stderr, "client: %s: %s\n", what, strerror(errno));
    abort();
}

static long now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the server ---- */

static void read_address(struct server *server)
{
    const long until = now_ms() + PATIENCE_MS;
    char said[1024] = "", *at;
    size_t n = 0;

    while (now_ms() < until && n < sizeof said - 1) {
        struct pollfd fd = { server->fd, POLLIN, 0 };
        ssize_t m = 0;

        if (poll(&fd, 1, 100) > 0 && (m = read(server->fd, said + n, sizeof said - 1 - n)) <= 0)
            break;
        n += m > 0 ? (size_t)m : 0;
        at = strstr(said, "http://");
        at = at ? strchr(at + strlen("http://"), ']') ? strchr(at, ']') : at + strlen("http://") : NULL;
        at = at && strchr(at, '\n') ? strchr(at, ':') : NULL;
        if (at && sscanf(at, ":%d", &server->port) == 1) {
            at = strstr(at, "#token=");
            if (at)
                sscanf(at, "#token=%199s", server->token);
            return;
        }
    }
    fprintf(stderr, "the server says: %s\n", said);
    fail("no server");
}

void server_start(struct server *server, const char *const *words)
{
    char *targets = realpath("targets", NULL);
    const char *argv[40] = {
        "aisp", "dashboard", "serve", "--port", "0", "--artifacts-dir", "artifacts", "--bench-root", targets
    };
    char *program = aisp_format("%s/aisp", getenv("BUILD"));
    size_t n = 9;
    int fds[2];

    for (; words && *words; words++)
        argv[n++] = *words;
    if (pipe(fds))
        fail("pipe");
    *server = (struct server){ .pid = fork(), .fd = fds[0] };
    if (server->pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        close(fds[1]);
        execv(program, (char **)(uintptr_t)argv);
        _exit(127);
    }
    close(fds[1]);
    free(program);
    free(targets);
    read_address(server);
}

int server_stop(struct server *server)
{
    const long until = now_ms() + PATIENCE_MS;
    int status;

    kill(server->pid, SIGTERM);
    while (waitpid(server->pid, &status, WNOHANG) == 0) {
        if (now_ms() > until) {
            kill(server->pid, SIGKILL);
            waitpid(server->pid, &status, 0);
            return -1;
        }
        usleep(20000);
    }
    close(server->fd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

long server_kib(const struct server *server)
{
    char *path = aisp_format("/proc/%d/status", (int)server->pid), line[256];
    FILE *f = fopen(path, "r");
    long kib = 0;

    free(path);
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "VmRSS: %ld", &kib);
    if (f)
        fclose(f);
    return kib;
}

/* ---- one connection ---- */

int client_connect(int port)
{
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof to))
        fail("connect");
    return fd;
}

void client_send(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n) {
        const ssize_t m = send(fd, at, n, MSG_NOSIGNAL);

        if (m <= 0)
            return;                          /* refused meanwhile: the answer says so */
        at += m;
        n -= (size_t)m;
    }
}

void reply_release(struct reply *reply)
{
    free(reply->head);
    free(reply->body);
    *reply = (struct reply){ 0 };
}

const char *reply_header(const struct reply *reply, const char *name)
{
    static char value[2048];

    for (const char *line = strchr(reply->head, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        const size_t n = strlen(name);

        if (strncasecmp(line + 1, name, n) || line[1 + n] != ':')
            continue;
        snprintf(value, sizeof value, "%.*s", (int)strcspn(line + n + 3, "\r\n"), line + n + 3);
        return value;
    }
    return "";
}

/* False: no more comes. */
static bool more(int fd, struct aisp_buf *in, long until)
{
    struct pollfd p = { fd, POLLIN, 0 };
    char bytes[65536];
    ssize_t n;

    if (now_ms() >= until || poll(&p, 1, (int)(until - now_ms())) <= 0)
        return false;
    n = read(fd, bytes, sizeof bytes);
    if (n > 0)
        aisp_buf_add(in, bytes, (size_t)n);
    return n > 0;
}

/* Chunks put together; true once the last is there. */
static bool join_chunks(const char *from, const char *end, struct aisp_buf *out)
{
    out->len = 0;
    while (from < end) {
        const char *lf = memchr(from, '\n', (size_t)(end - from));
        const size_t n = strtoul(from, NULL, 16);

        if (!lf || (size_t)(end - lf) < n + 3)
            return false;
        if (!n)
            return true;
        aisp_buf_add(out, lf + 1, n);
        from = lf + 1 + n + 2;
    }
    return false;
}

struct reply client_read(int fd, int timeout_ms)
{
    const long until = now_ms() + timeout_ms;
    struct aisp_buf in = AISP_BUF_INIT, body = AISP_BUF_INIT;
    struct reply r = { 0 };
    const char *length = "", *end;
    size_t head, n = 0;

    while (!in.s || !(end = memmem(in.s, in.len, "\r\n\r\n", 4)))
        if (!more(fd, &in, until)) {
            aisp_buf_release(&in);
            r.is_closed = true;
            return r;
        }
    head = (size_t)(end - in.s) + 4;
    r.head = aisp_format("%.*s", (int)head, in.s);
    r.status = atoi(r.head + strlen("HTTP/1.1 "));
    length = reply_header(&r, "Content-Length");
    n = (size_t)atol(length);
    if (!strcmp(reply_header(&r, "Transfer-Encoding"), "chunked")) {
        while (!join_chunks(in.s + head, in.s + in.len, &body) && more(fd, &in, until))
            ;
    } else if (r.status != 304) {
        while (in.len < head + n && more(fd, &in, until))
            ;
        aisp_buf_add(&body, in.s + head, in.len - head);
    }
    r.is_closed = !strcasecmp(reply_header(&r, "Connection"), "close");
    r.n = body.len;
    r.body = body.s ? aisp_buf_detach(&body) : aisp_xstrdup("");
    aisp_buf_release(&in);
    return r;
}

struct reply client_raw(int port, const char *bytes, size_t n)
{
    const int fd = client_connect(port);
    struct reply r;

    client_send(fd, bytes, n);
    r = client_read(fd, ANSWER_MS);
    close(fd);
    return r;
}

struct reply client_ask(const struct server *server, const char *method, const char *target, const char *headers,
                        const char *body)
{
    char *length = body ? aisp_format("Content-Length: %zu\r\n", strlen(body)) : aisp_xstrdup(""),
         *bytes = aisp_format("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s\r\n%s", method, target, server->port, headers, length,
                              body ? body : "");
    const struct reply r = client_raw(server->port, bytes, strlen(bytes));

    free(length);
    free(bytes);
    return r;
}

struct reply client_get(const struct server *server, const char *target)
{
    return client_ask(server, "GET", target, "", NULL);
}

struct reply client_post(const struct server *server, const char *target, const char *json)
{
    char *headers = aisp_format("Authorization: Bearer %s\r\nContent-Type: application/json\r\n", server->token);
    const struct reply r = client_ask(server, "POST", target, headers, json);

    free(headers);
    return r;
}
