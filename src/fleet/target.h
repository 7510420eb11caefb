/* SPDX-License-Identifier: Apache-2.0 */
/* target: where rows are sent, and who may: checks of the URL and of the file of credentials. */
#ifndef FLEET_TARGET_H
#define FLEET_TARGET_H

#include <stddef.h>

/* The longest name or password, with its NUL. */
#define TARGET_NAME 256

struct target_credentials {
	char user[TARGET_NAME], password[TARGET_NAME];
};

/*
 * Returns NULL if URL is one that rows can be sent to: http or https, a host, perhaps a port and a
 * path.  Otherwise what is wrong with it, a constant: a user, a password or a query would be in
 * lists of processes.
 */
const char *target_problem(const char *url);

/*
 * Reads the lines user=NAME and password=TEXT of the file PATH to C, which the caller wipes.  The
 * file belongs to this process's user or to root and nobody else can read it.  0, or a negative
 * errno with a constant in *PROBLEM.
 */
int target_credentials(const char *path, struct target_credentials *c, const char **problem);

#endif
