/* made.h - what a child said, as an answer that can be sent: status, entity tag, plain and compressed. */
#ifndef AISP_DASHBOARD_MADE_H
#define AISP_DASHBOARD_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doors/http.h"
#include "doors/job.h"

/* An answer: JSON as `aisp COMMAND --json` prints it, or why there is none. */
struct aisp_made {
    int status;                              /* 200, or a problem's */
    char *text;                              /* the body; of a problem its detail */
    size_t n, gzip_n;
    struct aisp_http_answer *plain, *gzip, *plain_same, *gzip_same;   /* gzip may be NULL; _same: 304 */
    const char *type;
    char etag[48], gzip_etag[48], exit_code[8], fresh_at[40];    /* fresh_at: "" of what is no command's */
    bool is_filled, is_tried;                /* is_tried: compression */
};

/* Takes the answer's text and its compressed form. The status follows from the exit code: the exit codes of
 * commands/command.h, said in HTTP's. */
void aisp_made_fill(struct aisp_made *made, struct aisp_answer *answer);
/* A body that is no command's. */
void aisp_made_body(struct aisp_made *made, const char *type, char *text_take, size_t n);
void aisp_made_problem(struct aisp_made *made, int status, const char *detail);
/* The compressed form, made when it is first asked for. */
void aisp_made_compress(struct aisp_made *made);
/* Whole, compressed, or that the client has it already. */
void aisp_made_send(struct aisp_made *made, struct aisp_http_request *request);
/* Of a part of an answer, which is never an older one. */
void aisp_made_say_now(struct aisp_http_answer *answer);
/* From now on it says, in Aisp-Fresh-At, that it was last up to date so long ago. */
void aisp_made_outdate(struct aisp_made *made, int64_t ago_ms);
void aisp_made_release(struct aisp_made *made);
/* The status that an answer without a value has. */
int aisp_made_status(const struct aisp_answer *answer);
/* Entity tag, validation, and what else every answer to a read says. */
void aisp_made_headers(struct aisp_http_answer *answer, const char *etag);
/* "0123...": 32 digits of a body's hash. */
void aisp_made_digest(const void *body, size_t n, char digest[33]);

/* Of a clock that does not jump. */
int64_t aisp_dashboard_now_ms(void);

#endif
