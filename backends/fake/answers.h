/* answers.h - the outputs of the scripted device. Internal to backends/fake. */
#ifndef AISP_BACKENDS_FAKE_ANSWERS_H
#define AISP_BACKENDS_FAKE_ANSWERS_H

#include "backends/fake/fake.h"

/* Can this device make the right answer? Needs a reference and types that it can round to. */
enum aisp_status aisp_fake_can_answer(const struct aisp_instance *inst, struct aisp_err *err);
/* The right answer to the inputs of a slot, rounded to the output's type; `tensor` holds all of the slot. */
void aisp_fake_answer(const struct aisp_instance *inst, void *const *tensor, int out, void *to);
/* Spoil a right answer; `old` is the answer to the contents before, `before` what lay in the output. */
void aisp_fake_spoil(enum aisp_fake_fault fault, const struct aisp_instance *inst, int out,
                     void *answer, const void *old, const void *before);

#endif
