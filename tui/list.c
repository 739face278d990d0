/* list.c - scrolling and searching. */
#include "tui/list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "tui/view.h"

void aisp_list_show(struct aisp_list *list, size_t n, aisp_list_match *match, const void *context)
{
    const size_t picked = aisp_list_picked(list, n);

    list->n_shown = 0;
    for (size_t i = 0; i < n; i++)
        if (match(context, i, list->query))
            *(size_t *)aisp_grow(&list->shown, &list->n_shown, &list->cap, sizeof *list->shown) = i;
    list->at = 0;
    aisp_list_pick(list, picked);
}

void aisp_list_release(struct aisp_list *list)
{
    free(list->shown);
    *list = (struct aisp_list){ 0 };
}

size_t aisp_list_picked(const struct aisp_list *list, size_t none)
{
    return list->at < list->n_shown ? list->shown[list->at] : none;
}

void aisp_list_pick(struct aisp_list *list, size_t item)
{
    for (size_t i = 0; i < list->n_shown; i++)
        if (list->shown[i] == item)
            list->at = i;
}

bool aisp_line_key(char *line, size_t size, int key)
{
    struct aisp_buf character = AISP_BUF_INIT;
    size_t n = strlen(line);

    if (key == AISP_KEY_BACKSPACE || key == AISP_KEY_DELETE || key == 8) {
        while (n && (line[n - 1] & 0xc0) == 0x80)
            n--;
        if (n)
            line[n - 1] = '\0';
        return true;
    }
    if (key == 'U' - '@') {                  /* as a shell has it */
        *line = '\0';
        return true;
    }
    if (key < ' ' || key >= AISP_KEY_UP || key == AISP_KEY_BACKSPACE)
        return false;
    aisp_utf8_add(&character, (uint32_t)key);
    if (n + character.len < size)
        strcat(line, character.s);
    aisp_buf_release(&character);
    return true;
}

static enum aisp_list_change type(struct aisp_list *list, int key)
{
    if (key == AISP_KEY_ENTER) {
        list->is_typing = false;
        return AISP_LIST_MOVED;
    }
    if (key == AISP_KEY_ESCAPE) {
        list->is_typing = false;
        *list->query = '\0';
        return AISP_LIST_QUERY;
    }
    return aisp_line_key(list->query, sizeof list->query, key) ? AISP_LIST_QUERY : AISP_LIST_UNUSED;
}

static enum aisp_list_change move(struct aisp_list *list, long by)
{
    const long last = (long)list->n_shown - 1, to = (long)list->at + by;

    list->at = (size_t)(to > last ? (last > 0 ? last : 0) : to < 0 ? 0 : to);
    return AISP_LIST_MOVED;
}

enum aisp_list_change aisp_list_key(struct aisp_list *list, int key)
{
    const long page = list->page > 1 ? list->page - 1 : 1, all = (long)list->n_shown;

    if (key == AISP_KEY_UP || (key == 'k' && !list->is_typing))
        return move(list, -1);
    if (key == AISP_KEY_DOWN || (key == 'j' && !list->is_typing))
        return move(list, 1);
    if (key == AISP_KEY_PAGE_UP)
        return move(list, -page);
    if (key == AISP_KEY_PAGE_DOWN || (key == ' ' && !list->is_typing))
        return move(list, page);
    if (list->is_typing)
        return type(list, key);
    if (key == AISP_KEY_HOME || key == 'g')
        return move(list, -all);
    if (key == AISP_KEY_END || key == 'G')
        return move(list, all);
    if (key == '/') {
        list->is_typing = true;
        *list->query = '\0';
        return AISP_LIST_QUERY;
    }
    if (key == AISP_KEY_ESCAPE && *list->query)
        return type(list, key);
    return AISP_LIST_UNUSED;
}

void aisp_list_fit(struct aisp_list *list, int rows)
{
    const size_t window = rows > 0 ? (size_t)rows : 1;

    list->page = rows;
    if (list->top > list->at)
        list->top = list->at;
    if (list->at >= list->top + window)
        list->top = list->at - window + 1;
    if (list->n_shown < window)
        list->top = 0;
    else if (list->top + window > list->n_shown)
        list->top = list->n_shown - window;
}

bool aisp_text_has(const char *text, const char *query)
{
    const size_t n = strlen(query);

    for (; ; text++) {
        size_t i = 0;

        while (i < n && text[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)query[i]))
            i++;
        if (i == n)
            return true;
        if (!*text)
            return false;
    }
}
