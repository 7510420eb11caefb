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

#include "lang/source.h"

struct sema_program;

/* A way to compile. */
struct fuzz_way {
	bool is_file;	       /* a script; else the operand of an option of this LEVEL */
	enum spec_level level; /* where a bare description begins */
	bool through;	       /* lowering, optimising, code and object too, and all dumps */
	/* Gets the program if it has no error; may be NULL. */
	void (*use)(void *arg, const struct sema_program *p);
	void *arg;
};

void fuzz_compile(const uint8_t *text, size_t size, const struct fuzz_way *way);

#endif
