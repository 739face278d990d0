/* http_token.c - make, read and compare the token. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doors/http.h"

enum { RANDOM_BYTES = 32, LEAST = 32 };

void aisp_http_token_make(char token[AISP_HTTP_TOKEN_SIZE])
{
    unsigned char bytes[RANDOM_BYTES];

    if (sodium_init() < 0)
        AISP_BUG("no source of random bytes");
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(token, AISP_HTTP_TOKEN_SIZE, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
}

/* A symbolic link is followed: what counts is who can read what it leads to. */
static enum aisp_status read_private(const char *path, char *text, size_t size, struct aisp_err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    enum aisp_status st = AISP_OK;
    struct stat info;
    ssize_t n = 0;

    if (fd < 0 || fstat(fd, &info))
        st = aisp_fail(err, AISP_E_IO, "--token-file %s: %s; (umask 077; openssl rand -hex 32 > %s) makes one", path,
                       strerror(errno), path);
    else if (!S_ISREG(info.st_mode))
        st = aisp_fail(err, AISP_E_REFUSED, "--token-file %s: it is no file", path);
    else if (info.st_mode & 077)
        st = aisp_fail(err, AISP_E_REFUSED, "--token-file %s: others than its owner can read it: chmod 600 %s", path, path);
    else if (info.st_uid != geteuid() && info.st_uid != 0)
        st = aisp_fail(err, AISP_E_REFUSED, "--token-file %s: it belongs to another user", path);
    else if ((n = read(fd, text, size - 1)) < 0)
        st = aisp_fail_errno(err, AISP_E_IO, "--token-file %s", path);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return st;
}

static enum aisp_status read_token(const char *path, char token[AISP_HTTP_TOKEN_SIZE], struct aisp_err *err)
{
    static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~+/=";
    char text[AISP_HTTP_TOKEN_SIZE + 2];
    enum aisp_status st = read_private(path, text, sizeof text, err);
    const size_t n = strcspn(text, "\r\n");

    text[n] = '\0';
    if (!st && (n < LEAST || n >= AISP_HTTP_TOKEN_SIZE || strspn(text, allowed) != n))
        st = aisp_fail(err, AISP_E_USAGE,
                       "--token-file %s: a token is %d to %d letters, digits or -._~+/=, as from `openssl rand -hex 32`", path,
                       LEAST, AISP_HTTP_TOKEN_SIZE - 1);
    if (!st)
        memcpy(token, text, n + 1);
    sodium_memzero(text, sizeof text);
    return st;
}

enum aisp_status aisp_http_token(const char *file, char token[AISP_HTTP_TOKEN_SIZE], struct aisp_err *err)
{
    if (file)
        return read_token(file, token, err);
    aisp_http_token_make(token);
    return AISP_OK;
}

/* Hashes are compared, which have one length, and whose common beginnings say nothing of the token's. */
bool aisp_http_token_is(const char *token, const char *given)
{
    unsigned char a[crypto_generichash_BYTES], b[crypto_generichash_BYTES];

    crypto_generichash(a, sizeof a, (const unsigned char *)token, strlen(token), NULL, 0);
    crypto_generichash(b, sizeof b, (const unsigned char *)given, strlen(given), NULL, 0);
    return sodium_memcmp(a, b, sizeof a) == 0;
}
