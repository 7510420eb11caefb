#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Late probes are attached by a process of their own: dtrace has no capabilities while their firings are counted. That process
# ends with dtrace, also by SIGKILL; if it is killed, dtrace says so once, goes on, and counts the processes that it misses.
# @timeout 90
set -u
. "${0%/*}/lib.sh"
unset DTRACE_OPT_CONFINE

printf '%s\n' 'provider comes { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
cat >comes.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "prov.h"
void work(int i);
__attribute__((noinline)) void work(int i)
{
	__asm__ volatile("" ::"r"(i));
}
/* Waits until somebody traces it, 5 s at most, then fires; so that a time of day says nothing. */
int main(int argc, char **argv)
{
	if (argc > 1)
		dlopen(argv[1], RTLD_NOW);
	for (int i = 0; i < 500 && !COMES_HIT_ENABLED(); i++)
		usleep(10000);
	printf("%d\n", COMES_HIT_ENABLED());
	for (int i = 0; i < 10; i++) {
		COMES_HIT(i);
		work(i);
	}
	return 0;
}
END
${CC:-cc} -O2 -I. -o comes comes.c || { echo "cannot compile"; exit 1; }

# The capabilities of all threads of a process, each set once.
caps_of() { # PID
	awk '/^CapPrm/ { sub(/^0+/, "", $2); print $2 == "" ? 0 : $2 }' /proc/"$1"/task/*/status | sort -u | paste -sd' '
}

# Wait until FILE has a line that matches REGEX.
wait_for() { # FILE REGEX
	local i
	for ((i = 0; i < 500; i++)); do
		grep -qE "$2" "$1" 2>/dev/null && return
		sleep 0.02
	done
	complain "no line of $1 matches $2:
$(cat "$1")"
}
gone() { # PID
	local i
	for ((i = 0; i < 250; i++)); do
		[[ -e /proc/$1 ]] || return 0
		sleep 0.02
	done
	return 1
}
# $tracer and $deputy are the processes. The probe of ppoll is dtrace's own: it says that tracing has begun.
start() { # DTRACE-ARGUMENTS...
	what="dtrace $*"
	"$DTRACE" -xnolibs -x switchrate=50hz -Zq "$@" >out.txt 2>err.txt &
	tracer=$!
	wait_for out.txt traced
	# which can be written before dtrace is confined
	for ((i = 0; i < 500; i++)); do
		[[ $(awk '/^Seccomp:/ { print $2 }' "/proc/$tracer/status") != 2 ]] || break
		sleep 0.02
	done
	deputy=$(<"/proc/$tracer/task/$tracer/children")
	deputy=${deputy% }
	[[ $deputy =~ ^[0-9]+$ ]] || complain "the children of dtrace are '$deputy'"
}
stop() {
	kill "$tracer"
	wait "$tracer" || complain "status $?"
	contents out out.txt
	contents err err.txt
	gone "$deputy" || complain "process $deputy has not ended"
}
# shellcheck disable=SC2016
traced='syscall::ppoll:entry /pid == $pid && !n++/ { printf("traced\n"); }'
rights=1c000080004
# The kernel counts the semaphore up before the place is attached to: the first firing may be missed. Without uprobe.multi the
# program comes with a call of its own after that: a machine that is slow enough misses all of them.
late_ten='([5-9]|10)' twenty=20
if ! "$DTRACE" --doctor | grep -qE '^uprobe_multi +ok'; then
	rights=1c000280004 # with CAP_SYS_ADMIN
	late_ten='([0-9]|10)?' twenty='(1?[0-9]|20)'
fi

# ---- files that nobody had mapped: counted, without rights
start -n "$traced"' comes*:::hit { @ = count(); printf("hit %d\n", arg0); }'
expect_text "the capabilities of dtrace" "$(caps_of "$tracer")" 0
expect_text "the capabilities of the deputy" "$(caps_of "$deputy")" $rights
expect_text "the files of the deputy" "$(readlink /proc/"$deputy"/fd/* | sed 's/:\[[0-9]*\]//' | sort | uniq -c | awk '{ print $1, $2 }')" \
	"3 /dev/null
1 anon_inode:bpf-prog
1 socket"
expect_text "traced" "$(./comes)" 1
cp comes private && chmod 700 private && chown 65534:65534 private # which only CAP_DAC_READ_SEARCH opens
chmod 755 "$TMPDIR" .
expect_text "traced" "$(setpriv --reuid 65534 --regid 65534 --clear-groups ./private)" 1
wait_for out.txt 'hit 9'
stop
expect_match stdout "$out" $'\n +'"$twenty"$'\n'
# they began before anybody knew their files
expect_text "stderr without what is counted" "$(grep -v 'ran before their probes were placed' err.txt)" ""

# ---- functions of all processes, and the family of a process
cp comes second
start -n "$traced"' comes*:::hit { @ = count(); } pid*:second:work:entry { printf("work %d\n", arg0); }'
expect_text "the capabilities of dtrace" "$(caps_of "$tracer")" 0
# it waits for its static probe alone: the other one may come too late for the first processes
for ((runs = 0; runs < 50; runs++)); do
	! grep -q 'work 9' out.txt || break
	./second >/dev/null
done
wait_for out.txt 'work 9'
stop
# without uprobe.multi the first firings may be missed
[[ $twenty == 20 ]] && least=$((10 * runs)) || least=0
hits=$(sed -n 's/^ *\([0-9][0-9]*\)$/\1/p' <<<"$out")
((${hits:-0} >= least && ${hits:-0} <= 10 * runs)) || complain "$hits hits of $runs runs"
cp comes third
printf '%s\n' 'sleep 0.3' './third' >family.sh
for late in "" "-x followlate"; do
	# shellcheck disable=SC2016,SC2086
	try "$DTRACE" -xnolibs -Zq --follow $late -n 'comes$target:::hit { @ = count(); }' -c "sh family.sh"
	expect_status 0
	[[ $late ]] && hits=$late_ten || hits='([5-9]|10)'
	expect_match "stdout $late" "$out" $'^1\n\n? *'"$hits"$'\n?$'
done

# ---- SIGKILL leaves neither the process nor what it has attached
start -n "$traced"' comes*:::hit { printf("hit %d\n", arg0); }'
./comes >/dev/null
wait_for out.txt 'hit 9'
kill -KILL "$tracer"
wait "$tracer" 2>/dev/null
gone "$deputy" || complain "after SIGKILL process $deputy has not ended"
expect_text "traced after SIGKILL" "$(timeout 1 ./comes || echo no)" no

# ---- without it dtrace goes on with what it has
cp comes early
cp comes late
start -n "$traced"' comes*:::hit { @[execname] = count(); printf("%s %d\n", execname, arg0); }'
./early >/dev/null
wait_for out.txt '^early 9'
kill -KILL "$deputy"
wait_for err.txt 'has ended'
./early >/dev/null
timeout 0.5 ./late >/dev/null
cp /bin/true fresh && ./fresh
stop
expect_match stdout "$out" $'\n  early +'"$twenty"$'\n'
[[ $out != *late* ]] || complain "late was traced"
expect_text "the message" "$(grep -c 'the process that attaches to new probes has ended: probes that come from now on are not enabled' err.txt)" 1
expect_match stderr "$err" 'process(es)? ran before their probes were placed; their firings are unknown'
rm -f private
finish
