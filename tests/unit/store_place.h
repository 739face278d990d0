/* store_place.h - where a test's store lies: in its folder; or, where AISP_TEST_POSTGRESQL names a server, in a database for
 * each folder there. So every test of the store runs on both engines (tests/store/postgresql.sh starts the server). */
#ifndef AISP_TESTS_STORE_PLACE_H
#define AISP_TESTS_STORE_PLACE_H

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "store/db.h"

static inline const char *store_server(void) { return getenv("AISP_TEST_POSTGRESQL"); }

/* Before a store in `folder` is opened, each time. */
static inline void store_place(const char *folder)
{
    char *name = aisp_xstrdup(folder), *url;
    struct aisp_store *store = NULL;
    struct aisp_err err;

    unsetenv("AISP_STORE");
    for (char *at = name; *at; at++)
        *at = isalnum((unsigned char)*at) ? (char)tolower((unsigned char)*at) : '_';
    if (store_server()) {
        url = aisp_format("%s/postgres", store_server());
        setenv("AISP_STORE", url, 1);
        free(url);
        url = aisp_format("CREATE DATABASE %s STRATEGY wal_log", name);
        if (aisp_store_open(&store, "/tmp", true, &err) ||
            (aisp_db_exec(store, url, &err) && !strstr(err.text, "already exists")))
            fail_msg("%s", err.text);
        aisp_store_close(store);
        free(url);
        url = aisp_format("%s/%s", store_server(), name);
        setenv("AISP_STORE", url, 1);
        free(url);
    }
    free(name);
}

#endif
