/* SPDX-License-Identifier: Apache-2.0 */
/* params: the values of a script's parameters. */
#ifndef SESSION_PARAMS_H
#define SESSION_PARAMS_H

struct dtrace;
struct param_value;

/* Returns the first value that is a process and has ended; NULL: there is none. */
const struct param_value *params_gone(const struct dtrace *d);

#endif
