/* serve.c - `aisp mcp serve`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/command.h"
#include "commands/place.h"
#include "mcp/mcp.h"

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    const bool may_run = aisp_args_flag(args, "allow-run");
    struct aisp_mcp mcp;
    enum aisp_status st;

    (void)exit_code;
    if (!aisp_args_flag(args, "http") && (aisp_args_given(args, "port") || aisp_args_given(args, "token-file")))
        return aisp_fail(request->err, AISP_E_USAGE, "--port and --token-file are of a server: add --http");
    aisp_mcp_init(&mcp, may_run ? AISP_ASK_RUN : AISP_ASK_READ);
    aisp_words_add_folders(&mcp.common, request->bench_root, request->artifacts_dir);
    mcp.guides = aisp_place_beside("guide");
    if (!aisp_args_flag(args, "http") && isatty(STDIN_FILENO))
        aisp_note(request, "this speaks a protocol on standard input, and is started by a client: see docs/guide/mcp.md");
    st = aisp_args_flag(args, "http") ? aisp_mcp_http(&mcp, request)
                                      : aisp_mcp_stdio(&mcp, request->console ? request->console->stop : NULL, request->err);
    if (!st)
        *value = json_pack("{s:b, s:I}", "may_run", may_run, "requests", (json_int_t)mcp.n_requests);
    aisp_mcp_release(&mcp);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    (void)value;
    (void)style;
    (void)out;                               /* the client has hung up, and the standard output was the protocol's */
}

static const struct aisp_option options[] = {
    { "allow-run", 0, AISP_OPT_FLAG, .help = "Also offer what runs code, writes, or names files of this machine" },
    { "http", 0, AISP_OPT_FLAG,
      .help = "Serve HTTP on this machine's loopback address, at /mcp, instead of standard input and output" },
    { "port", 'p', AISP_OPT_INTEGER, .meta = "N", .help = "With --http: listen on this port; 0 is one that is free",
      .preset = "8101", .low = 0, .high = 65535 },
    { "token-file", 0, AISP_OPT_PATH, .meta = "FILE",
      .help =
          "With --http: the token is this file's first line; only its owner may read it (default: one is made and printed)" },
    { 0 },
};

AISP_COMMAND(mcp_serve) = {
    .path = "mcp serve",
    .sentence = "Serve the commands as tools to assistants (Model Context Protocol)",
    .example = "aisp mcp serve\naisp mcp serve --allow-run\naisp mcp serve --http --port 8101 --token-file token",
    .option = options,
    .flags = AISP_CMD_TERMINAL,
    .run = run,
    .render = render,
};
