/* junit.h - test cases as JUnit XML, the dialect that CI services read.
 * Not here: what a case is (each command's). */
#ifndef AISP_COMMANDS_GATE_JUNIT_H
#define AISP_COMMANDS_GATE_JUNIT_H

#include <jansson.h>

#include "core/base/buf.h"

/* Cases: [{"suite", "classname", "name", "time_s" (or null), "outcome": "pass|failure|error|skipped", "type", "message"}].
 * Those of one suite become one <testsuite>, in the order in which suites first appear; counts and times are summed up here.
 * @timestamp  "2026-11-28T10:05:12Z", or "" if it is not known */
void aisp_junit(const json_t *cases, const char *name, const char *timestamp, struct aisp_buf *out);

/* Any bytes as text of XML 1.0, in an attribute or between tags: what is special is escaped, line ends and tabs stay, and what
 * XML cannot hold (control characters, bytes that are no UTF-8) becomes U+FFFD. */
void aisp_xml_put(struct aisp_buf *out, const char *bytes, size_t n);

#endif
