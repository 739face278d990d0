/* client.h - a client of `aisp mcp serve` over its pipes, as plain as the protocol is: a line out, lines in.
 * Not here: what is asked (*_test.c). An answer that does not come fails the test. */
#ifndef AISP_TESTS_MCP_CLIENT_H
#define AISP_TESTS_MCP_CLIENT_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#include "core/base/buf.h"

struct client {
    pid_t pid;
    int to, from;
    struct aisp_buf in;
    json_t *told;                 /* notifications that came, an array */
    int64_t last_id;
};

/* `options`: of `mcp serve`, ends with NULL. The store is FOLDER/artifacts, the targets are those of tests/tui unless they say
 * otherwise. */
void client_start(struct client *c, const char *folder, const char *const *options);
void client_send(struct client *c, const char *line);
/* The next message that is no notification; those are kept in c->told. */
json_t *client_read(struct client *c);
/* False: none within so long. */
bool client_hears(struct client *c, int timeout_ms);
/* A request with the next id; `params` is taken over. Not yet answered. */
int64_t client_ask(struct client *c, const char *method, json_t *params);
/* The answer to it; others that come before are a mistake. */
json_t *client_request(struct client *c, const char *method, json_t *params);
/* Its result; an error is a mistake. Caller releases. */
json_t *client_result(struct client *c, const char *method, json_t *params);
/* The handshake of the older protocol; the result is the caller's. */
json_t *client_initialize(struct client *c, const char *version);
/* Both: started, and ready for requests of the newest version with a handshake. */
void client_begin(struct client *c, const char *folder, const char *const *options);
/* End it, which is to go well, and remove its folder. */
void client_finish(struct client *c, char *folder_take);
/* Close the server's input; how it ended, as wait says. */
int client_end(struct client *c);

/* -32602 of an error, 0 of a result. */
int code_of(const json_t *message);
const char *text_at(const json_t *value, const char *path);      /* "content.0.text"; "" if it is not there */
const json_t *at(const json_t *value, const char *path);

/* A folder with the recorded runs in artifacts/; remove it with remove_folder. */
char *recorded_folder(void);
/* What `BUILD/aisp WORDS` prints as JSON; the words are quoted as for a shell. */
json_t *printed(const char *folder, const char *words);

#endif
