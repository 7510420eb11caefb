/* SPDX-License-Identifier: Apache-2.0 */
/*
 * facts: how a trigger says what it did, a line each, and that it could not.  One write(2) a line:
 * children and threads say theirs too, and stdio has nothing left to flush that they could inherit.
 */
#ifndef FACTS_H
#define FACTS_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* At most 4600 bytes: a path and some words. */
static inline void __attribute__((format(printf, 1, 2))) fact(const char *format, ...)
{
	char line[4600];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line) - 1, format, args);
	va_end(args);
	if (n < 0 || n >= (int)sizeof(line) - 1)
		_exit(125);
	line[n++] = '\n';
	if (write(STDOUT_FILENO, line, n) != n)
		_exit(125);
}

/* With errno's reason; STATUS 77: the trigger can't do its work here, which skips the test. */
static inline _Noreturn void fail(int status, const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	_exit(status);
}

#endif
