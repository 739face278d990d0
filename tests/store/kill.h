/* kill.h - the study of killed writers in three parts: what is written (kill_write.c), what must be there afterwards
 * (kill_check.c), and the kills (kill.c, which says what it is about). */
#ifndef AISP_TESTS_STORE_KILL_H
#define AISP_TESTS_STORE_KILL_H

#include <stdint.h>

#include "core/base/buf.h"
#include "store/db.h"

enum { RESULTS = 6, EXPORT_RUNS = 12, OLD_RUNS = 400, EVIDENCE_NUMBERS = 1500 };
enum kind { RUN, UPDATE, IMPORT, MIGRATE, N_KINDS };

/* What a writer said before it was killed: 'b'egun, 'r'esult, 's'ealed, 'q'uarantine, 'a'ttempt, 'c'alibration, 'd'one. */
struct ack { char what, run[AISP_RUN_ID_MAX], key[32]; };
struct acks { struct ack *ack; size_t n, cap; };

struct study {
    char *folder, *export_path, *exported;
    enum kind kind;
    char open_run[AISP_RUN_ID_MAX];       /* update: the run that grows */
    struct acks acks;                     /* of this kind, over all kills */
    int64_t n_keys, n_kills, n_finished;  /* n_finished: writers that were done before the kill */
    double longest_us;                    /* kills come within */
};

/* Say it and end with 1. */
__attribute__((format(printf, 2, 3), noreturn)) void fault(const struct study *s, const char *format, ...);

/* ---- kill_write.c ---- */

json_t *result_of(const char *key);
enum aisp_status begin_run(struct aisp_store *store, char run[AISP_RUN_ID_MAX], struct aisp_err *err);
/* In the child: until it is killed, or done. */
void write_until_killed(const struct study *s, int fd);
/* What is imported: s->export_path, s->exported. */
void make_export(struct study *s);
/* A store as an aisp of schema 3 left it. */
void make_old(const struct study *s);
/* AISP_STORE names a server. */
bool is_shared(void);

/* ---- kill_check.c ---- */

/* After a kill; acknowledgements from `from` are the last writer's. */
void check(struct study *s, size_t from);
/* All of it once more, from the beginning. */
void check_all(const struct study *s);
char *export_of(const struct study *s, struct aisp_store *store);

#endif
