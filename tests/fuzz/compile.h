/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile: D text through the compiler, without a kernel: the probes are dtrace's, profile's and
 * those of a provider made up here, the types D's own.
 */
#ifndef FUZZ_COMPILE_H
#define FUZZ_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* THROUGH: lowering, optimising, code and object too, and all dumps. */
void fuzz_compile(const uint8_t *text, size_t size, bool through);

#endif
