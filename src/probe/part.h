/* SPDX-License-Identifier: Apache-2.0 */
/* part: the names of a probe that a datum stands for. */
#ifndef PROBE_PART_H
#define PROBE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/record.h"

struct probe;

/*
 * Returns the name of the provider of P when process PID fires it: P->prov, or text in BUF of
 * PROBE_PROV_SIZE bytes.
 */
#define PROBE_PROV_SIZE 320
const char *probe_provider_in(const struct probe *p, uint32_t pid, char *buf);

/* Returns the provider, module, function, name or source file of P, by DATUM_PROBEPROV ..
 * DATUM_PROBEFILE. */
const char *probe_part(const struct probe *p, enum datum_kind part);

/*
 * True if function NAME is PATTERN, or matches it as a glob, or is a copy of function PATTERN that
 * a compiler made (base/clone.h).  Brackets in types are no patterns, and blanks after commas do
 * not count.
 */
bool part_func_is(const char *pattern, const char *name);

/* True if FUNC matches the function of P: its name as P shows it, or the mangled one. */
bool probe_func_matches(const struct probe *p, const char *func);

/* The same for symbol NAME, of which no probe exists yet; DEMANGLED: its other name matches as
 * well. */
bool part_func_matches(const char *func, const char *name, bool demangled);

/*
 * Copies that part into TEXT, of SIZE bytes, cut if need be and zero-filled; of a provider only
 * what is the same in all processes.
 */
void probe_part_fixed(const struct probe *p, enum datum_kind part, char *text, size_t size);

#endif
