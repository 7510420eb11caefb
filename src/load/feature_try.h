/* SPDX-License-Identifier: Apache-2.0 */
/* Private to src/load/feature*.c: how each feature is tried. */
#ifndef LOAD_FEATURE_TRY_H
#define LOAD_FEATURE_TRY_H

#include <stdbool.h>

#include "probe/feature.h"

struct features;
struct types;

/* The result of a try. */
struct feature_attempt {
	struct types *types; /* may be NULL */
	struct features *features;
	const char *what; /* what was refused: "to load it", "to attach it", ... */
	char note[96];	  /* what else there is to say, "" = nothing */
};

/* 0 = the kernel has it, else a negative errno, with what->what and perhaps what->note set. */
int feature_try(enum feature feature, struct feature_attempt *a);

/*
 * Returns the kernel's option that is off, when its types show that (a function that comes and goes
 * with it is missing), else NULL.
 */
const char *feature_option_off(enum feature feature, struct types *types);

/* True if feature_option_off() can tell for this one. */
bool feature_has_options(enum feature feature);

#endif
