/* client.h - a client that says exactly what it is told to, byte by byte, and a server to say it to: for tests of what a browser
 * or curl would never send. */
#ifndef TESTS_DASHBOARD_CLIENT_H
#define TESTS_DASHBOARD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct server {
    pid_t pid;
    int fd;                        /* what it says */
    int port;
    char token[200];
};
/* Start `$BUILD/aisp dashboard serve --port 0` with these words (ends with NULL) on ./artifacts and ./targets, and wait until it
 * says where it is. Aborts if it does not. */
void server_start(struct server *server, const char *const *words);
/* Interrupt it, as a terminal does; its exit code, or -1 after 20 s. */
int server_stop(struct server *server);
/* Resident memory in KiB. */
long server_kib(const struct server *server);

struct reply {
    int status;                    /* 0: the connection ended without an answer */
    char *head, *body;             /* whole, chunks put together; NUL behind them */
    size_t n;
    bool is_closed;                /* the server closed the connection */
};
void reply_release(struct reply *reply);
/* The value of a header field in a static buffer; "" if it is not there. */
const char *reply_header(const struct reply *reply, const char *name);

int client_connect(int port);
void client_send(int fd, const void *bytes, size_t n);
/* One answer from an open connection, at most so long. */
struct reply client_read(int fd, int timeout_ms);
/* A connection, these bytes, one answer. */
struct reply client_raw(int port, const char *bytes, size_t n);
/* "GET", "/api/v1/...", further header lines each with \r\n (or ""), a body (or NULL). Host and Content-Length are added. */
struct reply client_ask(const struct server *server, const char *method, const char *target, const char *headers,
                        const char *body);
struct reply client_get(const struct server *server, const char *target);
/* The same with the token. */
struct reply client_post(const struct server *server, const char *target, const char *json);

#endif
