/* SPDX-License-Identifier: Apache-2.0 */
/* part: the names of a probe that a datum stands for. */
#ifndef PROBE_PART_H
#define PROBE_PART_H

#include "abi/record.h"

struct probe;

/* Returns the provider, module, function or name of P, by DATUM_PROBEPROV .. DATUM_PROBENAME. */
const char *probe_part(const struct probe *p, enum datum_kind part);

#endif
