/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java_say: reads what a Java VM and the agent in it say.
 *
 * Whoever can write to the VM's memory chooses this text, so nothing of it is trusted: what these
 * functions accept can be used without further checks.  They know no file and no process.
 */
#ifndef MANAGED_JAVA_SAY_H
#define MANAGED_JAVA_SAY_H

#include <stdbool.h>
#include <stddef.h>

struct java_method {
	unsigned index; /* of the agent's table */
	bool is_static;
	const char *class, *name, *desc; /* com.example.Foo, add, (II)I: java_desc_valid() */
	const char *file;		 /* Foo.java; NULL: unknown */
	unsigned line;			 /* at which it begins; 0: unknown */
};

/*
 * True if DESC is the descriptor of a method (JVMS 4.3.3): at most 255 arguments, and arrays of at
 * most 255 dimensions.
 */
bool java_desc_valid(const char *desc);

/* Returns the end of the type at D, which is in a valid descriptor. */
const char *java_desc_next(const char *d);

/* Returns the type that a method with the valid descriptor DESC returns: "V", "I" ... */
const char *java_desc_return(const char *desc);

/*
 * Reads "M index static line class name desc file", which is cut at its blanks: M refers to it.
 * False: LINE is something else, or its descriptor is not valid.
 */
bool java_read_method(char *line, struct java_method *m);

/*
 * Reads what the VM answers to "load", which is cut.  NULL: the agent runs; else the reason why it
 * does not, in TEXT or constant.
 */
const char *java_read_answer(char *text);

#endif
