/* text.c - which bytes are characters. */
#include "core/base/text.h"

#include <string.h>

size_t aisp_character_bytes(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text, c = s[0];
    size_t bytes = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;

    if (c < 0x20 || c == 0x7f || (c >= 0x80 && c < 0xc2) || c > 0xf4 || bytes > n)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, values above U+10FFFF, and the control characters U+0080 to U+009F. */
    if ((c == 0xe0 && s[1] < 0xa0) || (c == 0xed && s[1] >= 0xa0) || (c == 0xf0 && s[1] < 0x90) ||
        (c == 0xf4 && s[1] >= 0x90) || (c == 0xc2 && s[1] < 0xa0))
        return 0;
    return bytes;
}

void aisp_text_clean(char *text)
{
    for (size_t n = strlen(text), bytes; n > 0; text += bytes, n -= bytes) {
        bytes = aisp_character_bytes(text, n);
        if (bytes)
            continue;
        *text = '?';
        bytes = 1;
    }
}
