/* switches.c - linked into a program of the tests, it gives the defences their switches (core/run/policy.h). */
#include "core/run/policy.h"

const bool aisp_defences_have_switches = true;
