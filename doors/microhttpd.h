/* microhttpd.h - libmicrohttpd, loaded when a server starts and not before: it brings nine libraries, two milliseconds of every
 * start. Prototypes are those of microhttpd.h; whoever includes this calls the functions by their names. */
#ifndef AISP_DOORS_MICROHTTPD_H
#define AISP_DOORS_MICROHTTPD_H

#include <microhttpd.h>

#include "core/base/err.h"

#define AISP_MHD_FUNCTIONS(X)                                                                                           \
    X(MHD_add_response_header) X(MHD_create_response_from_buffer) X(MHD_create_response_from_callback)                  \
    X(MHD_del_response_header) X(MHD_destroy_response) X(MHD_get_connection_info) X(MHD_get_connection_values)          \
    X(MHD_get_daemon_info) X(MHD_get_timeout) X(MHD_lookup_connection_value) X(MHD_queue_response)                      \
    X(MHD_quiesce_daemon) X(MHD_resume_connection) X(MHD_run) X(MHD_start_daemon) X(MHD_stop_daemon)                    \
    X(MHD_suspend_connection)

#define AISP_MHD_MEMBER(name) __typeof__(name) *name##_;
struct aisp_microhttpd { AISP_MHD_FUNCTIONS(AISP_MHD_MEMBER) };
extern struct aisp_microhttpd aisp_microhttpd;

/* Errors: AISP_E_UNAVAILABLE (it is not installed here, or lacks a function). */
enum aisp_status aisp_microhttpd_load(struct aisp_err *err);

#ifndef AISP_MHD_PLAIN_NAMES
#define MHD_add_response_header (*aisp_microhttpd.MHD_add_response_header_)
#define MHD_create_response_from_buffer (*aisp_microhttpd.MHD_create_response_from_buffer_)
#define MHD_create_response_from_callback (*aisp_microhttpd.MHD_create_response_from_callback_)
#define MHD_del_response_header (*aisp_microhttpd.MHD_del_response_header_)
#define MHD_destroy_response (*aisp_microhttpd.MHD_destroy_response_)
#define MHD_get_connection_info (*aisp_microhttpd.MHD_get_connection_info_)
#define MHD_get_connection_values (*aisp_microhttpd.MHD_get_connection_values_)
#define MHD_get_daemon_info (*aisp_microhttpd.MHD_get_daemon_info_)
#define MHD_get_timeout (*aisp_microhttpd.MHD_get_timeout_)
#define MHD_lookup_connection_value (*aisp_microhttpd.MHD_lookup_connection_value_)
#define MHD_queue_response (*aisp_microhttpd.MHD_queue_response_)
#define MHD_quiesce_daemon (*aisp_microhttpd.MHD_quiesce_daemon_)
#define MHD_resume_connection (*aisp_microhttpd.MHD_resume_connection_)
#define MHD_run (*aisp_microhttpd.MHD_run_)
#define MHD_start_daemon (*aisp_microhttpd.MHD_start_daemon_)
#define MHD_stop_daemon (*aisp_microhttpd.MHD_stop_daemon_)
#define MHD_suspend_connection (*aisp_microhttpd.MHD_suspend_connection_)
#endif

#endif
