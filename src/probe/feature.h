/* SPDX-License-Identifier: Apache-2.0 */
/* feature: what providers choose their hooks by; src/load finds out. */
#ifndef PROBE_FEATURE_H
#define PROBE_FEATURE_H

enum feature {
#define FEATURE(id, name, needs) FEATURE_##id,
#include "probe/features.def"
#undef FEATURE
	FEATURE_MAX
};

#endif
