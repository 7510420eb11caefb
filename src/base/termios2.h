/* SPDX-License-Identifier: Apache-2.0 */
/*
 * termios2: the requests of ioctl(2) by which the C library asks for the modes of a terminal since
 * glibc 2.42.  Their names are in asm-generic/ioctls.h, with a struct termios2 that no program can
 * include beside termios.h; it has the members of the kernel's struct termios first.
 */
#ifndef BASE_TERMIOS2_H
#define BASE_TERMIOS2_H

#include <sys/ioctl.h>

#define TERMIOS2_SIZE 44 /* bytes: asm-generic/termbits.h */

#define TERMIOS2_GET	   _IOR('T', 0x2a, char[TERMIOS2_SIZE])
#define TERMIOS2_SET	   _IOW('T', 0x2b, char[TERMIOS2_SIZE])
#define TERMIOS2_SET_WAIT  _IOW('T', 0x2c, char[TERMIOS2_SIZE])
#define TERMIOS2_SET_FLUSH _IOW('T', 0x2d, char[TERMIOS2_SIZE])

#endif
