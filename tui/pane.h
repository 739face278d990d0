/* pane.h - text to scroll through and to search, wrapped at the width, with the colours that commands paint it in.
 * Not here: whose text it is. */
#ifndef AISP_TUI_PANE_H
#define AISP_TUI_PANE_H

#include "tui/canvas.h"

struct aisp_pane {
    char *text;                              /* UTF-8; of escapes only SGR is known, others are dropped */
    int top, n_rows, page;                   /* rows after wrapping, as last drawn */
    char query[80];
    bool is_typing;
    size_t found;                            /* offset in the text where the query was found last */
    bool has_found, wants_show;              /* bring it into view when drawn next */
};

void aisp_pane_release(struct aisp_pane *pane);
void aisp_pane_set(struct aisp_pane *pane, const char *text);
/* True if the key was for the pane: movement, "/" and "n". */
bool aisp_pane_key(struct aisp_pane *pane, int key);
void aisp_pane_draw(struct aisp_pane *pane, struct aisp_canvas *canvas, struct aisp_rect in);

#endif
