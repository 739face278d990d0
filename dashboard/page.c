/* page.c - the one page of the user interface, which is part of the program (dashboard/ui/), and what it may load: the scripts
 * and styles that stand in it, by their hashes, and answers of this server. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "dashboard/dashboard.h"

__asm__(".section .rodata\n"
        "aisp_page_begin:\n"
        ".incbin \"" AISP_SOURCE_DIR "/dashboard/ui/dist/index.html\"\n"
        "aisp_page_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char aisp_page_begin[] __attribute__((visibility("hidden"))), aisp_page_end[] __attribute__((visibility("hidden")));

/* The hash of one inline element's text, as a source of a policy. */
static void add_hash(struct aisp_buf *out, const char *text, size_t n)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    char base64[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];

    crypto_hash_sha256(hash, (const unsigned char *)text, n);
    sodium_bin2base64(base64, sizeof base64, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    aisp_buf_printf(out, " 'sha256-%s'", base64);
}

/* Hashes of all elements of that name; 'none' if there are none. */
static void add_elements(struct aisp_buf *out, const char *page, size_t n, const char *name)
{
    char *open = aisp_format("<%s", name), *close = aisp_format("</%s>", name);
    const char *at = page, *const end = page + n;
    int n_found = 0;

    while ((at = memmem(at, (size_t)(end - at), open, strlen(open)))) {
        const char *from = memchr(at, '>', (size_t)(end - at)), *to;

        if (!from || !(to = memmem(from, (size_t)(end - from), close, strlen(close))))
            break;
        add_hash(out, from + 1, (size_t)(to - from - 1));
        n_found++;
        at = to;
    }
    if (!n_found)
        aisp_buf_puts(out, " 'none'");
    free(open);
    free(close);
}

static void add_policy(struct aisp_http_answer *answer, const char *policy)
{
    aisp_http_answer_header(answer, "Content-Security-Policy", policy);
    aisp_http_answer_header(answer, "Cross-Origin-Opener-Policy", "same-origin");
    aisp_http_answer_header(answer, "Permissions-Policy", "camera=(), geolocation=(), microphone=()");
}

void aisp_dashboard_make_page(struct aisp_made *page)
{
    const size_t n = (size_t)(aisp_page_end - aisp_page_begin);
    struct aisp_buf policy = AISP_BUF_INIT;
    char *copy = aisp_xmalloc(n + 1);

    memcpy(copy, aisp_page_begin, n);
    aisp_buf_puts(&policy, "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
                           "frame-ancestors 'none'; script-src");
    add_elements(&policy, aisp_page_begin, n, "script");
    aisp_buf_puts(&policy, "; style-src");
    add_elements(&policy, aisp_page_begin, n, "style");
    aisp_made_body(page, "text/html; charset=utf-8", copy, n);
    aisp_made_compress(page);
    add_policy(page->plain, policy.s);
    if (page->gzip)
        add_policy(page->gzip, policy.s);
    aisp_buf_release(&policy);
}
