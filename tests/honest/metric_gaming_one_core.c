/* metric_gaming_one_core - an honest server that shares its only core with the supervisor: requests come late and stamps are far
 * apart, which evidence says and which accuses nobody. It sleeps until a request is there.
 *
 * @check metric-gaming
 * @problem serve_tiny
 * @cpus 1
 * @pairs 1 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/problems/serve_tiny/tiny.h"

static void sleep_until(const struct aisp_call *c, int32_t request)
{
    const int32_t *head = c->tensor[ARRIVALS];
    int32_t n;

    while ((n = aisp_ring_count(head)) <= request)
        syscall(SYS_futex, head, FUTEX_WAIT, n, NULL, NULL, 0);
}

static enum aisp_status run(const struct aisp_call *c)
{
    struct stream s;

    for (int32_t r = 0; r < c->param[REQUESTS]; r++) {
        sleep_until(c, r);
        begin(c, &s, r);
        while (advance(c, &s))
            ;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: sleep between requests");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
