/* api_test.c - reads: the same value as on the command line for every command, pages, entity tags, compression, what a write
 * does to kept answers, the description of the interface, aliases, errors. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/base/buf.h"
#include "tests/dashboard/one_server.h"

/* What a command prints on its standard output. */
static char *printed(const char *command_line, int *exit_code)
{
    char *line = aisp_format("exec %s/aisp %s --artifacts-dir artifacts --bench-root $PWD/targets 2>said", getenv("BUILD"),
                             command_line),
         bytes[65536];
    struct aisp_buf out = AISP_BUF_INIT;
    FILE *f = popen(line, "r");
    size_t n;

    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
        aisp_buf_add(&out, bytes, n);
    *exit_code = pclose(f) >> 8;
    free(line);
    return aisp_buf_detach(&out);
}

static json_t *get_json(const char *target)
{
    struct reply r = client_get(&server, target);
    json_t *value = json_loads(r.body, 0, NULL);

    if (r.status != 200 || !value)
        fail_msg("%s: %d %s", target, r.status, r.body);
    reply_release(&r);
    return value;
}

/* ---- the same value through both doors ---- */

/* What a command needs to say something, as a query and as words. */
static const struct { const char *path, *query, *words;
} asked[] = {
    { "bench/compare-runs", "?a=latest&b=latest", "latest latest" },
    { "bench/history", "?target=ch01:double", "ch01:double" },
    { "bench/recheck", "?run=latest", "latest" },
    { "bench/show", "?target=ch01:double", "ch01:double" },
    { "bench/show-run", "?run=latest", "latest" },
    { "bench/source", "?variant=ch01:double/optimized_again", "ch01:double/optimized_again" },
    { "bench/whatif", "?latency=1000", "--latency 1000" },
    { "bench/list-runs", "?limit=1", "--limit 1" },
    { "bench/analyze", "?show=leaderboards&top=3", "--show leaderboards --top 3" },
    { "bench/list-targets", "?long=true", "--long" },
    { "completion", "?shell=bash", "bash" },
    { "utils/kv-cache", "?layers=80&hidden=8192&tokens=4096&batch=8&dtype=fp8",
      "--layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8" },
    { "utils/cost-per-token", "?avg-power=800&throughput=1500&electricity-cost=0.16&pue=1.5",
      "--avg-power 800 --throughput 1500 --electricity-cost 0.16 --pue 1.5" },
    { "utils/cluster-size", "?rate=40&units-per-request=500&throughput-per-card=2500&concurrency=16",
      "-r 40 -u 500 -p 2500 -c 16" },
    { "utils/parallelism",
      "?model=llama-3.1-8b&phase=decode&tokens=100&batch=8&weight-dtype=bf16&kv-dtype=bf16&vram=80&cards=8&card-tflops=400&card-"
      "gbps=3000",
      "-m llama-3.1-8b --phase decode -t 100 -b 8 --weight-dtype bf16 --kv-dtype bf16 --vram 80 --cards 8 --card-tflops 400 "
      "--card-gbps 3000" },
};

static char *words_of(const char *path, const char **query)
{
    char *words = aisp_xstrdup(path);

    for (char *c = words; *c; c++)
        *c = *c == '/' ? ' ' : *c;
    *query = "";
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (!strcmp(asked[i].path, path)) {
            char *more = aisp_format("%s %s", words, asked[i].words);

            *query = asked[i].query;
            free(words);
            return more;
        }
    return words;
}

/* What the machine does meanwhile has moved on: each figure reads N. */
static void blur(char *text)
{
    char *to = text;

    for (const char *c = text; *c; c++)
        if (!strchr("0123456789.", *c))
            *to++ = *c;
        else if (to == text || to[-1] != 'N')
            *to++ = 'N';
    *to = '\0';
}

/* True: both doors said the same, be it a value or an error. */
static bool agree(const char *path, bool *has_value)
{
    const char *query;
    char *words = words_of(path, &query), *line = aisp_format("%s --json", words),
         *target = aisp_format("/api/v1/%s%s", path, query);
    int exit_code;
    char *cli = printed(line, &exit_code);
    struct reply r = client_get(&server, target);
    bool same;

    if (!strcmp(path, "doctor")) {
        blur(cli);
        blur(r.body);
    }
    same = r.status == 200 && !strcmp(cli, r.body);
    *has_value = r.status == 200;
    if (r.status != 200) {                   /* "aisp: DETAIL" */
        json_t *problem = json_loads(r.body, 0, NULL);
        char said[4096] = "";
        FILE *f = fopen("said", "r");

        same = f && fgets(said, sizeof said, f) && exit_code;
        said[strcspn(said, "\n")] = '\0';
        same &= !strcmp(said + strlen("aisp: "), json_string_value(json_object_get(problem, "detail")));
        if (f)
            fclose(f);
        json_decref(problem);
    }
    if (!same && r.status != 200)
        print_message("%s: %d %s, and on the command line %d\n", target, r.status, r.body, exit_code);
    free(words);
    free(line);
    free(target);
    free(cli);
    reply_release(&r);
    return same;
}

static void every_command_says_the_same_through_both_doors(void **state)
{
    json_t *openapi = get_json("/api/v1/openapi.json"), *paths = json_object_get(openapi, "paths"), *one;
    int n = 0, n_values = 0;
    const char *path;

    (void)state;
    json_object_foreach(paths, path, one)
    {
        bool has_value = false, same = false;

        if (strncmp(path, "/api/v1/", 8) || !json_object_get(json_object_get(one, "get"), "parameters"))
            continue;
        for (int i = 0; i < 3 && !same; i++) /* what looks at the machine may see it change between two looks */
            same = agree(path + 8, &has_value);
        if (!same)
            fail_msg("%s differs", path);
        n++;
        n_values += has_value;
    }
    print_message("%d commands, %d of them with a value\n", n, n_values);
    assert_true(n >= 25);
    assert_true(n_values >= 25);
    json_decref(openapi);
}

static void what_only_runs_or_writes_is_not_read(void **state)
{
    static const char *const names[] = {
        "bench/run", "bench/judge", "store/prune", "store/import", "new/target", "clean", "peak"
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *target = aisp_format("/api/v1/%s", names[i]);
        struct reply r = client_get(&server, target);

        assert_int_equal(r.status, 403);
        reply_release(&r);
        free(target);
    }
}

static void aliases_are_commands(void **state)
{
    static const struct { const char *alias, *path; } seeds[] = {
        { "/api/benchmarks", "/api/v1/bench/list-targets" },
        { "/api/summary", "/api/v1/bench/summary" },
        { "/api/analysis/leaderboards", "/api/v1/bench/analyze?show=leaderboards" },
        { "/api/analysis/pareto", "/api/v1/bench/analyze?show=pareto" },
        { "/api/analysis/tradeoffs", "/api/v1/bench/analyze?show=tradeoffs" },
        { "/api/analysis/recommendations", "/api/v1/bench/analyze?show=recommendations" },
        { "/api/analysis/whatif?latency=1000", "/api/v1/bench/whatif?latency=1000" },
        { "/api/analysis/stacking", "/api/v1/bench/stacking" },
        { "/api/analysis/power", "/api/v1/bench/power" },
        { "/api/analysis/cost", "/api/v1/bench/cost" },
        { "/api/analysis/scaling", "/api/v1/bench/scaling" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        struct reply a = client_get(&server, seeds[i].alias), b = client_get(&server, seeds[i].path);

        if (a.status != b.status || strcmp(a.body, b.body) || a.status == 404)
            fail_msg("%s: %d %s", seeds[i].alias, a.status, a.body);
        reply_release(&a);
        reply_release(&b);
    }
}

/* ---- pages ---- */

static void pages_put_together_are_the_list(void **state)
{
    json_t *whole = get_json("/api/v1/bench/list-runs"), *page, *all = json_array();
    char *target = aisp_xstrdup("/api/v1/bench/list-runs?page-size=1");
    int n = 0;

    (void)state;
    while (*target && n++ < 10) {
        struct reply r = client_get(&server, target);
        const char *link;

        assert_int_equal(r.status, 200);
        page = json_loads(r.body, 0, NULL);
        assert_int_equal(json_array_size(json_object_get(page, "runs")), 1);
        json_array_extend(all, json_object_get(page, "runs"));
        json_decref(page);
        link = reply_header(&r, "Link");
        free(target);
        target = aisp_format("%.*s", (int)(*link ? strcspn(link + 1, ">") : 0), *link ? link + 1 : "");
        reply_release(&r);
    }
    assert_int_equal(n, 2);
    assert_true(json_equal(all, json_object_get(whole, "runs")));
    free(target);
    json_decref(all);
    json_decref(whole);
}

static void wrong_pages_are_told(void **state)
{
    static const struct { const char *target; int status; } asks[] = {
        { "/api/v1/bench/list-targets?limit=0", 400 },
        { "/api/v1/bench/list-targets?limit=1001", 400 },
        { "/api/v1/bench/list-targets?limit=x", 400 },
        { "/api/v1/bench/list-targets?cursor=x", 400 },
        { "/api/v1/bench/list-targets?cursor=LTEuMDAwMDAwMDAwMDAwMDAwMA", 400 },                  /* -1.0000000000000000 */
        { "/api/v1/bench/list-targets?cursor=MS4wMDAwMDAwMDAwMDAwMDAw", 410 },                    /* 1.0000000000000000 */
        { "/api/v1/version?unknown=1", 400 },
        { "/api/v1/version?limit=1", 200 },                                                       /* its one list: devices */
        { "/api/v1/bench/list-runs?limit=0", 400 },
        { "/api/v1/bench/list-runs?limit=1&limit=2", 400 },
        { "/api/v1/bench/list-runs?limit=1.5", 400 },
        { "/api/v1/bench/show?target=ch01:none", 404 },
        { "/api/v1/bench/show-run?run=20200101T000000Z-000000", 404 },
        { "/api/v1/bench/show", 400 },
        { "/api/v1/bench/analyze?show=nothing", 400 },
        { "/api/v1/no/such/command", 404 },
        { "/api/v1/", 400 },
        { "/api/v2/version", 404 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct reply r = client_get(&server, asks[i].target);
        json_t *problem = json_loads(r.body, 0, NULL);

        if (r.status != asks[i].status)
            fail_msg("%s: %d %s", asks[i].target, r.status, r.body);
        if (r.status >= 400) {
            assert_string_equal(reply_header(&r, "Content-Type"), "application/problem+json");
            assert_int_equal(json_integer_value(json_object_get(problem, "status")), r.status);
            assert_true(json_string_length(json_object_get(problem, "detail")) > 0);
            assert_true(json_string_length(json_object_get(problem, "title")) > 0);
        }
        json_decref(problem);
        reply_release(&r);
    }
}

/* ---- what is kept ---- */

static void an_entity_tag_saves_the_body(void **state)
{
    static const char target[] = "/api/v1/bench/list-targets?long=true";
    struct reply r = client_get(&server, target), same, packed;
    char *tag = aisp_xstrdup(reply_header(&r, "ETag")), *headers;

    (void)state;
    assert_string_equal(reply_header(&r, "Cache-Control"), "no-cache");
    headers = aisp_format("If-None-Match: \"x\", W/%s\r\n", tag);
    same = client_ask(&server, "GET", target, headers, NULL);
    assert_int_equal(same.status, 304);
    assert_int_equal(same.n, 0);
    assert_string_equal(reply_header(&same, "ETag"), tag);
    packed = client_ask(&server, "GET", target, "Accept-Encoding: br, gzip;q=0.5\r\n", NULL);
    assert_string_equal(reply_header(&packed, "Content-Encoding"), "gzip");
    assert_string_not_equal(reply_header(&packed, "ETag"), tag);
    assert_true(packed.n < r.n);
    assert_memory_equal(packed.body, "\x1f\x8b", 2);
    reply_release(&packed);
    packed = client_ask(&server, "GET", target, "Accept-Encoding: gzip;q=0, identity\r\n", NULL);
    assert_string_equal(reply_header(&packed, "Content-Encoding"), "");
    reply_release(&packed);
    reply_release(&same);
    reply_release(&r);
    free(tag);
    free(headers);
}

static int64_t metric(const char *name)
{
    struct reply r = client_get(&server, "/metrics");
    char *line = aisp_format("\n%s ", name), *at = strstr(r.body, line);
    const int64_t value = at ? atoll(at + strlen(line)) : -1;

    assert_non_null(strstr(r.body, "# EOF\n"));
    free(line);
    reply_release(&r);
    return value;
}

static size_t n_runs(void)
{
    json_t *value = get_json("/api/v1/bench/list-runs?limit=1000");
    const size_t n = json_array_size(json_object_get(value, "runs"));

    json_decref(value);
    return n;
}

static void an_answer_is_kept_until_the_store_changes(void **state)
{
    const size_t before = n_runs();
    const int64_t misses = metric("aisp_cache_misses_total");
    int exit_code;

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(n_runs(), before);
    assert_int_equal(metric("aisp_cache_misses_total"), misses);
    free(printed("bench run -t ch01 --quick --time-limit 500ms", &exit_code));
    assert_int_equal(exit_code, 3);          /* a wrong variant is among them */
    assert_int_equal(n_runs(), before + 1);  /* at once, not some time later */
    assert_true(metric("aisp_cache_misses_total") > misses);
}

/* What Aisp-Fresh-At says to who asks with these headers. */
static const char *fresh_at(const char *headers, int status)
{
    static char at[64];
    struct reply r = client_ask(&server, "GET", "/api/v1/bench/list-runs", headers, NULL);

    assert_int_equal(r.status, status);
    snprintf(at, sizeof at, "%s", reply_header(&r, "Aisp-Fresh-At"));
    reply_release(&r);
    return at;
}

static const char *fresh_at_after_change(const char *more)
{
    char *headers = aisp_format("Cache-Control: %s\r\n", more);
    const char *at;

    assert_int_equal(utimensat(AT_FDCWD, "artifacts/aisp.sqlite", NULL, 0), 0);
    at = fresh_at(headers, 200);
    free(headers);
    return at;
}

static void an_older_answer_is_only_for_who_takes_it_and_is_told_so(void **state)
{
    const int64_t misses = metric("aisp_cache_misses_total");
    struct reply r = client_get(&server, "/api/v1/bench/list-runs");
    struct tm tm = { 0 };
    const char *at;

    (void)state;
    assert_string_equal(reply_header(&r, "Aisp-Fresh-At"), "now");
    reply_release(&r);
    at = fresh_at_after_change("max-stale=10");
    at = strptime(at, "%Y-%m-%dT%H:%M:%S", &tm);
    assert_true(at && *at == '.');
    assert_true(time(NULL) - timegm(&tm) <= 10);
    assert_true(metric("aisp_cache_misses_total") > misses);       /* and it is made again */
    assert_string_equal(fresh_at_after_change("max-stale=0"), "now");
    assert_string_equal(fresh_at_after_change("no-cache\r\nAccept-Encoding: gzip"), "now");
    assert_string_not_equal(fresh_at_after_change("max-stale\r\nAccept-Encoding: gzip"), "now");
    assert_string_equal(fresh_at_after_change("no-cache"), "now");
    usleep(1100000);                         /* beyond what is asked for, however short ago the change was */
    assert_string_equal(fresh_at_after_change("max-stale=1"), "now");
}

/* What a client is told replaces what it kept with the answer that it has already (RFC 9111, 3.2). */
static void who_has_the_answer_is_told_of_when_it_is_too(void **state)
{
    static const char *const forms[] = { "", "Accept-Encoding: gzip\r\n" };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct reply r = client_ask(&server, "GET", "/api/v1/bench/list-runs", forms[i], NULL);
        char *known = aisp_format("%sIf-None-Match: %s\r\n", forms[i], reply_header(&r, "ETag")),
             *stale = aisp_format("%sCache-Control: max-stale=10\r\n", known);

        assert_string_equal(reply_header(&r, "Aisp-Fresh-At"), "now");
        assert_string_equal(fresh_at(known, 304), "now");
        assert_int_equal(utimensat(AT_FDCWD, "artifacts/aisp.sqlite", NULL, 0), 0);
        assert_string_not_equal(fresh_at(stale, 304), "now");
        assert_string_equal(fresh_at(known, 304), "now");
        reply_release(&r);
        free(known);
        free(stale);
    }
}

static void many_who_ask_wait_for_one(void **state)
{
    enum { N = 20 };
    const int64_t misses = metric("aisp_cache_misses_total");
    int fd[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        static const char ask[] = "GET /api/v1/bench/analyze?top=17 HTTP/1.1\r\nHost: localhost\r\n\r\n";

        fd[i] = client_connect(server.port);
        client_send(fd[i], ask, strlen(ask));
    }
    for (int i = 0; i < N; i++) {
        struct reply r = client_read(fd[i], 20000);

        assert_int_equal(r.status, 200);
        reply_release(&r);
        close(fd[i]);
    }
    assert_int_equal(metric("aisp_cache_misses_total"), misses + 1);
}

/* ---- the description ---- */

static void check_schema(const json_t *schema, const char *where)
{
    const char *type = json_string_value(json_object_get(schema, "type"));

    if (!json_is_object(schema) || (!type && !json_object_get(schema, "enum") && !json_object_get(schema, "oneOf")))
        fail_msg("%s: a schema without a type", where);
    if (type && !strcmp(type, "array"))
        check_schema(json_object_get(schema, "items"), where);
}

static void check_operation(const json_t *operation, const char *path, json_t *ids)
{
    const char *id = json_string_value(json_object_get(operation, "operationId"));
    json_t *parameter, *names = json_object();
    size_t i;

    if (!id || json_object_get(ids, id))
        fail_msg("%s: no operationId, or one that is another's", path);
    json_object_set_new(ids, id, json_true());
    assert_non_null(json_object_get(operation, "summary"));
    assert_true(json_object_size(json_object_get(operation, "responses")) > 0);
    json_array_foreach(json_object_get(operation, "parameters"), i, parameter)
    {
        const char *name = json_string_value(json_object_get(parameter, "name"));

        if (!name || json_object_get(names, name) || !json_string_value(json_object_get(parameter, "in")))
            fail_msg("%s: a parameter without a name, or twice: %s", path, name ? name : "");
        json_object_set_new(names, name, json_true());
        check_schema(json_object_get(parameter, "schema"), path);
    }
    json_decref(names);
}

/* Every {"$ref": "#/a/b"} leads somewhere. */
static void check_references(const json_t *at, const json_t *whole)
{
    const char *name, *ref = json_string_value(json_object_get(at, "$ref"));
    json_t *value;
    size_t i;

    if (ref && !strncmp(ref, "#/", 2)) {
        char *path = aisp_xstrdup(ref + 2), *rest = path, *part;
        const json_t *to = whole;

        while ((part = strsep(&rest, "/")))
            to = json_object_get(to, part);
        if (!to)
            fail_msg("%s leads nowhere", ref);
        free(path);
    }
    if (json_is_object(at))
        json_object_foreach((json_t *)(uintptr_t)at, name, value) check_references(value, whole);
    json_array_foreach(at, i, value) check_references(value, whole);
}

/* How an older answer is asked for, and how it is told. */
static void check_staleness(json_t *whole, const char *path)
{
    json_t *parameters, *one;
    const char *says;
    int n = 0;
    size_t i;

    assert_int_equal(json_unpack(whole, "{s:{s:{s:{s:o, s:{s:{s:{s:{s:s}}}}}}}}", "paths", path, "get", "parameters", &parameters,
                                 "responses", "200", "headers", "Aisp-Fresh-At", "description", &says), 0);
    json_array_foreach(parameters, i, one)
        n += !strcmp(json_string_value(json_object_get(one, "name")), "Cache-Control");
    assert_int_equal(n, 1);
}

static void the_description_is_openapi(void **state)
{
    json_t *whole = get_json("/api/v1/openapi.json"), *ids = json_object(), *item, *operation;
    const char *path, *method;

    (void)state;
    assert_string_equal(json_string_value(json_object_get(whole, "openapi")), "3.1.0");
    assert_true(json_string_length(json_object_get(json_object_get(whole, "info"), "title")) > 0);
    assert_true(json_string_length(json_object_get(json_object_get(whole, "info"), "version")) > 0);
    json_object_foreach(json_object_get(whole, "paths"), path, item)
    {
        assert_int_equal(path[0], '/');
        json_object_foreach(item, method, operation) if (strcmp(method, "parameters")) check_operation(operation, path, ids);
        if (strstr(path, "{id}"))
            assert_int_equal(json_array_size(json_object_get(item, "parameters")), 1);
    }
    check_references(whole, whole);
    check_staleness(whole, "/api/v1/bench/list-runs");
    check_staleness(whole, "/api/benchmarks");
    json_decref(ids);
    json_decref(whole);
}

static void every_described_path_answers(void **state)
{
    json_t *whole = get_json("/api/v1/openapi.json"), *item;
    const char *path;

    (void)state;
    json_object_foreach(json_object_get(whole, "paths"), path, item)
    {
        struct reply r;

        if (strstr(path, "events") || !json_object_get(item, "get"))
            continue;
        r = client_get(&server, path);
        if (r.status != 200 && r.status != 400 && r.status != 404 && r.status != 422)
            fail_msg("%s: %d %s", path, r.status, r.body);
        if (r.status == 404 && !strstr(path, "{id}") && strstr(r.body, "no command"))
            fail_msg("%s: %s", path, r.body);
        reply_release(&r);
    }
    json_decref(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_says_the_same_through_both_doors),
        cmocka_unit_test(what_only_runs_or_writes_is_not_read),
        cmocka_unit_test(aliases_are_commands),
        cmocka_unit_test(pages_put_together_are_the_list),
        cmocka_unit_test(wrong_pages_are_told),
        cmocka_unit_test(an_entity_tag_saves_the_body),
        cmocka_unit_test(an_answer_is_kept_until_the_store_changes),
        cmocka_unit_test(an_older_answer_is_only_for_who_takes_it_and_is_told_so),
        cmocka_unit_test(who_has_the_answer_is_told_of_when_it_is_too),
        cmocka_unit_test(many_who_ask_wait_for_one),
        cmocka_unit_test(the_description_is_openapi),
        cmocka_unit_test(every_described_path_answers),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
