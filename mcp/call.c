/* call.c - requests that commands run for. Several run at once: reading ones, and those that run code, which wait for their turn
 * on the machine; neither kind keeps the other from starting.
 * Not here: which command answers what (tools.c, resources.c, complete.c), and how one runs (doors/job.c). */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "core/base/clock.h"
#include "mcp/mcp.h"

enum {
    MOST_CALLS = 256,                        /* that run or wait */
    MOST_READING = 8, MOST_HEAVY = 4,        /* at once */
    TELL_EVERY_MS = 250,
    STOP_AGAIN_MS = 10000,                   /* who was interrupted has so long to end its record */
};

static int64_t now_ms(void)
{
    return aisp_now_ns() / 1000000;
}

/* ---- beginning ---- */

static bool set_command(struct aisp_mcp *mcp, struct aisp_mcp_call *call, const struct aisp_command *command,
                        const json_t *arguments, aisp_mcp_finish *finish, struct aisp_mcp_fault *fault)
{
    struct aisp_words asked = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };

    if (aisp_ask_words(command, arguments, mcp->right, &asked, &err))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "%s", err.text);
    aisp_words_add_common(&call->words, &asked, &mcp->common);
    aisp_words_release(&asked);
    call->command = command;
    call->is_heavy = command->flags & AISP_CMD_RUNS_CODE;
    call->finish = finish;
    return true;
}

static void call_free(struct aisp_mcp_call *call)
{
    aisp_job_release(&call->job);
    aisp_words_release(&call->words);
    json_decref(call->id);
    json_decref(call->params);
    json_decref(call->progress_token);
    json_decref(call->notes);
    json_decref(call->gathered);
    free(call->session);
    free(call);
}

static struct aisp_mcp_call *call_new(const struct aisp_mcp_ask *ask)
{
    struct aisp_mcp_call *call = aisp_xcalloc(1, sizeof *call);

    *call = (struct aisp_mcp_call){ .channel = ask->channel, .id = json_deep_copy(ask->id), .params = json_deep_copy(ask->params),
                                    .session = aisp_xstrdup(ask->session), .method = ask->method, .is_modern = ask->is_modern,
                                    .began_ms = now_ms(), .left_s = -1, .job = AISP_JOB_INIT, .notes = json_array() };
    return call;
}

/* False: it is there and no token. */
static bool read_token(struct aisp_mcp_call *call, struct aisp_mcp_fault *fault)
{
    json_t *token = json_object_get(json_object_get(call->params, "_meta"), "progressToken");

    if (token && !json_is_string(token) && !json_is_integer(token))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "\"progressToken\" is neither a string nor an integer");
    call->progress_token = json_incref(token);
    return true;
}

bool aisp_mcp_call_begin(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, const struct aisp_command *command,
                         const json_t *arguments, int wants, aisp_mcp_finish *finish, struct aisp_mcp_fault *fault)
{
    struct aisp_mcp_call *call = call_new(ask), **end = &mcp->calls;
    int n = 0;

    call->wants = wants;
    for (; *end; end = &(*end)->next)
        n++;
    if (n >= MOST_CALLS)
        aisp_mcp_fail(fault, AISP_RPC_INTERNAL_ERROR, "%d requests are under way; wait for one of them to end", n);
    else if (read_token(call, fault))
        set_command(mcp, call, command, arguments, finish, fault);
    if (fault->code) {
        call_free(call);
        return false;
    }
    *end = call;
    return true;
}

bool aisp_mcp_call_next(struct aisp_mcp *mcp, struct aisp_mcp_call *call, const char *path, const json_t *arguments,
                        aisp_mcp_finish *finish, struct aisp_mcp_fault *fault)
{
    aisp_job_drop(&call->job);
    return set_command(mcp, call, aisp_mcp_command(path), arguments, finish, fault);
}

const struct aisp_command *aisp_mcp_command(const char *path)
{
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (!strcmp(c->path, path))
        return c;
    AISP_BUG("no command \"%s\"", path);
}

/* ---- what comes meanwhile ---- */

/* Seconds that have gone, of those it may take: such figures only grow. */
static void tell(struct aisp_mcp_call *call, const char *text, bool at_once)
{
    const int64_t now = now_ms();
    const double gone = (double)(now - call->began_ms) * 1e-3;
    json_t *params, *message;

    if (!call->progress_token || !call->channel.send || call->is_cancelled)
        return;
    if (now <= call->told_ms || (!at_once && now - call->told_ms < TELL_EVERY_MS))
        return;
    call->told_ms = now;
    params = json_pack("{s:O, s:f, s:o*, s:o*}", "progressToken", call->progress_token, "progress", gone, "total",
                       call->left_s < 0 ? NULL : json_real(gone + call->left_s), "message", json_string(text));
    message = aisp_rpc_notification("notifications/progress", params);
    call->channel.send(call->channel.context, message, false);
    json_decref(message);
}

static void hear(void *context, enum aisp_job_says says, const char *text, const json_t *event)
{
    struct aisp_mcp_call *call = context;
    const json_t *left = json_object_get(event, "left_s");

    if (json_is_number(left))
        call->left_s = json_number_value(left);
    if (says == AISP_JOB_NOTE)
        json_array_append_new(call->notes, json_string(text));
    if (says == AISP_JOB_NOTE || says == AISP_JOB_PROGRESS)
        tell(call, text, says == AISP_JOB_NOTE);
}

/* ---- the end ---- */

struct aisp_mcp_call *aisp_mcp_call_find(struct aisp_mcp *mcp, const json_t *id, const char *session)
{
    for (struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        if (json_equal(call->id, id) && !strcmp(call->session, session) && !call->is_cancelled)
            return call;
    return NULL;
}

void aisp_mcp_call_cancel(struct aisp_mcp_call *call)
{
    call->is_cancelled = true;
    if (call->channel.send)
        call->channel.send(call->channel.context, NULL, true);
    call->channel.send = NULL;
    aisp_words_release(&call->words);
    aisp_job_stop(&call->job);
    call->stopped_ms = now_ms();
}

void aisp_mcp_call_abandon(struct aisp_mcp *mcp, const void *context)
{
    for (struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        if (call->channel.send && call->channel.context == context) {
            call->channel.send = NULL;
            if (call->is_modern)             /* for older clients a lost connection is no wish to stop */
                aisp_mcp_call_cancel(call);
        }
}

json_t *aisp_mcp_job_fault(const struct aisp_mcp_call *call, struct aisp_mcp_fault *fault)
{
    const char *text = call->job.answer.error;

    return aisp_mcp_fail(fault, AISP_RPC_INTERNAL_ERROR, "%s", text ? text : "the command gave no answer");
}

/* False: another command runs for it. */
static bool answered(struct aisp_mcp *mcp, struct aisp_mcp_call *call)
{
    struct aisp_mcp_fault fault = { 0 };
    const struct aisp_mcp_ask ask = { .id = call->id, .params = call->params, .method = call->method, .session = call->session,
                                      .is_modern = call->is_modern, .channel = call->channel };
    json_t *result = call->is_cancelled ? NULL : call->finish(mcp, call, &fault);

    if (!call->is_cancelled && !result && !fault.code)
        return false;
    if (!call->is_cancelled)
        aisp_mcp_answer(&ask, result, &fault);
    return true;
}

static void insist(struct aisp_mcp_call *call)
{
    if (!call->job.pid || !call->is_cancelled || now_ms() - call->stopped_ms < STOP_AGAIN_MS)
        return;
    aisp_job_stop(&call->job);
    call->stopped_ms = now_ms();
}

static void start(struct aisp_mcp_call *call)
{
    struct aisp_err err = { AISP_OK, "" };

    if (aisp_job_start(&call->job, &call->words, call->wants, 100, &err))
        call->job.answer = (struct aisp_answer){ .exit_code = AISP_EXIT_STORE, .error = aisp_xstrdup(err.text) };
    aisp_words_release(&call->words);
}

static int running(const struct aisp_mcp *mcp, bool is_heavy)
{
    int n = 0;

    for (const struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        n += call->job.pid && call->is_heavy == is_heavy;
    return n;
}

/* True: it has been answered. */
static bool work(struct aisp_mcp *mcp, struct aisp_mcp_call *call)
{
    for (;;) {
        if (call->words.n && running(mcp, call->is_heavy) < (call->is_heavy ? MOST_HEAVY : MOST_READING))
            start(call);
        insist(call);
        if (call->words.n || (call->job.pid && !aisp_job_read(&call->job, hear, call) && !aisp_job_is_too_long(&call->job)))
            return false;
        if (answered(mcp, call))
            return true;
    }
}

static bool work_all(struct aisp_mcp *mcp)
{
    bool has_ended = false;

    for (struct aisp_mcp_call **at = &mcp->calls; *at; ) {
        struct aisp_mcp_call *call = *at;

        if (!work(mcp, call)) {
            at = &call->next;
            continue;
        }
        *at = call->next;
        call_free(call);
        has_ended = true;
    }
    return has_ended;
}

void aisp_mcp_work(struct aisp_mcp *mcp)
{
    while (work_all(mcp))                    /* whose place another may take */
        ;
}

size_t aisp_mcp_fds(const struct aisp_mcp *mcp, struct pollfd *fd, size_t most)
{
    size_t n = 0;

    for (const struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        if (call->job.pid && n + 2 <= most) {
            fd[n++] = (struct pollfd){ call->job.fd, POLLIN, 0 };
            fd[n++] = (struct pollfd){ call->job.stray_fd, POLLIN, 0 };
        }
    return n;
}

/* ---- the server as a whole ---- */

void aisp_mcp_init(struct aisp_mcp *mcp, enum aisp_ask_right right)
{
    *mcp = (struct aisp_mcp){ .right = right };
}

void aisp_mcp_release(struct aisp_mcp *mcp)
{
    for (struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        if (!call->is_cancelled)
            aisp_mcp_call_cancel(call);
    while (mcp->calls) {
        struct aisp_mcp_call *call = mcp->calls;

        mcp->calls = call->next;
        call_free(call);
    }
    aisp_words_release(&mcp->common);
    free(mcp->guides);
}
