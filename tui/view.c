/* view.c - what all views share. */
#include "tui/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

void *aisp_view_new(const struct aisp_view_class *class, size_t size)
{
    struct aisp_tui_view *view = aisp_xcalloc(1, size);

    view->class = class;
    view->job = (struct aisp_job)AISP_JOB_INIT;
    strncat(view->title, class->name, sizeof view->title - 1);
    return view;
}

void aisp_view_free(struct aisp_tui_view *view)
{
    if (!view)
        return;
    if (view->is_patient)
        aisp_job_release(&view->job);
    else
        aisp_job_drop(&view->job);
    aisp_words_release(&view->ask);
    if (view->class->free)
        view->class->free(view);
    free(view);
}

bool aisp_view_is_busy(const struct aisp_tui_view *view)
{
    return view->job.pid || view->ask.n;
}

void aisp_view_ask(struct aisp_tui_view *view, int wants, const char *const *words)
{
    aisp_words_release(&view->ask);
    view->wants = wants;
    aisp_words_add_all(&view->ask, words);
}

const struct aisp_command *aisp_tui_command(const char *path)
{
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (!strcmp(c->path, path))
        return c;
    return NULL;
}

unsigned aisp_tui_flags(const struct aisp_words *words)
{
    struct aisp_args args;
    const char *topic;
    unsigned flags = 0;

    aisp_args_parse(&args, (int)words->n, (const char *const *)words->word, &topic, NULL);
    if (args.command && !aisp_args_flag(&args, "help"))
        flags = args.command->flags;
    aisp_args_release(&args);
    return flags;
}

bool aisp_view_holds(struct aisp_tui_view *view, int key)
{
    if (!view->is_patient || !aisp_view_is_busy(view) || (key != AISP_KEY_ESCAPE && key != AISP_KEY_LEFT && key != 'q'))
        return false;
    snprintf(view->said, sizeof view->said, "it is still running: s stops it");
    return true;
}
