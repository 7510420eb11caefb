// SPDX-License-Identifier: Apache-2.0
/* Knows which system calls the processes of dtrace need. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "confine/calls.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "arch/arch.h"
#include "base/termios2.h"
#include "confine/seccomp.h"

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

/* The bits, as calls.def has them. */
enum {
	SESSION = CALLS_SESSION,
	EVENTS = CALLS_EVENTS,
	FILES = CALLS_FILES,
	NETWORK = CALLS_NETWORK,
	TABLES = CALLS_TABLES,
	PROGRAMS = CALLS_PROGRAMS,
	NETS = CALLS_NETS,
	WEB = CALLS_WEB,
	FLEET = CALLS_FLEET,
	SPOOL = CALLS_SPOOL,
	DEPUTY = CALLS_DEPUTY,
};

static const struct {
	struct seccomp_call call;
	uint32_t who;
} rows[] = {
#define ALLOW(name, who)		      {{ARCH_NR(name), CALL_ANY, 0, 0}, who},
#define ALLOW_IF(name, test, arg, value, who) {{ARCH_NR(name), test, arg, value}, who},
#include "confine/calls.def"
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))
_Static_assert(ROWS <= SECCOMP_CALLS, "all of them fit a filter");

int calls_allow(uint32_t who)
{
	struct seccomp_call allowed[SECCOMP_CALLS];
	size_t n = 0;

	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].who & who)
			allowed[n++] = rows[i].call;
	return seccomp_allow(allowed, n);
}
