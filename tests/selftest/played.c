/* played.c - try scripted fixtures and say what came of it. */
#include "tests/selftest/played.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "tests/selftest/scripted.h"

static bool complain(const struct scripted *s, const char *kind, const char *flaw)
{
    if (flaw)
        printf("    FAILED scripted/%s, %s: %s\n", s->name, kind, flaw);
    return !flaw;
}

static void prove(const struct scripted *cheat, struct outcomes *score)
{
    const struct scripted *twin = scripted_twin(cheat->name);
    const int64_t begin_ns = aisp_now_ns();
    char text[320], accused[320];
    bool good = complain(cheat, "cheat", scripted_try_cheat(cheat, text));

    if (!twin)
        good = complain(cheat, "twin", "there is none");
    else
        good &= complain(cheat, "twin", scripted_try_twin(twin, accused));
    score->n_scripted++;
    score->n_scripted_good += good;
    outcome_add(score,
                &(struct outcome){ "scripted", cheat->name, cheat->check, text, good, begin_ns });
    printf("%-8s %-34s %s; logic only, it lacks %s\n         %s\n", good ? "played" : "MISSED",
           cheat->name, cheat->check, cheat->lacks ? cheat->lacks : "a CUDA device with CUPTI",
           text);
    fflush(stdout);
}

bool played_prove(const char *name, struct outcomes *score)
{
    bool found = false;

    AISP_FOR_EACH(scripted_cheats, struct scripted, s)
    {
        if (name && strcmp(name, s->name))
            continue;
        found = true;
        prove(s, score);
    }
    return found;
}

void played_list(void)
{
    AISP_FOR_EACH(scripted_cheats, struct scripted, s)
    printf("scripted/%s\n", s->name);
}
