#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# While probes are enabled a line on the terminal shows the count. It moves, and neither messages nor output are mixed with it.
# @vm no: the command line, the kernel has no part in it
# @timeout 60
set -u
. "${0%/*}/lib.sh"
command -v script >/dev/null || { echo "needs script"; exit 77; }
"$DTRACE" --doctor 2>/dev/null | grep -qE '^uprobe_multi +ok' || { echo "needs uprobe_multi"; exit 77; }

# Each link takes a while; the kernel refuses links of several probes, and the first of a single one.
cat >slow.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

/* union bpf_attr's link_create with its uprobe_multi (linux/bpf.h since 6.6) */
struct link_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t cnt, multi_flags, pid, pad;
};
#define UPROBE_MULTI 48

long syscall(long number, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"), a[6];
	static int singles;
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_bpf && a[0] == BPF_LINK_CREATE && ((struct link_attr *)a[1])->attach_type == UPROBE_MULTI) {
		const struct link_attr *l = (struct link_attr *)a[1];
		struct timespec wait = {.tv_nsec = 400000000};

		if (l->path && !strncmp((char *)l->path, "/proc/self/fd/", 14)) {
			if (l->cnt == 4)
				wait.tv_sec = 2;
			nanosleep(&wait, NULL);
			if (l->cnt > 1 || !singles++) {
				errno = EINVAL;
				return -1;
			}
		}
	}
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
C
cc -shared -fPIC -o slow.so slow.c -ldl 2>cc.log || { cat cc.log; echo "needs a compiler for shared libraries"; exit 77; }

# What is left on a screen of the output in $1: "\r" goes to the beginning of the line, ESC [ K erases to its end.
screen() {
	awk 'BEGIN { RS = "\n"; erase = "\033[[]K" }
		{
			n = split($0, part, "\r")
			line = part[1]
			for (i = 2; i <= n; i++) {
				erased = gsub(erase, "", part[i])
				line = part[i] (erased ? "" : substr(line, length(part[i]) + 1))
			}
			gsub(erase, "", line)
			print line
		}' "$1"
}

on_terminal() { # TERM COMMAND
	what=$2
	TERM=$1 ASAN_OPTIONS=verify_asan_link_order=0 script -qec "$2" /dev/null </dev/null >tty.txt || complain "status $?"
}
printf 'int one(void) { return 1; }\nint two(void) { return 2; }\nint three(void) { return 3; }\nint four(void) { return 4; }\n
	int main(void) { return one() + two() + three() + four() != 10; }\n' >program.c
cc -O0 -g -o program program.c || exit 77
command="LD_PRELOAD=$PWD/slow.so $DTRACE -q -n 'BEGIN { printf(\"begins\\n\"); }' \
	-n 'pid\$target:program:one:entry,pid\$target:program:two:entry,pid\$target:program:three:entry,pid\$target:program:four:entry { @ = count(); }' \
	-c ./program"

on_terminal xterm "$command"
# what other processes do may be too much while nothing reads the events
expect_text "the screen" "$(screen tty.txt | grep -vE '^$|^dtrace: some processes were not looked at: ')" "dtrace: 1 of the probes are not enabled: the kernel refuses to instrument them (the first is program:one:entry)
begins
                3"
tr '\r' '\n' <tty.txt | sed 's/\x1b\[K//g' >lines.txt
# while one system call enables them all, the time moves
grep -qxE 'dtrace: enabling [4-9] probes \(1 s\)' lines.txt && grep -qxE 'dtrace: enabling [4-9] probes \(2 s\)' lines.txt ||
	complain "no seconds: $(cat lines.txt)"
counts=$(grep -xE 'dtrace: enabled [1-9] of [4-9] probes' lines.txt | sort -u | wc -l)
[[ $counts -ge 2 ]] || complain "the count does not move: $(cat lines.txt)"
# it is erased before anything else is written
! grep -qE 'probes.*(dtrace:|begins)' lines.txt || complain "mixed lines: $(cat lines.txt)"

# there is no line on a terminal that cannot erase it, nor in a file
on_terminal dumb "$command"
! grep -qE 'enabl(ing|ed) [0-9]' tty.txt || complain "a line on a dumb terminal: $(cat tty.txt)"
eval "try env $command"
! grep -qE 'enabl(ing|ed) [0-9]' err.txt || complain "a line in a file: $err"
expect_status 0

finish
