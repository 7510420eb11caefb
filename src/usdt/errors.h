/* SPDX-License-Identifier: Apache-2.0 */
/*
 * errors: where the functions of this folder report a failure.  The caller owns the object, which
 * must outlive the call that it is passed to.
 */
#ifndef USDT_ERRORS_H
#define USDT_ERRORS_H

struct usdt_errors {
	/* Called at most once by each call: the message TEXT is valid until FAIL returns. */
	void (*fail)(void *arg, const char *text);
	void *arg;
};

/* Reports a message.  Returns ERR, a negative errno. */
int usdt_fail(const struct usdt_errors *errors, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
