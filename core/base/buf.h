/* buf.h - a growable string and a growable array. Running out of memory aborts: nothing sensible is left to do with it here;
 * the memory that a benchmark asks for is checked before, by the backend. */
#ifndef AISP_CORE_BUF_H
#define AISP_CORE_BUF_H

#include <stdarg.h>
#include <stddef.h>

/* Always terminated once something was added; `s` is NULL while empty and never touched. */
struct aisp_buf {
    char *s;
    size_t len, cap;
};
#define AISP_BUF_INIT { 0 }

void aisp_buf_add(struct aisp_buf *buf, const void *bytes, size_t n);
void aisp_buf_puts(struct aisp_buf *buf, const char *text);
void aisp_buf_printf(struct aisp_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void aisp_buf_vprintf(struct aisp_buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
char *aisp_buf_detach(struct aisp_buf *buf);   /* caller frees; never NULL */
void aisp_buf_release(struct aisp_buf *buf);

/* Make room for one more element of an array that starts as NULL, 0, 0; returns the zeroed new element.
 *   struct row *r = aisp_grow(&t->row, &t->n, &t->cap, sizeof *t->row); */
void *aisp_grow(void *array_pointer, size_t *n, size_t *cap, size_t size);
/* Give back the room for elements that will not come. */
void aisp_fit(void *array_pointer, size_t n, size_t *cap, size_t size);

void *aisp_xmalloc(size_t size);               /* aborts instead of NULL */
void *aisp_xcalloc(size_t n, size_t size);
char *aisp_xstrdup(const char *text);
char *aisp_format(const char *format, ...) __attribute__((format(printf, 1, 2)));   /* caller frees */

#endif
