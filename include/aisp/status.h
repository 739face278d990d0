/* status.h - every error code, once. 0 is success; the manual's table is made from these comments. */
#ifndef AISP_STATUS_H
#define AISP_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

enum aisp_status {
    AISP_OK = 0,
    AISP_E_USAGE,        /* the caller asked for something impossible */
    AISP_E_NOT_FOUND,    /* no such target, variant, run or file */
    AISP_E_NO_MEMORY,    /* more memory is needed than there is */
    AISP_E_DEVICE,       /* a device call failed; the detail names the call */
    AISP_E_IO,           /* the store, the disk or a permission failed us */
    AISP_E_REFUSED,      /* a plug-in was refused; the detail gives its name and the reason */
    AISP_E_WORKER,       /* a worker crashed, hung or left; the detail gives signal, address and phase */
    AISP_E_UNAVAILABLE,  /* this machine has not what was asked for */
    AISP_E_INTERRUPTED,  /* the user stopped it */
    AISP_N_STATUS
};

/* What went wrong, in one line. Untouched on success. */
struct aisp_err {
    enum aisp_status status;
    char text[508];
};

/* "AISP_E_IO" for AISP_E_IO; "AISP_?" for a number that is none of them. */
const char *aisp_status_name(enum aisp_status status);

#ifdef __cplusplus
}
#endif
#endif
