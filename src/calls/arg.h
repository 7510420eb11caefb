/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arg: prints arguments of system calls, as strace(1) does.  Private to src/calls, whose files
 * know the layouts of the structs that calls take; which call takes which is in abi/syscalls.def.
 * Nothing to free.
 */
#ifndef CALLS_ARG_H
#define CALLS_ARG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/flags.h"

struct buf;
struct dt_capture;
struct dt_syscall;

/* An argument: its number, the memory at return, or else at entry, and that at entry. */
struct sysarg {
	struct buf *b;
	const struct dt_syscall *s;
	unsigned i;
	uint64_t v;
	const char *bytes, *given;
	size_t len, given_len; /* 0: not captured */
	enum flag_set set;
	const struct flag_newer *newer; /* NULL: no names besides the table's */
};

/* Describes argument I of S in *A. */
void sysarg_init(struct sysarg *a, struct buf *b, const struct dt_syscall *s, unsigned i);
/*
 * Appends argument I of S in FORM, of the table in arch/syscalls_table.h; as an address if too
 * little memory was captured.  NEWER may be NULL.
 */
void sysarg_put(struct buf *b, const struct dt_syscall *s, unsigned i, uint16_t form,
	const struct flag_newer *newer);

/* Returns the bytes of CAP and their number in *LEN, 0 if the record does not have them. */
const char *sysarg_captured(const struct dt_syscall *s, const struct dt_capture *cap, size_t *len);
/* Returns the value of the argument after A. */
uint64_t sysarg_next(const struct sysarg *a);
/* True if the call has a result, which is no error. */
bool sysarg_succeeded(const struct dt_syscall *s);

/* ---- forms that several structs share ---- */

void sysarg_flags(struct buf *b, enum flag_set set, uint64_t v);
void sysarg_address(struct buf *b, uint64_t v);
void sysarg_decimal(struct buf *b, int64_t v);
void sysarg_hex(struct buf *b, uint64_t v);
/* A string or a buffer of LEN bytes in quotes; more: there are more bytes than these. */
void sysarg_quoted(struct buf *b, const char *p, size_t len, bool more);
/* The same, each byte as \xHH. */
void sysarg_quoted_hex(struct buf *b, const char *p, size_t len, bool more);
/* The seconds and the rest of a struct timespec or timeval, whose member is tv_UNIT. */
void sysarg_time(struct buf *b, const void *pair, const char *unit);
/* The file descriptors of a set that are less than N. */
void sysarg_fdset(struct buf *b, const char *bytes, size_t len, uint64_t n);
/*
 * Names of SET, or of the running kernel's enum; what has none is a number, with UNKNOWN after it
 * in a comment, unless it is NULL.
 */
void sysarg_named(const struct sysarg *a, enum flag_set set, uint64_t v, const char *unknown);
/* The name of a signal, as SIGINT or SIGRT_2. */
void sysarg_signal(struct buf *b, uint64_t signal);
/*
 * An array of N struct iovec in A's memory, whose buffers have LIMIT bytes together; the first of
 * them is buffer FIRST of those that were captured.
 */
void sysarg_iovecs(const struct sysarg *a, unsigned first, uint64_t n, uint64_t limit);

/* ---- by kind: syscall_arg.c, syscall_file.c, syscall_socket.c, syscall_process.c,
 * syscall_bpf.c, syscall_terminal.c ---- */

typedef void sysarg_fn(const struct sysarg *a);

sysarg_fn sysarg_stat, sysarg_statx, sysarg_statfs, sysarg_open_how, sysarg_dirents;
sysarg_fn sysarg_fdset_arg, sysarg_pollfds, sysarg_epoll, sysarg_epolls, sysarg_ioctl;
sysarg_fn sysarg_sockaddr, sysarg_message, sysarg_messages, sysarg_option;
sysarg_fn sysarg_signals, sysarg_signals_pair, sysarg_siginfo, sysarg_sigaction, sysarg_stack;
sysarg_fn sysarg_status, sysarg_rlimit, sysarg_rusage, sysarg_utsname, sysarg_clone;
sysarg_fn sysarg_prctl, sysarg_strings, sysarg_environment, sysarg_cpus;
sysarg_fn sysarg_lock, sysarg_termios, sysarg_bpf, sysarg_perf_event;

#endif
