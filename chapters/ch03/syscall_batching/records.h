/* records.h - sizes and places of the parts of a record, for all variants. */
#ifndef SYSCALL_BATCHING_RECORDS_H
#define SYSCALL_BATCHING_RECORDS_H

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <aisp/variant.h>

#include "problem.h"

struct records {
    int64_t n;
    size_t head, body, both; /* bytes */
    char *heads, *bodies;
    int fd;
};

static inline struct records records_of(const struct aisp_call *call)
{
    const size_t head = (size_t)call->param[HEAD_WORDS] * 4, body = (size_t)call->param[BODY_WORDS] * 4;

    return (struct records){ call->param[RECORDS],   head,
                             body,                   head + body,
                             call->tensor[HEAD],     call->tensor[BODY],
                             ((const struct aisp_file *)call->tensor[LOG])->fd };
}

/* Where records `first` and following begin in the file. */
static inline off_t record_at(const struct records *r, int64_t first)
{
    return (off_t)first * (off_t)r->both;
}

#endif
