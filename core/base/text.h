/* text.h - lines that hold what strangers chose: names of files, a worker's words, what a file of the kernel says. They are shown
 * on terminals and written as JSON, which takes UTF-8 alone: a text that is none would be left out without a word. */
#ifndef AISP_CORE_TEXT_H
#define AISP_CORE_TEXT_H

#include <stddef.h>

/* Bytes of the UTF-8 character at s, at most n; 0 if it is none, or a control character. */
size_t aisp_character_bytes(const char *s, size_t n);

/* Every byte that is no part of such a character becomes '?'. */
void aisp_text_clean(char *text);

#endif
