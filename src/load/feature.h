/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feature: the kernel features that this process can use, found by trying.
 *
 * Nothing is tried before it is asked for; each answer is kept.  A try loads a program of a few
 * instructions, attaches it where that is cheap to undo and else sends a request that a kernel
 * with the feature refuses in a way of its own; it is over when the call returns, with nothing
 * loaded or attached.  Not for more than one thread at a time.
 */
#ifndef LOAD_FEATURE_H
#define LOAD_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/feature.h"

struct features;
struct types;

/* TYPES (borrowed; NULL: what needs the kernel's types is not there). NULL: out of memory. */
struct features *features_new(struct types *types);
void features_free(struct features *f);

/* True if the kernel has FEATURE.  The first call takes about 1 ms, 0.1 if it is the verifier's. */
bool features_has(struct features *f, enum feature feature);

/*
 * For FEATURE below FEATURE_MAX, as the next one: returns "" if the feature is there, else one
 * line: the feature's name, what was refused and what is needed. Lives as long as F.
 */
const char *features_why(struct features *f, enum feature feature);

/*
 * Returns the capabilities without which this process cannot use FEATURE ("CAP_NET_ADMIN"), as far
 * as is known; NULL: that is not why it is missing, or it is there.
 */
const char *features_lacking(struct features *f, enum feature feature);

/*
 * Returns a descriptor of the tracefs folder (owned by F), mounted somewhere or not: it is opened
 * without mounting it where others could see it.  -errno when there is none.
 */
int features_tracefs(struct features *f);

/*
 * Returns the version of the running kernel: major << 32 | minor << 16 | patch.  -1: its release is
 * not of that form.
 */
int64_t feature_kernel_version(void);

/*
 * The name of FEATURE, one below FEATURE_MAX ("kprobe_multi"), and what a kernel needs to have it,
 * of features.def.
 */
const char *feature_name(enum feature feature);
const char *feature_needs(enum feature feature);

#endif
