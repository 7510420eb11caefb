// SPDX-License-Identifier: Apache-2.0
/* Returns the provider, module, function or name of a probe. */
#include "probe/part.h"

#include "probe/probe.h"

const char *probe_part(const struct probe *p, enum datum_kind part)
{
	switch (part) {
	case DATUM_PROBEPROV:
		return p->prov;
	case DATUM_PROBEMOD:
		return p->mod;
	case DATUM_PROBEFUNC:
		return p->func;
	default:
		return p->name;
	}
}
