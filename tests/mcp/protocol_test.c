/* protocol_test.c - messages, versions, errors: the server's process as a client sees it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mcp/client.h"
#include "tests/unit/temporary.h"

#define META "io.modelcontextprotocol/"

static char *folder;
static struct client server;

static int start_plain(void **state)
{
    (void)state;
    client_start(&server, folder, NULL);
    return 0;
}

static int start_initialized(void **state)
{
    (void)state;
    client_begin(&server, folder, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    assert_int_equal(client_end(&server), 0);
    return 0;
}

static int record(void **state)
{
    (void)state;
    folder = recorded_folder();
    return 0;
}

static int remove_record(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

/* Parameters of the newer protocol; `more` is taken over and may be NULL. */
static json_t *modern(const char *version, json_t *more)
{
    json_t *params = more ? more : json_object();

    json_object_set_new(params, "_meta", json_pack("{s:s, s:{}}", META "protocolVersion", version, META "clientCapabilities"));
    return params;
}

static void assert_answer(const char *line, int code)
{
    json_t *message;

    client_send(&server, line);
    message = client_read(&server);
    if (code_of(message) != code)
        fail_msg("%s: %d, and not %d", line, code_of(message), code);
    json_decref(message);
}

/* ---- versions ---- */

static void a_known_version_is_agreed_to_and_else_the_newest_is_offered(void **state)
{
    static const char *const asked[][2] = { { "2025-11-25", "2025-11-25" }, { "2025-06-18", "2025-06-18" },
                                            { "2024-11-05", "2024-11-05" }, { "2025-03-26", "2025-11-25" },
                                            { "2099-01-01", "2025-11-25" }, { "", "2025-11-25" } };

    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        json_t *result = client_initialize(&server, asked[i][0]);

        assert_string_equal(text_at(result, "protocolVersion"), asked[i][1]);
        assert_string_equal(text_at(result, "serverInfo.name"), "aisp");
        assert_true(json_is_object(at(result, "capabilities.tools")));
        assert_non_null(strstr(text_at(result, "instructions"), "only reads"));
        assert_null(at(result, "resultType"));
        json_decref(result);
    }
}

static void requests_before_initialize_are_refused_but_ping(void **state)
{
    (void)state;
    assert_answer("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}", -32600);
    assert_answer("{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"ping\"}", 0);
    assert_answer("{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"initialize\", \"params\": {}}", -32602);
    assert_answer(
        "{\"jsonrpc\": \"2.0\", \"id\": 4, \"method\": \"resources/read\", \"params\": {\"uri\": \"aisp://runs/latest\"}}",
        -32600);
}

static void the_newer_protocol_needs_no_handshake(void **state)
{
    json_t *result = client_result(&server, "server/discover", modern("2026-07-28", NULL));

    (void)state;
    assert_string_equal(text_at(result, "supportedVersions.0"), "2026-07-28");
    assert_string_equal(text_at(result, "resultType"), "complete");
    assert_string_equal(text_at(result, "cacheScope"), "private");
    assert_true(json_integer_value(at(result, "ttlMs")) > 0);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(json_object_get(result, "_meta"), META "serverInfo"), "name")),
        "aisp");
    json_decref(result);
    result = client_result(&server, "tools/call", modern("2026-07-28", json_pack("{s:s}", "name", "bench_list_runs")));
    assert_int_equal(json_array_size(at(result, "structuredContent.runs")), 2);
    assert_string_equal(text_at(result, "resultType"), "complete");
    assert_null(at(result, "ttlMs"));
    json_decref(result);
}

static void a_version_that_is_not_known_is_answered_with_those_that_are(void **state)
{
    json_t *message = client_request(&server, "tools/list", modern("2099-01-01", NULL));

    (void)state;
    assert_int_equal(code_of(message), -32022);
    assert_string_equal(text_at(message, "error.data.requested"), "2099-01-01");
    assert_string_equal(text_at(message, "error.data.supported.0"), "2026-07-28");
    json_decref(message);
    message = client_request(&server, "tools/list", json_pack("{s:{s:s}}", "_meta", META "protocolVersion", "2026-07-28"));
    assert_int_equal(code_of(message), -32602);
    json_decref(message);
    message = client_request(&server, "ping", modern("2026-07-28", NULL));
    assert_int_equal(code_of(message), -32601);
    json_decref(message);
    message = client_request(&server, "server/discover", NULL);
    assert_int_equal(code_of(message), -32602);
    json_decref(message);
}

/* ---- messages ---- */

static void what_is_no_message_is_answered_with_the_right_code(void **state)
{
    static const struct { const char *line; int code;
    } cases[] = {
        { "{", -32700 },
        { "nonsense", -32700 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"id\": 2, \"method\": \"ping\"}", -32700 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"pi\\u0000ng\"}", -32700 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xff\"}", -32700 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 99999999999999999999, \"method\": \"ping\"}", -32700 },
        { "[]", -32600 },
        { "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]", -32600 },
        { "7", -32600 },
        { "null", -32600 },
        { "{}", -32600 },
        { "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}", -32600 },
        { "{\"jsonrpc\": 2.0, \"id\": 1, \"method\": \"ping\"}", -32600 },
        { "{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}", -32600 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1.5, \"method\": \"ping\"}", -32600 },
        { "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}", -32600 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 7}", -32600 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1}", -32600 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": []}", -32600 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"nope\"}", -32601 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"logging/setLevel\", \"params\": {\"level\": \"info\"}}", -32601 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\"}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": 7}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"version\", \"arguments\": "
          "[]}}",
          -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"no_such_tool\"}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"mcp_serve\"}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"bench_run\"}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"version\", \"_meta\": 7}}",
          -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"version\", \"_meta\": "
          "{\"progressToken\": {}}}}",
          -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {\"cursor\": \"x\"}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"resources/list\", \"params\": {\"cursor\": 7}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"resources/list\", \"params\": {\"cursor\": \"no-such-run\"}}",
          -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"resources/read\", \"params\": {}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"prompts/get\", \"params\": {\"name\": \"nope\"}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"prompts/get\", \"params\": {\"name\": \"why_unsure\"}}", -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"prompts/get\", \"params\": {\"name\": \"what_next\", \"arguments\": "
          "{\"run\": 7}}}",
          -32602 },
        { "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"completion/complete\", \"params\": {}}", -32602 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_answer(cases[i].line, cases[i].code);
    assert_answer("{\"jsonrpc\": \"2.0\", \"id\": \"still there\", \"method\": \"ping\"}", 0);
}

static void an_error_has_an_id_only_where_one_could_be_read(void **state)
{
    json_t *message;

    (void)state;
    client_send(&server, "{\"id\": \"seven\"}");
    message = client_read(&server);
    assert_string_equal(text_at(message, "id"), "seven");
    json_decref(message);
    client_send(&server, "{\"id\": ");
    message = client_read(&server);
    assert_null(json_object_get(message, "id"));
    json_decref(message);
}

static void notifications_and_answers_are_not_answered(void **state)
{
    (void)state;
    client_send(&server, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/nope\", \"params\": {}}");
    client_send(&server, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 77}}");
    client_send(&server, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\"}");
    client_send(&server, "{\"jsonrpc\": \"2.0\", \"method\": \"tools/list\"}");
    client_send(&server, "{\"jsonrpc\": \"2.0\", \"id\": 5, \"result\": {}}");
    client_send(&server, "{\"jsonrpc\": \"2.0\", \"id\": 5, \"error\": {\"code\": 1, \"message\": \"x\"}}");
    client_send(&server, "");
    client_send(&server, "  \r");
    assert_answer("{\"jsonrpc\": \"2.0\", \"id\": \"next\", \"method\": \"ping\"}", 0);
}

static void a_line_beyond_the_limit_is_refused_and_the_next_is_taken(void **state)
{
    const size_t n = 3 << 20;
    char *line = aisp_xmalloc(n + 1);

    (void)state;
    memset(line, 'x', n);
    line[n] = '\0';
    assert_answer(line, -32600);
    assert_answer("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}", 0);
    memset(line, '[', n);
    line[900000] = '\0';                     /* within the limit, and far too deep */
    assert_answer(line, -32700);
    assert_answer("{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"ping\"}", 0);
    free(line);
}

static void an_id_under_way_is_not_taken_twice(void **state)
{
    int n_errors = 0;

    (void)state;
    for (int i = 0; i < 2; i++)
        client_send(&server,
                    "{\"jsonrpc\": \"2.0\", \"id\": \"a\", \"method\": \"tools/call\", \"params\": {\"name\": \"doctor\"}}");
    for (int i = 0; i < 2; i++) {
        json_t *message = client_read(&server);

        n_errors += code_of(message) == -32600;
        json_decref(message);
    }
    assert_int_equal(n_errors, 1);
}

static void many_requests_are_under_way_at_once(void **state)
{
    enum { N = 60 };
    bool answered[N] = { false };
    json_t *message = NULL;

    (void)state;
    for (int i = 0; i < N; i++)
        client_ask(&server, "tools/call", json_pack("{s:s}", "name", i % 2 ? "bench_list_runs" : "version"));
    for (int i = 0; i < N; i++) {
        const int64_t first = server.last_id - N + 1;
        int64_t id;

        message = client_read(&server);
        id = json_integer_value(json_object_get(message, "id"));
        assert_true(id >= first && id < first + N && !answered[id - first]);
        answered[id - first] = true;
        assert_true(json_is_array(at(message, (id - first) % 2 ? "result.structuredContent.runs"
                                                               : "result.structuredContent.devices")));
        json_decref(message);
    }
}

static void too_many_requests_are_refused_and_none_is_lost(void **state)
{
    enum { N = 400 };
    int n_results = 0, n_refused = 0;

    (void)state;
    for (int i = 0; i < N; i++)
        client_ask(&server, "tools/call", json_pack("{s:s}", "name", "version"));
    for (int i = 0; i < N; i++) {
        json_t *message = client_read(&server);

        n_results += code_of(message) == 0;
        n_refused += code_of(message) == -32603;
        json_decref(message);
    }
    assert_int_equal(n_results + n_refused, N);
    assert_true(n_results >= 256);
}

/* ---- the end ---- */

static void what_was_asked_before_the_input_ended_is_answered(void **state)
{
    json_t *message;

    (void)state;
    client_begin(&server, folder, NULL);
    client_ask(&server, "tools/call", json_pack("{s:s}", "name", "bench_list_runs"));
    close(server.to);
    server.to = -1;
    message = client_read(&server);
    assert_int_equal(json_array_size(at(message, "result.structuredContent.runs")), 2);
    json_decref(message);
    assert_int_equal(client_end(&server), 0);
}

static void an_interrupt_ends_the_server(void **state)
{
    int status;

    (void)state;
    client_begin(&server, folder, NULL);
    kill(server.pid, SIGTERM);
    status = client_end(&server);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
}

static void a_client_that_stops_reading_ends_the_server(void **state)
{
    (void)state;
    client_begin(&server, folder, NULL);
    close(server.from);
    client_ask(&server, "tools/list", NULL);
    server.from = dup(STDIN_FILENO);         /* something to close */
    assert_int_equal(client_end(&server), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_known_version_is_agreed_to_and_else_the_newest_is_offered, start_plain, stop),
        cmocka_unit_test_setup_teardown(requests_before_initialize_are_refused_but_ping, start_plain, stop),
        cmocka_unit_test_setup_teardown(the_newer_protocol_needs_no_handshake, start_plain, stop),
        cmocka_unit_test_setup_teardown(a_version_that_is_not_known_is_answered_with_those_that_are, start_plain, stop),
        cmocka_unit_test_setup_teardown(what_is_no_message_is_answered_with_the_right_code, start_initialized, stop),
        cmocka_unit_test_setup_teardown(an_error_has_an_id_only_where_one_could_be_read, start_initialized, stop),
        cmocka_unit_test_setup_teardown(notifications_and_answers_are_not_answered, start_initialized, stop),
        cmocka_unit_test_setup_teardown(a_line_beyond_the_limit_is_refused_and_the_next_is_taken, start_initialized, stop),
        cmocka_unit_test_setup_teardown(an_id_under_way_is_not_taken_twice, start_initialized, stop),
        cmocka_unit_test_setup_teardown(many_requests_are_under_way_at_once, start_initialized, stop),
        cmocka_unit_test_setup_teardown(too_many_requests_are_refused_and_none_is_lost, start_initialized, stop),
        cmocka_unit_test(what_was_asked_before_the_input_ended_is_answered),
        cmocka_unit_test(an_interrupt_ends_the_server),
        cmocka_unit_test(a_client_that_stops_reading_ends_the_server),
    };

    return cmocka_run_group_tests(tests, record, remove_record);
}
