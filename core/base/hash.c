/* hash.c - SHA-256 by libsodium, of memory and of files read in pieces. */
#include "core/base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <sodium.h>

void aisp_hash_bytes(const void *bytes, size_t n, char hex[65])
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(digest, n ? bytes : (const void *)"", n);
    sodium_bin2hex(hex, 65, digest, sizeof digest);
}

enum aisp_status aisp_hash_file(const char *path, char hex[65], struct aisp_err *err)
{
    unsigned char digest[crypto_hash_sha256_BYTES], piece[32768];
    crypto_hash_sha256_state state;
    enum aisp_status st = AISP_OK;
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return aisp_fail_errno(err, errno == ENOENT ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", path);
    crypto_hash_sha256_init(&state);
    for (;;) {
        n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        crypto_hash_sha256_update(&state, piece, (unsigned long long)n);
    }
    if (n < 0) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s", path);
        goto out;
    }
    crypto_hash_sha256_final(&state, digest);
    sodium_bin2hex(hex, 65, digest, sizeof digest);
out:
    close(fd);
    return st;
}
