#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ^C ends dtrace within a second in each phase; a second one ends it whatever it does, also if nobody reads its output.
# @alone
# @needs cc
# @timeout 300
set -u
. "${0%/*}/lib.sh"
unset DTRACE_OPT_CONFINE
: "${TIMEOUT_SCALE:=1}"

# What a shell starts in the background has SIGINT and SIGQUIT ignored.
as_in_terminal=(env --default-signal=INT,QUIT)

cat >keys.c <<'END'
#include <stdlib.h>
#include <unistd.h>
/* Seeks to N offsets when file go is there, then to 100 of them until file stop is, a minute at most. */
int main(int argc, char **argv)
{
	while (access("go", F_OK))
		usleep(1000);
	for (long i = 0; i < atol(argv[1]); i++)
		lseek(-1, i, SEEK_SET);
	for (int turn = 0; turn < 60000 && access("stop", F_OK); turn++, usleep(1000))
		for (long i = 0; i < 100; i++)
			lseek(-1, i, SEEK_SET);
	return 0;
}
END
${CC:-cc} -O1 -o keys keys.c || { echo "cannot compile"; exit 77; }

# Start dtrace in a pipe to READER.
start() { # READER ARGUMENT...
	local reader=$1
	shift
	what=$*
	rm -f pid.txt out.txt err.txt done.txt
	: >out.txt >err.txt
	{ "${as_in_terminal[@]}" sh -c 'echo $$ >pid.txt; exec "$@"' sh "$DTRACE" "$@" 2>err.txt </dev/null; echo $? >done.txt; } | eval "$reader" >out.txt &
	shell=$!
	until [[ -s pid.txt ]]; do sleep 0.01; done
	pid=$(<pid.txt)
}
# Wait until the command succeeds.
await() { # COMMAND...
	local i
	for ((i = 0; i < 600 * TIMEOUT_SCALE; i++)); do
		"$@" 2>/dev/null && return
		[[ ! -e done.txt ]] || break
		sleep 0.05
	done
	complain "never: $* ($(head -c 300 err.txt))"
}
said() { grep -q -- "$1" "${2:-out.txt}"; }
grown() { (($(stat -c %s out.txt) > $1)); }
# dtrace waits in write(1, ...)
blocked() { [[ $(<"/proc/$pid/syscall") == "1 0x1 "* ]]; }

ended() { [[ -e done.txt ]]; }
# Sets $starved to the ns that dtrace has waited for a CPU, which others keep from it.
note_starved() { read -r _ starved _ <"/proc/$pid/schedstat"; } 2>/dev/null
# Send the signals, 0.2 s apart, and expect the end within LIMIT ms of its own after the last.
interrupt() { # LIMIT SIGNAL...
	local limit=$(($1 * TIMEOUT_SCALE)) from took i starved=0 before
	shift
	while [[ $# != 0 ]]; do
		note_starved
		before=$starved from=${EPOCHREALTIME/./}
		kill -s "$1" "$pid" 2>/dev/null
		for ((i = 0; i < (($# == 1 ? 1500 * TIMEOUT_SCALE : 20)); i++)); do
			ended && break
			note_starved
			sleep 0.01
		done
		shift
	done
	took=$(((${EPOCHREALTIME/./} - from) / 1000 - (starved - before) / 1000000))
	ended || { complain "it does not end"; kill -KILL "$pid"; }
	((took <= limit)) || complain "it took $took ms to end"
	until [[ -s done.txt ]]; do sleep 0.01; done
	status=$(<done.txt)
	[[ ! -v SHOW ]] || echo "$took ms: ${what:0:100}"
}
over() {
	touch go stop
	wait "$shell" 2>/dev/null
	[[ -z ${helper-} ]] || { kill "$helper" 2>/dev/null; wait "$helper" 2>/dev/null; helper=; }
	rm -f go stop
}

# ---- 100,000 clauses: nothing has begun, so the signal ends it as any program
for ((i = 0; i < 100000; i++)); do echo "syscall::read:entry /pid == $i/ { @[$i] = count(); }"; done >many.d
start cat -qs many.d
sleep 0.5
interrupt 1000 INT
[[ $status == 130 ]] || complain "status $status"
over

# ---- 78,000 places attached to: the kernel takes 15 to 60 us to remove one from a process that goes on
if command -v node >/dev/null; then
	for ms in 4 8 12 16 20; do
		start cat -qn 'BEGIN { n = 0; } pid$target:node::entry { n++; }' -c 'node -e 1'
		sleep "$((ms / 10)).$((ms % 10))"
		interrupt 8000 INT
		[[ $status == 0 || $status == 130 ]] || complain "status $status: $(<err.txt)"
		over
	done
fi

# ---- processes held
start cat -x hold=exec -Zqn 'BEGIN { printf("started\n"); } pid*:never::entry { trace(1); }'
await said started
for i in 1 2 3 4; do /bin/true & done
interrupt 1000 INT
[[ $status == 0 ]] || complain "status $status: $(<err.txt)"
over

# ---- a table that takes longer to print than until the next one is due
table='BEGIN { printf("started\n"); } syscall::lseek:entry /execname == "keys"/ { @[arg1] = count(); }'
keys() { # NUMBER DTRACE-ARGUMENT...
	local n=$1
	shift
	./keys "$n" &
	helper=$!
	start "$@"
	await said started
	touch go
}
# The reader lets the first table wait for longer than is needed to be late, and ticks come meanwhile.
keys 300000 'sh -c "read -r line; echo \$line; until [ -e read ]; do sleep 0.05; done; exec cat"' -x aggsize=512m \
	-qn "$table tick-100ms { printa(@); } END { printf(\"the end\n\"); }"
await blocked
sleep 1
touch read
await grown 15000000
interrupt 1000 INT
[[ $status == 0 ]] || complain "status $status: $(<err.txt)"
said 'the end' || complain "END has not run"
grep -qE '^dtrace: [1-9][0-9]* printa\( \) were late: ' err.txt || complain "nothing was late: $(<err.txt)"
over

# clear() is never skipped, and nothing that it takes away is
keys 50000 cat -x aggsize=512m -qn "$table"' syscall::lseek:entry /execname == "keys"/ { @all = count(); }
	tick-10ms { printa("%d %@d\n", @); clear(@); } tick-1s /++n == 3/ { exit(0); }
	END { printa("%d %@d\n", @); printa("all %@d\n", @all); }'
await ended
awk '$1 == "all" { all = $2; next } NF == 2 { sum += $2 } END { if (sum != all || all < 50000) { print sum, "printed of", all; exit 1 } }' out.txt ||
	complain "the sums differ: $(<err.txt)"
over

# ---- a million keys: while printa() prints them
keys 1000000 cat -x aggsize=1g -qn "$table"' syscall::lseek:entry /execname == "keys" && arg1 == 999999/ { printa(@); }'
await grown 1000000
interrupt 1000 INT
[[ $status == 0 ]] || complain "status $status: $(<err.txt)"
! "$SRCDIR/tests/runner/preempts" || sed -i '/^dtrace: [0-9]* missed firings/d' err.txt
expect_text "stderr" "$(<err.txt)" "dtrace: interrupted: the rest of a table is not shown"
over

# at the end, where nothing else is shown any more
keys 1000000 cat -x aggsize=1g -qn "$table"' syscall::lseek:entry /execname == "keys" && arg1 == 999999/ { exit(0); }'
await grown 1000000
interrupt 1000 INT
over

# after ^C the results are shown, which a second one ends
keys 1000000 cat -x aggsize=1g -qn "$table"' syscall::lseek:entry /execname == "keys" && arg1 == 999999/ { printf("all\n"); }'
await said all
interrupt 1000 INT TERM
over

# ---- nobody reads: the first is that of a pager's user, who may want to read on; the second ends it
for format in text json; do
	rm -f go
	./keys 300000 &
	helper=$!
	start 'sh -c "until [ -e stop ]; do sleep 0.05; done; wc -l"' --output=$format -w -x aggsize=512m -qn 'BEGIN { system("touch go"); }
		syscall::lseek:entry /execname == "keys"/ { @[arg1] = count(); } tick-100ms { printa(@); }'
	await test -e go
	sleep 1
	interrupt 1000 INT INT
	over
done

# ---- names: a program with 300,000 functions is read when its stacks are printed
cat >big.s <<'END'
.macro function
.globl f_\@
.type f_\@, @function
f_\@: ret
.size f_\@, 1
.endm
.rept 300000
function
.endr
.globl main
main: jmp main
.section .note.GNU-stack, "", @progbits
END
${CC:-cc} -o big big.s || complain "cannot assemble"
rm -f end
start cat -wqn 'profile-499 /pid == $target && arg1/ { @[ufunc(arg1)] = count(); } tick-300ms { exit(0); } END { system("touch end"); }' -c ./big
await test -e end
interrupt 1000 INT
over

# ---- a page with 500,000 stacks, while it is made
rm -f go end
./keys 500000 &
helper=$!
start cat --output=flamegraph:page.html -x aggsize=1g -wqn 'BEGIN { system("touch go"); } END { system("touch end"); }
	syscall::lseek:entry /execname == "keys"/ { @[arg1, ustack()] = count(); }
	syscall::lseek:entry /execname == "keys" && arg1 == 499999/ { exit(0); }'
await test -e end
interrupt 1000 INT
[[ ! -e page.html ]] || complain "half a page has its name"
over

# ---- the live page, with and without a reader of it
start cat --web=0 -n 'syscall:::entry { @[probefunc] = count(); } tick-1s { printf("started\n"); }'
await said started
interrupt 1000 INT
[[ $status == 0 ]] || complain "status $status: $(<err.txt)"
over

# ---- the agent, whose server does not answer; its /etc is its own, whatever the machine's has
if ! command -v unshare >/dev/null; then
	echo "the agent is not tried" >&2
else
	mkdir -p etc spool
	cp -a /etc/ld.so.cache /etc/passwd /etc/group etc
	printf '[agent]\nurl = http://127.0.0.1:9/\nspool = %s/spool\npoll = 1s\n' "$PWD" >etc/dtrace.conf
	what="dtrace --agent"
	rm -f pid.txt done.txt
	{ "${as_in_terminal[@]}" unshare -m sh -c 'mount --bind etc /etc && echo $$ >pid.txt; exec "$0" --agent' "$DTRACE" >out.txt 2>err.txt </dev/null; echo $? >done.txt; } &
	shell=$!
	until [[ -s pid.txt ]]; do sleep 0.01; done
	pid=$(<pid.txt)
	await said 'the agent begins' err.txt
	interrupt 1000 INT
	over
fi
finish
