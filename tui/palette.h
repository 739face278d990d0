/* palette.h - the prompt for any command line, with its candidates above it.
 * Not here: which candidates (complete.h), what is done with the line (app.c). */
#ifndef AISP_TUI_PALETTE_H
#define AISP_TUI_PALETTE_H

#include "tui/canvas.h"
#include "tui/complete.h"

struct aisp_palette {
    bool is_open;
    char line[400];
    struct aisp_completion completion;
    size_t at;                               /* candidate */
    struct aisp_words history;               /* older lines; the newest last */
    size_t back;                             /* how far back in it: 0 is the line that is typed */
};

void aisp_palette_open(struct aisp_palette *palette, const struct aisp_words *targets);
void aisp_palette_release(struct aisp_palette *palette);
/* True: Enter was pressed on a line with words; it is closed then. */
bool aisp_palette_key(struct aisp_palette *palette, int key, const struct aisp_words *targets);
/* The prompt on the last row of `in`, the candidates above it. */
void aisp_palette_draw(const struct aisp_palette *palette, struct aisp_canvas *canvas, struct aisp_rect in);

#endif
