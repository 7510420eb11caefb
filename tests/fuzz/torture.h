/* SPDX-License-Identifier: Apache-2.0 */
/* torture: running a program and judging what came of it; making a failing one smaller. */
#ifndef FUZZ_TORTURE_H
#define FUZZ_TORTURE_H

#include "program.h"

enum verdict { GOOD, REFUSED, UNLOADABLE, WRONG, CRASHED, UNDEFINED, NVERDICTS };

struct result {
	enum verdict verdict;
	char *out, *err, *want; /* malloc()ed */
	char signature[160];
};

/* torture.c: write P to SCRIPT, run it, compare. */
void judge(struct program *p, const char *script, struct result *r);
void result_free(struct result *r);

/* shrink.c: take out what P does not need to fail as in *R, in RUNS runs at most; updates *R. */
void program_shrink(struct program *p, const char *script, struct result *r, unsigned runs);

#endif
