/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transfer: reads and writes that go on until everything is there.
 *
 * read(2) and write(2) may transfer less than they were asked for, and a signal may interrupt them.
 * Sockets and devices on which each read is a message of its own are not for these functions.
 */
#ifndef BASE_TRANSFER_H
#define BASE_TRANSFER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns how many bytes were read: less than LEN at the end, or before an error; -errno: none. */
ssize_t transfer_read(int fd, void *to, size_t len);

/* The same from offset OFF on, in bytes; the file's position stays. */
ssize_t transfer_pread(int fd, void *to, size_t len, uint64_t off);

/* Writes LEN bytes: 0 or -errno, when some of them may have been written. */
int transfer_write(int fd, const void *data, size_t len);

#endif
