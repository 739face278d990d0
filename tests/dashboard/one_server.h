/* one_server.h - the server that all tests of a file ask, from before the first until after the last. Include it after cmocka.h. */
#ifndef TESTS_DASHBOARD_ONE_SERVER_H
#define TESTS_DASHBOARD_ONE_SERVER_H

#include "tests/dashboard/client.h"

static struct server server;

static int start(void **state)
{
    (void)state;
    server_start(&server, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    return server_stop(&server);
}

#endif
