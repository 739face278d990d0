/* turn.c - hold a name in the kernel, or wait until it is free. */
#include "core/base/turn.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"

/* Short beside a comparison, long beside a look. */
static const struct timespec BETWEEN_LOOKS = { 0, 10000000 };

int aisp_turn_take(const char *name, int64_t patience_ns, const volatile int *stop)
{
    const int64_t until_ns = aisp_now_ns() + patience_ns;
    const int turn = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    const int n = snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "aisp-%s", name);
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);

    if (turn < 0)
        return -1;
    while (bind(turn, (const struct sockaddr *)&at, size)) {
        if (errno != EADDRINUSE || aisp_now_ns() >= until_ns || (stop && *stop)) {
            close(turn);
            return -1;
        }
        nanosleep(&BETWEEN_LOOKS, NULL);
    }
    return turn;
}

void aisp_turn_give(int turn)
{
    if (turn >= 0)
        close(turn);
}
