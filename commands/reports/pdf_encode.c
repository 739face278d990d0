/* pdf_encode.c - UTF-8 into the one byte a letter of the standard fonts. */
#include <stdlib.h>
#include <string.h>

#include "commands/reports/pdf_sheet.h"

/* 0x80 to 0x9f of WinAnsiEncoding (ISO 32000-1, annex D.2); 0: none. */
static const unsigned short upper[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0,
    0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
};

/* The next character, and where the one behind it begins. A byte that begins none stands for itself. */
static unsigned next(const char **at)
{
    const unsigned char *u = (const unsigned char *)*at;
    const int more = u[0] >= 0xf0 && u[0] < 0xf8 ? 3 : u[0] >= 0xe0 ? 2 : u[0] >= 0xc0 ? 1 : 0;
    unsigned c = more == 3 ? u[0] & 7u : more == 2 ? u[0] & 15u : more == 1 ? u[0] & 31u : u[0];

    for (int i = 1; i <= more; i++) {
        if ((u[i] & 0xc0) != 0x80) { /* also at the end of the text */
            *at += 1;
            return u[0];
        }
        c = c << 6 | (u[i] & 63u);
    }
    *at += 1 + more;
    return c;
}

static int byte_of(unsigned c)
{
    if ((c >= 0x20 && c < 0x7f) || (c > 0xa0 && c <= 0xff && c != 0xad))
        return (int)c;
    if (c == 0xa0)
        return ' ';
    for (int i = 0; i < 32; i++)
        if (upper[i] && upper[i] == c)
            return 0x80 + i;
    return -1;
}

char *aisp_pdf_encode(const char *text)
{
    struct aisp_buf out = AISP_BUF_INIT;

    while (*text) {
        const unsigned c = next(&text);
        const int byte = byte_of(c);
        const char as_char = (char)byte;

        if (byte < 0)
            aisp_buf_printf(&out, "[U+%04X]", c);
        else
            aisp_buf_add(&out, &as_char, 1);
    }
    return aisp_buf_detach(&out);
}
