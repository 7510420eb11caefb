#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The kernel rejects a program: the verifier's log, then one line that says which.  Its code is spoilt on the way.
# @ref cli 3.3 verifier-log log-incomplete
# @ref cli 3.2 enable-tracing
set -u
. "${0%/*}/lib.sh"

cat >spoil.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

long syscall(long number, ...)
{
	static struct bpf_insn spoilt[4096];
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"), a[6];
	union bpf_attr *attr;
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	attr = (union bpf_attr *)a[1];
	if (number == SYS_bpf && a[0] == BPF_PROG_LOAD && attr->prog_type == BPF_PROG_TYPE_RAW_TRACEPOINT &&
		attr->insn_cnt <= 4096) {
		memcpy(spoilt, (void *)attr->insns, attr->insn_cnt * sizeof(*spoilt));
		spoilt[0].code = 0xff;
		attr->insns = (unsigned long)spoilt;
	}
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
C
cc -shared -fPIC -o spoil.so spoil.c -ldl 2>cc.log || { cat cc.log; echo "needs a compiler for shared libraries"; exit 77; }
spoilt() { try env LD_PRELOAD="$PWD/spoil.so" ASAN_OPTIONS=verify_asan_link_order=0 "$DTRACE" "$@"; }

spoilt -n 'dtrace:::BEGIN { printf("never"); exit(0); } END { printf("never"); }' -c 'touch made'
expect_status 1
expect_out ""
expect_text "first line" "$(sed -n 1p err.txt)" "dtrace: description 'dtrace:::BEGIN ' matched 2 probes"
expect_text "the log" "$(sed -n 2p err.txt)" 'BPF: unknown opcode ff'
expect_text "other lines of it" "$(sed '1,2d;$d' err.txt | grep -v '^BPF: ')" ''
expect_text "last line" "$(tail -n 1 err.txt)" \
	"dtrace: could not enable tracing: BPF program load for 'dtrace:::BEGIN' failed: Invalid argument"
[[ ! -e made ]] || complain "the process ran"

spoilt -x bpflogsize=30 -qn 'BEGIN { exit(0); }'
expect_status 1
expect_err "BPF verifier log is incomplete and is not reported.
Set DTrace option 'bpflogsize' to some greater size for more output.
(Current size is 30.)
dtrace: could not enable tracing: BPF program load for 'dtrace:::BEGIN' failed: Invalid argument
"

finish
