/* libpq.h - PostgreSQL's client library, loaded when a shared store is asked for and not before: with what it needs in turn it is
 * twenty libraries, and most runs of aisp would load them for nothing. Prototypes are those of libpq-fe.h; whoever includes this calls
 * the functions by their names. */
#ifndef AISP_STORE_LIBPQ_H
#define AISP_STORE_LIBPQ_H

#include <libpq-fe.h>

#include "core/base/err.h"

#define AISP_LIBPQ_FUNCTIONS(X)                                                                                 \
    X(PQcancel) X(PQclear) X(PQcmdStatus) X(PQconnectdbParams) X(PQconninfoFree) X(PQconninfoParse)             \
    X(PQerrorMessage) X(PQexec) X(PQfinish) X(PQfreeCancel) X(PQgetCancel) X(PQgetResult) X(PQgetisnull)        \
    X(PQgetlength) X(PQgetvalue) X(PQnfields) X(PQprepare) X(PQresultErrorField) X(PQresultStatus)              \
    X(PQsendQueryParams) X(PQsendQueryPrepared) X(PQsetNoticeReceiver) X(PQsetSingleRowMode) X(PQstatus)        \
    X(PQtransactionStatus)

#define AISP_LIBPQ_MEMBER(name) __typeof__(name) *name##_;
struct aisp_libpq { AISP_LIBPQ_FUNCTIONS(AISP_LIBPQ_MEMBER) };
extern struct aisp_libpq aisp_libpq;

/* Once for all threads. Errors: AISP_E_IO (it is not installed here, or lacks a function). */
enum aisp_status aisp_libpq_load(struct aisp_err *err);

#ifndef AISP_LIBPQ_PLAIN_NAMES
#define PQcancel (*aisp_libpq.PQcancel_)
#define PQclear (*aisp_libpq.PQclear_)
#define PQcmdStatus (*aisp_libpq.PQcmdStatus_)
#define PQconnectdbParams (*aisp_libpq.PQconnectdbParams_)
#define PQconninfoFree (*aisp_libpq.PQconninfoFree_)
#define PQconninfoParse (*aisp_libpq.PQconninfoParse_)
#define PQerrorMessage (*aisp_libpq.PQerrorMessage_)
#define PQexec (*aisp_libpq.PQexec_)
#define PQfinish (*aisp_libpq.PQfinish_)
#define PQfreeCancel (*aisp_libpq.PQfreeCancel_)
#define PQgetCancel (*aisp_libpq.PQgetCancel_)
#define PQgetResult (*aisp_libpq.PQgetResult_)
#define PQgetisnull (*aisp_libpq.PQgetisnull_)
#define PQgetlength (*aisp_libpq.PQgetlength_)
#define PQgetvalue (*aisp_libpq.PQgetvalue_)
#define PQnfields (*aisp_libpq.PQnfields_)
#define PQprepare (*aisp_libpq.PQprepare_)
#define PQresultErrorField (*aisp_libpq.PQresultErrorField_)
#define PQresultStatus (*aisp_libpq.PQresultStatus_)
#define PQsendQueryParams (*aisp_libpq.PQsendQueryParams_)
#define PQsendQueryPrepared (*aisp_libpq.PQsendQueryPrepared_)
#define PQsetNoticeReceiver (*aisp_libpq.PQsetNoticeReceiver_)
#define PQsetSingleRowMode (*aisp_libpq.PQsetSingleRowMode_)
#define PQstatus (*aisp_libpq.PQstatus_)
#define PQtransactionStatus (*aisp_libpq.PQtransactionStatus_)
#endif

#endif
