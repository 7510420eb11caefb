/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_saved: the text output of a saved session: a consumer of the public interface that prints
 * what the session itself printed.
 *
 * Records and tables are turned back into events and tables for the text sink.  freopen() is not
 * carried out; what was printed to other files is left out.  ftruncate() is, system() is not.
 */
#ifndef OUT_TEXT_SAVED_H
#define OUT_TEXT_SAVED_H

#include <stdio.h>

struct sink_env;
struct writer;

/* Opens a text output to OUT, which stays the caller's.  0 or -ENOMEM; ENV is copied. */
int text_saved_open(FILE *out, const struct sink_env *env, struct writer *w);

#endif
