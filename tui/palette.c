/* palette.c - typing a command. */
#include "tui/palette.h"

#include <stdio.h>
#include <string.h>

#include "tui/list.h"
#include "tui/view.h"

enum { MOST_SHOWN = 8, WORD = 22 };

static void refresh(struct aisp_palette *p, const struct aisp_words *targets)
{
    aisp_completion_release(&p->completion);
    aisp_complete(&p->completion, p->line, targets);
    p->at = 0;
}

void aisp_palette_open(struct aisp_palette *p, const struct aisp_words *targets)
{
    p->is_open = true;
    *p->line = '\0';
    p->back = 0;
    refresh(p, targets);
}

void aisp_palette_release(struct aisp_palette *p)
{
    aisp_completion_release(&p->completion);
    aisp_words_release(&p->history);
}

/* The picked candidate in place of the last word, and a blank behind it: the next one is asked for at once. */
static void take_candidate(struct aisp_palette *p)
{
    const size_t from = p->completion.from;

    if (p->at < p->completion.n)
        snprintf(p->line + from, sizeof p->line - from, "%s ", p->completion.item[p->at].word);
}

static void recall(struct aisp_palette *p, int by)
{
    const size_t n = p->history.n;

    if (by > 0 ? p->back == n : p->back == 0)
        return;
    p->back = by > 0 ? p->back + 1 : p->back - 1;
    snprintf(p->line, sizeof p->line, "%s", p->back ? p->history.word[n - p->back] : "");
}

static bool enter(struct aisp_palette *p)
{
    if (!p->line[strspn(p->line, " ")])
        return false;
    if (!p->history.n || strcmp(p->history.word[p->history.n - 1], p->line))
        aisp_words_add(&p->history, p->line);
    p->is_open = false;
    return true;
}

bool aisp_palette_key(struct aisp_palette *p, int key, const struct aisp_words *targets)
{
    switch (key) {
    case AISP_KEY_ENTER:
        return enter(p);
    case AISP_KEY_ESCAPE: case AISP_KEY_INTERRUPT:
        p->is_open = false;
        return false;
    case AISP_KEY_DOWN:
        p->at += p->at + 1 < p->completion.n;
        return false;
    case AISP_KEY_UP:
        p->at -= p->at > 0;
        return false;
    case AISP_KEY_TAB:
        take_candidate(p);
        break;
    case 'P' - '@':                          /* as a shell has them */
        recall(p, 1);
        break;
    case 'N' - '@':
        recall(p, -1);
        break;
    default:
        if (!aisp_line_key(p->line, sizeof p->line, key))
            return false;
    }
    refresh(p, targets);
    return false;
}

void aisp_palette_draw(const struct aisp_palette *p, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const int last = in.row + in.rows - 1, room = in.rows - 2 < MOST_SHOWN ? in.rows - 2 : MOST_SHOWN;
    const size_t n = p->completion.n, shown = (int)n < room ? n : (size_t)(room > 0 ? room : 0);
    const size_t top = p->at < shown ? 0 : p->at - shown + 1;

    for (size_t i = 0; i < shown; i++) {
        const struct aisp_candidate *c = &p->completion.item[top + i];
        const int row = last - (int)shown + (int)i;
        const int style = top + i == p->at ? AISP_MARK_REVERSE : AISP_TONE_PLAIN;

        aisp_canvas_fill(canvas, row, in.column, in.columns, style);
        aisp_canvas_printf(canvas, row, in.column + 1, in.columns - 2, style, "%-*s %s", WORD, c->word, c->help);
    }
    aisp_canvas_fill(canvas, last, in.column, in.columns, AISP_TONE_PLAIN);
    aisp_canvas_printf(canvas, last, in.column, in.columns, AISP_MARK_BOLD, ":%s_", p->line);
    if (n > shown)
        aisp_canvas_printf(canvas, last, in.column + in.columns - 12, 11, AISP_TONE_DIM, "%zu of %zu", p->at + 1, n);
}
