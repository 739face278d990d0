/* outcome.c - count and keep. */
#include "tests/selftest/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/environment.h"
#include "store/proofs.h"

void outcome_add(struct outcomes *all, const struct outcome *one)
{
    char *id = aisp_format("%s/%s", one->kind, one->name);
    const double seconds = 1e-9 * (double)(aisp_now_ns() - one->begin_ns);

    if (!all->fixtures)
        all->fixtures = json_object();
    json_object_set_new(all->fixtures, id,
                        json_pack("{s:s, s:b, s:s%, s:I, s:f, s:s*}", "check", one->check, "good",
                                  one->good, "says", one->says, strlen(one->says), "at",
                                  (json_int_t)time(NULL), "seconds", seconds, "on",
                                  strstr(one->kind, "_cuda") ? all->card : NULL));
    free(id);
}

static bool is_scripted(const char *id)
{
    return !strncmp(id, "scripted/", 9);
}

static const char *check_of(const json_t *entry)
{
    return json_string_value(json_object_get(entry, "check"));
}

int outcomes_logic_only(const struct outcomes *all)
{
    json_t *rows = json_object(), *entry;
    const char *id;
    int n;

    json_object_foreach(all->fixtures, id, entry)
        if (is_scripted(id))
            json_object_set_new(rows, check_of(entry), json_true());
    json_object_foreach(all->fixtures, id, entry)
        if (!is_scripted(id))
            json_object_del(rows, check_of(entry));
    n = (int)json_object_size(rows);
    json_decref(rows);
    return n;
}

bool outcomes_are_good(const struct outcomes *all)
{
    return all->n_caught == all->n_cheats && all->n_passed == all->n_twins &&
           all->n_switched == all->n_switches && all->n_scripted_good == all->n_scripted;
}

static json_t *machine(void)
{
    struct aisp_environment env;
    char host[65];

    aisp_environment_probe(&env, "/");
    aisp_environment_fingerprint(&env, host);
    return json_pack("{s:s, s:s, s:s}", "host", host, "cpu", env.cpu_model, "kernel", env.kernel);
}

json_t *outcomes_json(const struct outcomes *all)
{
    return json_pack("{s:b, s:[i, i], s:[i, i], s:[i, i], s:[i, i], s:i, s:o, s:O?}", "good",
                     outcomes_are_good(all), "caught", all->n_caught, all->n_cheats, "twins",
                     all->n_passed, all->n_twins, "switches", all->n_switched, all->n_switches,
                     "scripted", all->n_scripted_good, all->n_scripted, "logic_only",
                     outcomes_logic_only(all), "machine", machine(), "fixtures", all->fixtures);
}

bool outcomes_keep(const struct outcomes *all, const char *artifacts_dir)
{
    struct aisp_err err = { 0 };
    json_t *where = machine();
    const enum aisp_status st =
        all->fixtures ? aisp_proofs_add(artifacts_dir, where, all->fixtures, &err) : AISP_OK;

    json_decref(where);
    if (st)
        printf("not kept: %s\n", err.text);
    return st == AISP_OK;
}
