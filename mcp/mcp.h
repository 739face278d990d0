/* mcp.h - the server: what its parts share.
 *   server.c     methods, versions of the protocol, who may ask what when
 *   call.c       commands that run for a request: started, watched, cancelled, answered
 *   tools.c      a tool for each command of the table that is offered
 *   resources.c  runs, targets and guides to read       guides.c     the guides' files
 *   prompts.c    questions that come up often           complete.c   values for their arguments
 *   stdio.c, http.c   how messages come and go          serve.c      the command
 * The server reads no record and knows no store: every answer is that of a command (doors/job.h), or a guide's text.
 *
 * Two eras of the protocol are spoken at once. From 2026-07-28 on each request says in its _meta which version it speaks, and
 * stands alone. Before, a client introduced itself once (initialize); on HTTP it is known by the id that it was given then. */
#ifndef AISP_MCP_MCP_H
#define AISP_MCP_MCP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doors/ask.h"
#include "doors/job.h"
#include "mcp/rpc.h"

#define AISP_MCP_MODERN "2026-07-28"
/* With a handshake, newest first; ends with NULL. */
extern const char *const aisp_mcp_legacy[];

enum { AISP_MCP_MOST_BYTES = 1 << 20 };      /* of one message to us */

/* ---- where messages go ---- */

/* `message` is borrowed. The last one is the answer, or NULL where none will come; before it come notifications. */
struct aisp_mcp_channel {
    void (*send)(void *context, const json_t *message, bool is_last);
    void *context;
};

/* ---- one request ---- */

struct aisp_mcp_ask {
    const json_t *id, *params;               /* params may be NULL */
    const char *method, *session;            /* session: "" where all is one */
    bool is_modern;
    struct aisp_mcp_channel channel;
};

/* Why there is no result; code 0: it comes later, a command runs for it. */
struct aisp_mcp_fault { int code; char text[512]; json_t *data; };
/* NULL, so that a method can return it. */
json_t *aisp_mcp_fail(struct aisp_mcp_fault *fault, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A result, or NULL and *fault. Takes the result over. */
void aisp_mcp_answer(const struct aisp_mcp_ask *ask, json_t *result, struct aisp_mcp_fault *fault);

/* ---- one request that commands run for ---- */

struct aisp_mcp;
struct aisp_mcp_call;
/* The command has ended: the result, or NULL with *fault, or NULL because another command was begun. */
typedef json_t *aisp_mcp_finish(struct aisp_mcp *mcp, struct aisp_mcp_call *call, struct aisp_mcp_fault *fault);

struct aisp_mcp_call {
    struct aisp_mcp_call *next;
    struct aisp_mcp_channel channel;         /* send NULL: nobody waits any more */
    json_t *id, *params, *progress_token;    /* the token: NULL, a string or an integer */
    char *session;
    const char *method;                      /* of the server's table */
    bool is_modern, is_cancelled, is_heavy;  /* heavy: it runs code, and has to wait for its turn on the machine anyway */
    int64_t began_ms, told_ms, stopped_ms;   /* its progress was last told, and it was last interrupted */
    double left_s;                           /* at most, as its command says; below 0: unknown */
    const struct aisp_command *command;
    struct aisp_words words;                 /* empty: nothing waits to be started */
    int wants;
    struct aisp_job job;
    json_t *notes;                           /* what the user should know of it, lines */
    json_t *gathered;                        /* of finish: what earlier commands said; or NULL */
    aisp_mcp_finish *finish;
};

struct aisp_mcp {
    enum aisp_ask_right right;
    struct aisp_words common;                /* options that every command gets: names and values in turn */
    char *guides;                            /* their folder, or NULL */
    bool is_initialized;                     /* stdio: by initialize */
    bool is_ending;                          /* no new requests */
    struct aisp_mcp_call *calls;             /* the oldest first */
    int64_t n_requests;
};

void aisp_mcp_init(struct aisp_mcp *mcp, enum aisp_ask_right right);
/* What still runs is interrupted and given some seconds to end its record. */
void aisp_mcp_release(struct aisp_mcp *mcp);

/* One message that came. */
void aisp_mcp_take(struct aisp_mcp *mcp, const char *text, size_t n, const char *session, struct aisp_mcp_channel channel);

/* ---- commands that run (call.c) ---- */

/* Begin a call for a request, or its next command: `arguments` is borrowed and may be NULL. False: *fault says why not. */
bool aisp_mcp_call_begin(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, const struct aisp_command *command,
                         const json_t *arguments, int wants, aisp_mcp_finish *finish, struct aisp_mcp_fault *fault);
bool aisp_mcp_call_next(struct aisp_mcp *mcp, struct aisp_mcp_call *call, const char *path, const json_t *arguments,
                        aisp_mcp_finish *finish, struct aisp_mcp_fault *fault);
/* NULL: none of that id runs. */
struct aisp_mcp_call *aisp_mcp_call_find(struct aisp_mcp *mcp, const json_t *id, const char *session);
/* It will not be answered; what it runs is interrupted. */
void aisp_mcp_call_cancel(struct aisp_mcp_call *call);
/* Those whose answers went to this context: nobody is there any more. */
void aisp_mcp_call_abandon(struct aisp_mcp *mcp, const void *context);
/* Start what waits, hear what came, answer what has ended. */
void aisp_mcp_work(struct aisp_mcp *mcp);
/* Their descriptors, at most `most`, into fd; how many. */
struct pollfd;
size_t aisp_mcp_fds(const struct aisp_mcp *mcp, struct pollfd *fd, size_t most);

/* ---- methods ---- */

typedef json_t *aisp_mcp_method(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault);
aisp_mcp_method aisp_mcp_tools_list, aisp_mcp_tools_call, aisp_mcp_resources_list, aisp_mcp_resources_templates,
    aisp_mcp_resources_read, aisp_mcp_prompts_list, aisp_mcp_prompts_get, aisp_mcp_complete;

/* A member of the parameters that must be a string; NULL after *fault. */
const char *aisp_mcp_string(const struct aisp_mcp_ask *ask, const char *name, struct aisp_mcp_fault *fault);
/* The command of the table; a bug if there is none. */
const struct aisp_command *aisp_mcp_command(const char *path);
/* What a command said instead of a value. Resources that are not there have a code of their own in each era. */
json_t *aisp_mcp_job_fault(const struct aisp_mcp_call *call, struct aisp_mcp_fault *fault);

/* ---- guides ---- */

/* Their names, sorted: "mcp" for mcp.md; the caller's to release. */
json_t *aisp_mcp_guides(const struct aisp_mcp *mcp);
/* NULL: there is none of that name. Caller frees. */
char *aisp_mcp_guide_text(const struct aisp_mcp *mcp, const char *name);
/* The text of its first heading. Caller frees. */
char *aisp_mcp_guide_title(const char *text);

/* ---- prompts' arguments, for complete.c: what kind of value it is, or NULL if there is no such argument ---- */

const char *aisp_mcp_prompt_argument(const char *prompt, const char *argument);

/* ---- transports ---- */

struct aisp_request;
/* Until the input ends or *stop is set. */
enum aisp_status aisp_mcp_stdio(struct aisp_mcp *mcp, const volatile int *stop, struct aisp_err *err);
/* Until interrupted, which is no error then. */
enum aisp_status aisp_mcp_http(struct aisp_mcp *mcp, const struct aisp_request *request);

#endif
