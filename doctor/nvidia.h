/* nvidia.h - what the NVIDIA driver says in its own files, without NVML: works on a recorded root and without the library. */
#ifndef AISP_DOCTOR_NVIDIA_H
#define AISP_DOCTOR_NVIDIA_H

#include "doctor/root.h"

/* "580.65.06" of the loaded module; false: it is not loaded or not readable. */
bool aisp_nvidia_version(const struct aisp_root *root, char *to, size_t size);
bool aisp_nvidia_is_open(const struct aisp_root *root);          /* the open kernel module is the loaded one */
bool aisp_nvidia_list(const struct aisp_root *root, struct aisp_root_names *gpus);   /* bus addresses */
/* "Model", "Video BIOS", "GPU Firmware", "GPU Excluded" of one GPU. */
bool aisp_nvidia_information(const struct aisp_root *root, const char *address, const char *key, char *to, size_t size);
/* A setting of the module, "RmProfilingAdminOnly". */
bool aisp_nvidia_setting(const struct aisp_root *root, const char *name, int64_t *value);

/* Oldest driver branch and toolkit that know a model; NULL: not one that we know. */
struct aisp_nvidia_model { const char *word; int driver, toolkit; bool needs_open; };   /* toolkit 1208 = 12.8 */
const struct aisp_nvidia_model *aisp_nvidia_model_of(const char *name);

#endif
