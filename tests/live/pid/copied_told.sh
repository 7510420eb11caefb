#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Without option hold, programs that copy their code and come while a probe of all processes stands are told and detached from,
# whatever says that they copy: an argument, the environment (which a confined dtrace may not read itself), or a library that is
# mapped after the program.
# @needs gcc
# @alone
set -u
. "${0%/*}/copied.inc"

cat >prog.c <<'END'
#include <unistd.h>
__attribute__((noinline)) void work(int i) { __asm__ volatile("" ::"r"(i)); }
int main(void)
{
	char c;

	if (read(0, &c, 1) != 1)
		return 1;
	for (int i = 0; i < 10; i++)
		work(i);
	return 0;
}
END
gcc -O2 -o nodelike prog.c && cp nodelike preloaded && echo 'int nothing;' >empty.c &&
	gcc -shared -fPIC -o libhugetlbfs.so empty.c || { echo "cannot compile"; exit 77; }
mkfifo go

# Traces PROGRAM everywhere, starts it as the arguments say, and waits for the message; then it goes on.
comes() { # PROGRAM REASON COMMAND...
	local program=$1 reason=$2 pid
	shift 2
	trace -n "pid*:$PWD/$program:work:entry"' { @[pid] = count(); } END { printa("%d %@d\n", @); }'
	"$@" <go &
	pid=$!
	started+=("$pid")
	exec 5>go
	until_true grep -qF "process $pid ($program) $reason, and came when probes were placed" trace.err ||
		complain "$(cat trace.err)"
	echo >&5
	wait "$pid" || complain "it ended with $?"
	exec 5>&-
	end_trace
	expect_text firings "$(traced)" ""
}

cp nodelike nodelike2
what="an argument"
comes nodelike 'copies its code (--use-largepages)' ./nodelike --use-largepages=on
what="the environment"
comes nodelike2 'copies its code (--use-largepages)' env NODE_OPTIONS="-x --use-largepages=silent" ./nodelike2
what="a library"
comes preloaded 'copies its code (libhugetlbfs)' env LD_PRELOAD=./libhugetlbfs.so ./preloaded
finish
