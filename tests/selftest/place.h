/* place.h - where the fixtures lie: in selftest/ beside this program, wherever that was put.
 *   selftest/problems/NAME/{problem,baseline}.so
 *   selftest/KIND/NAME.so and NAME.txt (its first comment, see fixture.h), KIND one of cheats, honest
 *   selftest/KIND/roots/NAME: machines that a fixture believes to be on */
#ifndef TESTS_SELFTEST_PLACE_H
#define TESTS_SELFTEST_PLACE_H

/* Caller frees. */
char *place_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
