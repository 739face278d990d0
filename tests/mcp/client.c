/* client.c - the server's process, its pipes, and a little reading of JSON. */
#include "tests/mcp/client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/temporary.h"

enum { PATIENCE_MS = 600000 /* a run may have to wait for its turn on the machine */, MOST_OPTIONS = 16 };

char *recorded_folder(void)
{
    char *folder = temporary_folder();
    char *line = aisp_format("'%s/aisp' store import '%s/recorded/screen/store.jsonl' --artifacts-dir '%s/artifacts' "
                             ">/dev/null 2>&1", BUILD_DIR, TESTS_DIR, folder);

    if (system(line))
        fail_msg("%s", line);
    free(line);
    return folder;
}

static json_t *loaded(FILE *f)
{
    return json_loadf(f, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
}

json_t *printed(const char *folder, const char *words)
{
    char *line =
        aisp_format("cd '%s' && '%s/aisp' %s --json --artifacts-dir '%s/artifacts' --bench-root '%s/tui-targets' 2>/dev/null",
                    folder, BUILD_DIR, words, folder, BUILD_DIR);
    FILE *f = popen(line, "r");
    json_t *value;

    assert_non_null(f);
    value = loaded(f);
    pclose(f);
    if (!value)
        fail_msg("no JSON: %s", line);
    free(line);
    return value;
}

/* ---- the process ---- */

static _Noreturn void become_server(const char *folder, const char *const *options, int in, int out)
{
    char *artifacts = aisp_format("%s/artifacts", folder);
    const char *argv[MOST_OPTIONS + 8] = { "aisp", "mcp", "serve", "--artifacts-dir", artifacts };
    size_t n = 5;
    bool has_root = false;

    for (; options && *options; options++) {
        argv[n++] = *options;
        has_root |= !strcmp(*options, "--bench-root");
    }
    if (!has_root) {
        argv[n++] = "--bench-root";
        argv[n++] = BUILD_DIR "/tui-targets";
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    if (!chdir(folder))
        execv(BUILD_DIR "/aisp", (char *const *)(uintptr_t)argv);
    _exit(127);
}

void client_start(struct client *c, const char *folder, const char *const *options)
{
    int in[2], out[2];

    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    signal(SIGPIPE, SIG_IGN);
    *c = (struct client){ .pid = fork(), .to = in[1], .from = out[0], .told = json_array() };
    if (!c->pid)
        become_server(folder, options, in[0], out[1]);
    assert_true(c->pid > 0);
    close(in[0]);
    close(out[1]);
}

int client_end(struct client *c)
{
    int status = -1;

    if (c->to >= 0)
        close(c->to);
    assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
    close(c->from);
    aisp_buf_release(&c->in);
    json_decref(c->told);
    return status;
}

/* ---- messages ---- */

void client_send(struct client *c, const char *line)
{
    size_t n = strlen(line);
    ssize_t written = 0;

    for (; n; line += written, n -= (size_t)written)
        if ((written = write(c->to, line, n)) < 0)
            fail_msg("the server takes no more");
    assert_int_equal(write(c->to, "\n", 1), 1);
}

bool client_hears(struct client *c, int timeout_ms)
{
    struct pollfd fd = { c->from, POLLIN, 0 };

    return (c->in.len && memchr(c->in.s, '\n', c->in.len)) || poll(&fd, 1, timeout_ms) > 0;
}

static json_t *read_message(struct client *c)
{
    char bytes[65536], *end;
    json_error_t error;
    json_t *message;
    ssize_t n;

    while (!c->in.len || !(end = memchr(c->in.s, '\n', c->in.len))) {
        if (!client_hears(c, PATIENCE_MS) || (n = read(c->from, bytes, sizeof bytes)) <= 0) {
            fail_msg("no message");
            return NULL;
        }
        aisp_buf_add(&c->in, bytes, (size_t)n);
    }
    message = json_loadb(c->in.s, (size_t)(end - c->in.s), JSON_REJECT_DUPLICATES, &error);
    if (!message)
        fail_msg("%s: %.*s", error.text, (int)(end - c->in.s), c->in.s);
    c->in.len -= (size_t)(end + 1 - c->in.s);
    memmove(c->in.s, end + 1, c->in.len);
    assert_string_equal(text_at(message, "jsonrpc"), "2.0");
    return message;
}

json_t *client_read(struct client *c)
{
    for (;;) {
        json_t *message = read_message(c);

        if (!json_object_get(message, "method"))
            return message;
        json_array_append_new(c->told, message);
    }
}

int64_t client_ask(struct client *c, const char *method, json_t *params)
{
    json_t *message = json_pack("{s:s, s:I, s:s, s:o*}", "jsonrpc", "2.0", "id", (json_int_t)++c->last_id, "method", method,
                                "params", params);
    char *line = json_dumps(message, JSON_COMPACT);

    client_send(c, line);
    free(line);
    json_decref(message);
    return c->last_id;
}

json_t *client_request(struct client *c, const char *method, json_t *params)
{
    const int64_t id = client_ask(c, method, params);
    json_t *message = client_read(c);

    assert_int_equal(json_integer_value(json_object_get(message, "id")), id);
    return message;
}

json_t *client_result(struct client *c, const char *method, json_t *params)
{
    json_t *message = client_request(c, method, params), *result = json_object_get(message, "result");

    if (!result)
        fail_msg("%s: %s", method, text_at(message, "error.message"));
    json_incref(result);
    json_decref(message);
    return result;
}

json_t *client_initialize(struct client *c, const char *version)
{
    json_t *result = client_result(c, "initialize",
                                   json_pack("{s:s, s:{}, s:{s:s, s:s}}", "protocolVersion", version, "capabilities",
                                             "clientInfo", "name", "test", "version", "1"));

    client_send(c, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
    return result;
}

void client_begin(struct client *c, const char *folder, const char *const *options)
{
    client_start(c, folder, options);
    json_decref(client_initialize(c, "2025-11-25"));
}

void client_finish(struct client *c, char *folder_take)
{
    assert_int_equal(client_end(c), 0);
    remove_folder(folder_take);
}

int code_of(const json_t *message)
{
    return (int)json_integer_value(at(message, "error.code"));
}

const json_t *at(const json_t *value, const char *path)
{
    while (value && *path) {
        const size_t n = strcspn(path, ".");
        char *name = aisp_format("%.*s", (int)n, path);

        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(name)) : json_object_get(value, name);
        free(name);
        path += n + (path[n] == '.');
    }
    return value;
}

const char *text_at(const json_t *value, const char *path)
{
    const char *text = json_string_value(at(value, path));

    return text ? text : "";
}
