/* buf.c - growable text and growable arrays; both double, so adding is cheap on average.
 * Not here: the buffers that a benchmark measures (backends/). */
#include "core/base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"

static void *resize(void *old, size_t n, size_t size)
{
    size_t bytes;
    void *block;

    if (__builtin_mul_overflow(n, size, &bytes))
        AISP_BUG("%zu elements of %zu bytes", n, size);
    block = realloc(old, bytes ? bytes : 1);
    if (!block)
        AISP_BUG("out of memory: %zu bytes", bytes);
    return block;
}

/* Room for n more bytes and the terminator. */
static void reserve(struct aisp_buf *buf, size_t n)
{
    size_t need, cap = buf->cap ? buf->cap : 64;

    if (__builtin_add_overflow(buf->len, n, &need) || need >= SIZE_MAX / 2)
        AISP_BUG("text of %zu and %zu bytes", buf->len, n);
    need++;
    if (buf->s && need <= buf->cap)
        return;
    while (cap < need)
        cap *= 2;
    buf->s = resize(buf->s, cap, 1);
    buf->cap = cap;
}

void aisp_buf_add(struct aisp_buf *buf, const void *bytes, size_t n)
{
    reserve(buf, n);
    if (n)
        memcpy(buf->s + buf->len, bytes, n);
    buf->len += n;
    buf->s[buf->len] = '\0';
}

void aisp_buf_puts(struct aisp_buf *buf, const char *text)
{
    aisp_buf_add(buf, text, strlen(text));
}

void aisp_buf_vprintf(struct aisp_buf *buf, const char *format, va_list args)
{
    va_list again;
    size_t room;
    int n;

    reserve(buf, 0);
    room = buf->cap - buf->len;
    va_copy(again, args);
    n = vsnprintf(buf->s + buf->len, room, format, again);
    va_end(again);
    if (n < 0)
        AISP_BUG("format \"%s\"", format);
    if ((size_t)n >= room) {
        reserve(buf, (size_t)n);
        vsnprintf(buf->s + buf->len, (size_t)n + 1, format, args);
    }
    buf->len += (size_t)n;
}

void aisp_buf_printf(struct aisp_buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    aisp_buf_vprintf(buf, format, args);
    va_end(args);
}

char *aisp_buf_detach(struct aisp_buf *buf)
{
    char *s;

    aisp_buf_add(buf, "", 0);
    s = buf->s;
    *buf = (struct aisp_buf)AISP_BUF_INIT;
    return s;
}

void aisp_buf_release(struct aisp_buf *buf)
{
    if (!buf)
        return;
    free(buf->s);
    *buf = (struct aisp_buf)AISP_BUF_INIT;
}

void *aisp_grow(void *array_pointer, size_t *n, size_t *cap, size_t size)
{
    char *array, *element;

    /* By memcpy: the caller's pointer has a type of its own. */
    memcpy(&array, array_pointer, sizeof array);
    if (*n == *cap) {
        size_t more = *cap ? *cap * 2 : 8;

        array = resize(array, more, size);
        memcpy(array_pointer, &array, sizeof array);
        *cap = more;
    }
    element = array + *n * size;
    memset(element, 0, size);
    ++*n;
    return element;
}

void aisp_fit(void *array_pointer, size_t n, size_t *cap, size_t size)
{
    char *array;

    if (n == 0 || n == *cap)
        return;
    memcpy(&array, array_pointer, sizeof array);
    array = resize(array, n, size);
    memcpy(array_pointer, &array, sizeof array);
    *cap = n;
}

void *aisp_xmalloc(size_t size)
{
    return resize(NULL, size, 1);
}

void *aisp_xcalloc(size_t n, size_t size)
{
    void *block = calloc(n ? n : 1, size ? size : 1);

    if (!block)
        AISP_BUG("out of memory: %zu elements of %zu bytes", n, size);
    return block;
}

char *aisp_xstrdup(const char *text)
{
    size_t n = strlen(text) + 1;

    return memcpy(aisp_xmalloc(n), text, n);
}

char *aisp_format(const char *format, ...)
{
    struct aisp_buf buf = AISP_BUF_INIT;
    va_list args;

    va_start(args, format);
    aisp_buf_vprintf(&buf, format, args);
    va_end(args);
    return aisp_buf_detach(&buf);
}
