/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit: adds calls of a helper class to methods of a class file (JVMS, chapter 4).
 *
 * Knows nothing of JVMTI and of sockets.  The helper is a class with static native methods, whose
 * names and descriptors are in edit.c: at a method's entry with and without arguments, before each
 * return, and in a handler of all exceptions.
 */
#ifndef JAVA_AGENT_EDIT_H
#define JAVA_AGENT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define METHOD_VALUES 6 /* arguments that an entry passes on */

/* The helper's methods, in the order of edit_helpers. */
enum helper {
	HELPER_ENTRY, /* (number) */
	HELPER_ARGS,  /* (6 numbers, 6 objects, number) */
	HELPER_VOID,
	HELPER_INT, /* (value, number) */
	HELPER_LONG,
	HELPER_OBJECT,
	HELPER_STRING,
	HELPER_THROWN, /* (number) */
	NHELPERS
};

extern const struct helper_method {
	const char *name, *desc;
} edit_helpers[NHELPERS];

struct method_edit {
	const char *name, *desc;
	uint16_t number; /* what the calls pass, below 32,768 */
	bool entry, ret, args;
};

/*
 * The kinds of a method's arguments to KINDS, as many as METHOD_VALUES: I, J, F, D, s (a String),
 * L (another object); then T for `this`, except in a constructor, where it is not initialised.
 */
unsigned edit_kinds(const char *name, const char *desc, bool is_static, char *kinds);

/*
 * Returns the class file DATA with calls of class HELPER in the N methods of EDITS, to be freed by
 * the caller, and its length; or NULL, and a reason.
 */
uint8_t *edit_class(const uint8_t *data, size_t len, const char *helper,
	const struct method_edit *edits, unsigned n, size_t *new_len, const char **why);

/* Returns a class file of class NAME with the native methods of edit_helpers; to be freed. */
uint8_t *edit_helper_class(const char *name, size_t *len);

#endif
