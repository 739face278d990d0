/* hardware.h - a name for a kind of machine: what results are grouped by, and what expectation files are called.
 * Not here: which machine of that kind it was (aisp_environment_fingerprint), who else was on it.
 *
 *   amd-epyc-7b13-16c                     model as the processor says it, without marks, clock and filler words; CPUs
 *   intel-xeon-sapphirerapids-8c-vm       a virtual machine is another kind: its CPUs are somebody's threads
 *   amd-epyc-avx2-l3-32m-2c-vm            a model without a number names no part: its vectors and last cache stand for it
 *   nvidia-h100-80gb-hbm3-intel-xeon-platinum-8481c-26c-vm      a card comes first
 *   unknown-4c                            no model at all
 *
 * The same hardware has the same name after a reboot, an update of kernel or microcode, and whatever its load: nothing of that
 * is looked at. Lower-case letters, digits and dashes, so that it can be a part of a file name; at most 63 of them, and where
 * that is too few, the end is four hex digits of the hash of the whole. */
#ifndef AISP_CORE_HARDWARE_H
#define AISP_CORE_HARDWARE_H

#include "core/environment.h"

enum { AISP_HARDWARE_MAX = 64 };

/* `card`: the accelerator's name as its driver says it ("NVIDIA H100 80GB HBM3"); NULL or "" for results of the CPU. */
void aisp_hardware_key(const struct aisp_environment *env, const char *card, char key[AISP_HARDWARE_MAX]);

#endif
