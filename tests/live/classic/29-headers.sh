#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -C: a header of a C program with bit-fields, unions and prototypes; macros
# from the command line and of the script's own.
# @needs cpp
# @ref d-language 1.2 definitions-and-includes
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
mkdir include

cat >include/sysinfo.h <<'H'
/* What a C program and a D script share, as headers of the time looked. */
#ifndef _SYSINFO_H
#define _SYSINFO_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stddef.h>

#define MAXSLOTS	4
#define	FLAG_READ	0x01
#define	FLAG_WRITE	0x02
#define	FLAG_BOTH	(FLAG_READ | FLAG_WRITE)
#define ISSET(f, b)	(((f) & (b)) != 0)

typedef enum { ST_IDLE, ST_BUSY = 5, ST_DONE } state_t;

typedef struct slot {
	unsigned int	s_flags : 4;
	unsigned int	s_prio : 12;
	state_t		s_state;
	union {
		char	u_bytes[8];
		long	u_word;
	} s_u;
	struct slot	*s_next;
} slot_t;
#define s_word s_u.u_word

typedef struct slot slot_t;

extern int slot_count(const slot_t *, size_t);
extern slot_t *slot_find(const char *name, ...);
#ifdef __cplusplus
}
#endif
#endif /* _SYSINFO_H */
H

cat >headers.d <<'D'
#!/usr/sbin/dtrace -Cs
#include <sysinfo.h>

#ifndef SLOTS
#error "SLOTS is not defined"
#endif
#if SLOTS > MAXSLOTS
#error "too many"
#endif

#define PRINT_SLOT(s) printf("flags %x prio %d state %d word 0x%x\n", (s)->s_flags, (s)->s_prio, (s)->s_state, \
	(s)->s_word)
#define	NS_PER(unit)	NS_PER_##unit
#define	NS_PER_us	1000
#define	NS_PER_ms	(NS_PER_us * 1000)
#define STR(x)		#x

#pragma D option quiet

dtrace:::BEGIN
{
	this->s = (slot_t *)alloca(sizeof (slot_t) * SLOTS);
	this->s->s_flags = FLAG_BOTH;
	this->s->s_prio = 1000;
	this->s->s_state = ST_BUSY;
	this->s->s_word = 0x4142;
	this->s->s_next = this->s + 1;
	this->s->s_next->s_prio = 4097;
	PRINT_SLOT(this->s);
	PRINT_SLOT(this->s->s_next);
	printf("bytes %c%c, next at +%d of %d\n", this->s->s_u.u_bytes[0], this->s->s_u.u_bytes[1],
	    (uintptr_t)this->s->s_next - (uintptr_t)this->s, sizeof (slot_t));
	printf("%s: %d %d\n", STR(ISSET), ISSET(this->s->s_flags, FLAG_READ), ISSET(4, FLAG_BOTH));
}

dtrace:::BEGIN
{
#ifdef VERBOSE
	printf("%d ms, %s, line %d\n", 3000000 / NS_PER(ms), ST_DONE == 6 ? "done" : "?", __LINE__);
#endif
#if defined(QUIET) || !defined(__STDC__)
	printf("not this\n");
#endif
#ifdef __linux__
	printf("linux\n");
#endif
	exit(0);
}
D
"$DTRACE" -C -D SLOTS=2 -D VERBOSE -U QUIET -I include -s headers.d
