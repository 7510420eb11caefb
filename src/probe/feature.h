/* SPDX-License-Identifier: Apache-2.0 */
/* feature: the features of a kernel; providers choose their hooks by them, src/load finds them. */
#ifndef PROBE_FEATURE_H
#define PROBE_FEATURE_H

enum feature {
#define FEATURE(id, name, try, privilege, needs) FEATURE_##id,
#include "probe/features.def"
	FEATURE_MAX, /* the number of features that users are told of */
#define FEATURE_INTERNAL(id, try) FEATURE_##id,
#include "probe/features.def"
	FEATURE_ALL, /* above all */
};

#endif
