/* SPDX-License-Identifier: Apache-2.0 */
/* input: an input as a file in memory, for readers that take a descriptor or a path. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#define FUZZ_PATH_SIZE 32

/* Returns a descriptor of a file with SIZE bytes of DATA, for the caller to close. */
int fuzz_file(const void *data, size_t size);

/* Writes the path of descriptor FD to PATH, which is returned. */
const char *fuzz_path(int fd, char path[FUZZ_PATH_SIZE]);

/*
 * Returns the path of a file with SIZE bytes of DATA that has a name; it is the same file each
 * time, in TMPDIR, and goes when the program ends.
 */
const char *fuzz_named_file(const void *data, size_t size);

#endif
