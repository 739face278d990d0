/* version.c - `aisp version`. */
#include "core/backend.h"

#include "checks/check.h"
#include "commands/command.h"
#include "commands/version.h"

const char *aisp_version(void)
{
    return AISP_VERSION;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    json_t *devices = json_array();
    int n_checks = 0;

    (void)request;
    (void)exit_code;
    AISP_FOR_EACH(aisp_backends, struct aisp_backend, b)
    if (!b->is_scripted)
        json_array_append_new(devices, json_string(b->name));
    AISP_FOR_EACH(aisp_checks, struct aisp_check, c)
    n_checks += c->issue > 0;
    *value = json_pack("{s:s, s:i, s:s, s:o, s:i}", "version", aisp_version(), "abi", AISP_ABI,
                       "compiler", __VERSION__, "devices", devices, "checks", n_checks);
    return AISP_OK;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *device;
    size_t i;

    (void)style;
    aisp_buf_printf(out, "aisp %s, ABI %lld, %lld checks, compiled by %s; devices:",
                    json_string_value(json_object_get(value, "version")),
                    (long long)json_integer_value(json_object_get(value, "abi")),
                    (long long)json_integer_value(json_object_get(value, "checks")),
                    json_string_value(json_object_get(value, "compiler")));
    json_array_foreach(json_object_get(value, "devices"), i, device)
        aisp_buf_printf(out, " %s", json_string_value(device));
    aisp_buf_puts(out, "\n");
}

AISP_COMMAND(version) = {
    .path = "version",
    .sentence = "Say which aisp this is, and which devices and checks it has",
    .example = "aisp version --json",
    .run = run,
    .render = render,
};
