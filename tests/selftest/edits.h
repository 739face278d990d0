/* edits.h - what somebody does to the evidence of a run after it was written: the "@edit" of a
 * fixture, where it is more than one line. */
#ifndef TESTS_SELFTEST_EDITS_H
#define TESTS_SELFTEST_EDITS_H

#include "core/evidence.h"

/*   faster     the record says FASTER 1.30, of as many pairs as there are
 *   attempts   it was the seventh attempt, and of the six before it two are left
 *   lucky      from the last of 20 attempts somebody copied its one pair into twelve that agree
 *   calls      the contender's windows are said to have had twice the calls
 *   quantise   the contender's times are rounded to 10 us
 *   neighbour  in most of the reference's windows, and in no other, another task took the core
 *   stepped    the wall clock was set back an hour meanwhile
 *   attempt    it was the seventh attempt, and all six before it are there
 * Anything else is nothing to this file. */
void edit_evidence(struct aisp_evidence *ev, const char *what);

#endif
