/* SPDX-License-Identifier: Apache-2.0 */
/* derivation: a probe made from a hook with D expressions over the hook's arguments. */
#ifndef PROBE_DERIVATION_H
#define PROBE_DERIVATION_H

#include "probe/args.h"

/* All strings are borrowed; each may be NULL. */
struct derivation {
	const char *params;	/* names of the hook's arguments: "preempt prev next" */
	struct probe_args hook; /* the hook's arguments: nargs, types, raw, from */
	const char *when;	/* the probe fires if this is not 0; NULL: always */
	const char *task;	/* the thread that the probe is about; NULL: the current one */
	/*
	 * The values of arg0 .. arg9; NULL reads as 0.  An expression may name the arguments
	 * before it.  Each is evaluated once a firing.
	 */
	const char *args[PROBE_NARGS];
	/*
	 * A run-time function (abi/runtime.def) that takes the hook's first three arguments and
	 * fires the probe once for each element of a list.  PARAMS and HOOK then describe the
	 * arguments of those calls.  NULL: the hook itself fires the probe.
	 */
	const char *each;
	/* D clauses that keep state for WHEN and ARGS; they run after the probe's own clauses */
	const char *state;
};

#endif
