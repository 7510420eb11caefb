/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * syscalls: what tracesys() records of a system call, from the run-time library to the consumer.
 * Compiled by cc and by clang -target bpf.
 */
#ifndef ABI_SYSCALLS_H
#define ABI_SYSCALLS_H

#include <linux/types.h>

#define DT_SEC_SYSCALLS	   ".rodata.syscalls"
#define DT_SYSCALLS	   512 /* numbers of calls are less */
#define DT_SYSCALL_ARGS	   6
#define DT_SYSCALL_VECTORS 4	/* buffers of an array of struct iovec that are captured */
#define DT_SYSCALL_STRINGS 32	/* strings of an array that are captured */
#define DT_SYSCALL_RECORD  1024 /* bytes of a record, a power of two that it does not reach */
#define DT_SYSCALL_PIECE   256	/* bytes of one capture at most, with a string's NUL */
#define DT_SYSCALL_SHOWN   32	/* bytes of a buffer, if tracesys() does not say how many */
#define DT_SYSCALL_ERRORS  4095 /* results from -4095 to -1 are errors */

enum sysarg_kind {
	SYSARG_NONE,
#define KIND(name, when, how, size) SYSARG_##name,
#include "abi/syscalls.def"
	SYSARG_MAX,
};

enum sysarg_how {
	SYSARG_NOTHING,
	SYSARG_STRING,
	SYSARG_FIXED,
	SYSARG_ARRAY,
	SYSARG_RESULTS,
	SYSARG_BUFFER,
	SYSARG_SOCKET,
	SYSARG_SET,
	SYSARG_MASK,
	SYSARG_STRINGS,
	SYSARG_COUNT,
	SYSARG_ENTRIES,
};

enum sysarg_when { SYSARG_IN, SYSARG_OUT_ONLY, SYSARG_AT_ENTRY, SYSARG_BOTH, SYSARG_ANY };

/* What struct dt_syscall has of a struct msghdr or a struct clone_args. */
enum { DT_SYSCALL_NAME, DT_SYSCALL_IOV, DT_SYSCALL_CONTROL, DT_SYSCALL_MORE };
#define DT_SYSCALL_PARENT_TID DT_SYSCALL_NAME

enum syscall_state {
	SYSCALL_NOT,	/* the thread is in no call */
	SYSCALL_INSIDE, /* it has no result yet */
	SYSCALL_RETURNS,
	SYSCALL_EXECUTED, /* by execve(2): the arguments are those of the new image */
};

/* BYTES of the record from OFF on, in bytes[]; 0 bytes: not captured. */
struct dt_capture {
	__u16 off, len;
};

/*
 * The record; only the bytes that are used are written.  given[]: the memory of the arguments when
 * the call began, if keepsys() kept it.
 */
struct dt_syscall {
	__u64 arg[DT_SYSCALL_ARGS];
	__s64 result;
	__u32 number;
	__u16 state; /* enum syscall_state */
	__u16 used;  /* of bytes[] */
	__u32 count; /* of an array of kind COUNT, or of directory entries */
	__u8 kept;   /* given[] is that of this call */
	__u8 cut;    /* an array of strings has more than were captured */
	__u8 plain;  /* no memory was captured: nothing follows */
	__u8 pad;
	struct dt_capture cap[DT_SYSCALL_ARGS], given[DT_SYSCALL_ARGS];
	struct dt_capture more[DT_SYSCALL_MORE];
	struct dt_capture vector[DT_SYSCALL_VECTORS];
	char bytes[];
};

/* Bytes of bytes[] at most. */
#define DT_SYSCALL_BYTES (DT_SYSCALL_RECORD - 8 - sizeof(struct dt_syscall))
/* Bytes of scratch memory that the run-time function needs. */
#define DT_SYSCALL_ROOM (DT_SYSCALL_RECORD + DT_SYSCALL_PIECE)

struct dt_sysarg {
	__u8 when, how; /* enum sysarg_when, enum sysarg_how */
	__u16 size;
};

#define DT_MAP_CALLS "dt_calls" /* of each thread, the struct dt_syscall of keepsys() */

/* An argument in the table: its kind, whether it points to memory, a set of flags. */
#define DT_SYSARG_KIND(arg) ((arg)&0x7f)
#define DT_SYSARG_MEMORY    0x80
#define DT_SYSARG_SET(arg)  ((arg) >> 8 & 0x7f) /* enum flag_set, of SYSARG_FLAGS */
#define DT_SYSARG_CHANGED   0x8000		/* the call may change the memory */

#endif
