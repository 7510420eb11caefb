/* SPDX-License-Identifier: Apache-2.0 */
/* words: a command's words, as sh(1) reads blanks, quotes and backslashes.  Nothing is expanded. */
#ifndef TARGET_WORDS_H
#define TARGET_WORDS_H

/*
 * Returns the words of CMD, which end with NULL, as one allocation for free(3).  NULL: *UNMATCHED
 * is the quote that is not closed, or the backslash at the end; 0: memory is exhausted.
 */
char **words_split(const char *cmd, char *unmatched);

#endif
