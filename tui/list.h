/* list.h - a list that scrolls and can be searched: which of n items are shown, which is picked, from which the screen begins.
 * Not here: what an item is, how it looks (table.h). */
#ifndef AISP_TUI_LIST_H
#define AISP_TUI_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct aisp_list {
    size_t *shown, n_shown, cap;             /* indices of items */
    size_t at, top;                          /* in shown */
    int page;                                /* rows that were last drawn */
    char query[80];                          /* UTF-8 */
    bool is_typing;
};

/* Does item i match what is searched? */
typedef bool aisp_list_match(const void *context, size_t i, const char *query);

/* Show again those of n items that match; the picked one stays picked if it is among them. */
void aisp_list_show(struct aisp_list *list, size_t n, aisp_list_match *match, const void *context);
void aisp_list_release(struct aisp_list *list);
/* The picked item's index, n if there is none. */
size_t aisp_list_picked(const struct aisp_list *list, size_t none);
/* Pick an item if it is shown. */
void aisp_list_pick(struct aisp_list *list, size_t item);

/* Movement and "/" search. What changed: nothing that it knows, the place, or the query (then show again). */
enum aisp_list_change { AISP_LIST_UNUSED, AISP_LIST_MOVED, AISP_LIST_QUERY };
enum aisp_list_change aisp_list_key(struct aisp_list *list, int key);
/* Bring the picked one into a window of so many rows. */
void aisp_list_fit(struct aisp_list *list, int rows);

/* Typing into a line: true if the key was one for it. Also for other prompts. */
bool aisp_line_key(char *line, size_t size, int key);
/* Without regard to case; an empty query is in everything. */
bool aisp_text_has(const char *text, const char *query);

#endif
