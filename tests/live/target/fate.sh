#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# What becomes of processes when dtrace dies: created ones die with it, held or running; their children and those of -p
# live on, and -p neither stops nor traces.
# @ref providers 15 not-stopped
# @ref cli 1.1 failure-leaves-grabbed failure-kills-created
# @ref cli 5 p-runs-on created-killed grabbed-left forks-not-followed ends-with-all
set -u
. "${0%/*}/../cli/lib.sh"

programs=$BUILD/tests/live/target

script() { # NAME LINES...
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
	chmod +x "$1"
}
# Of a process that has ended nothing is left; a zombie would be one that nobody waits for yet.
ended() { [[ ! -e /proc/$1 || $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) == [ZX] ]]; }
wait_until() { # COMMAND...: some seconds
	for _ in {1..500}; do
		"$@" 2>/dev/null && return
		sleep 0.01
	done
	complain "not within seconds: $*"
	return 1
}
state() { awk '/^State/ { print $2 }' "/proc/$1/status"; }
# A child of the shell's that a signal ends: without the shell's word on it.
reap() { wait "$1" 2>/dev/null; }

mkfifo gate
# its main() has not begun: dtrace waits for what BEGIN asked of it
script hold 'echo "$1" >target' 'exec cat gate'
for signal in KILL TERM HUP SEGV; do
	what="SIG$signal while it is held"
	rm -f target ran
	script victim 'touch ran' 'sleep 1000'
	"$DTRACE" -wqn 'BEGIN { system("./hold %d", $target); }' -c ./victim >out.txt 2>err.txt &
	dtrace=$!
	wait_until test -s target || break
	target=$(<target)
	expect_text state "$(state "$target")" t
	if [[ $signal == TERM || $signal == HUP ]]; then
		# those let tracing end in order, when system() is done: the target may run for an instant
		kill -$signal $dtrace
		echo >gate
	else
		kill -$signal $dtrace
	fi
	reap $dtrace
	wait_until ended "$target"
	if [[ $signal == KILL || $signal == SEGV ]]; then
		[[ ! -e ran ]] || complain "the target has run"
		echo >gate # the one that waits there
	fi
done

# when it runs, and has a child
script parent 'sleep 1000 >/dev/null 2>&1 &' 'echo $! >child' 'exec sleep 1000'
for signal in KILL TERM HUP INT QUIT SEGV PIPE; do
	what="SIG$signal while it runs"
	rm -f child
	(trap - INT QUIT; exec "$DTRACE" -qn 'BEGIN { trace($target); }' -x switchrate=10ms -o events.txt -c ./parent) >out.txt 2>err.txt &
	dtrace=$!
	wait_until test -s child || break
	wait_until test -s events.txt || break
	target=$(tr -cd 0-9 <events.txt) child=$(<child)
	rm -f events.txt
	expect_text "\$target is the parent" "$(awk '/^PPid/ { print $2 }' "/proc/$child/status")" "$target"
	expect_text "tracer of the target" "$(awk '/^TracerPid/ { print $2 }' "/proc/$target/status")" 0
	kill -$signal $dtrace
	reap $dtrace
	wait_until ended "$target"
	kill "$child" || complain "the child is gone, too"
done

# -p on a process that has a tracer, which nobody else could be; it is seen, not stopped
what="-p of a traced process"
"$programs/guarded" end >guarded.txt &
guarded=$!
wait_until test -s guarded.txt
victim=$(head -n 1 guarded.txt)
try "$DTRACE" -qn 'syscall::getppid:entry /pid == $target && ++n == 20/ { trace("seen"); exit(0); }' -p "$victim"
expect_status 0
expect_out $'seen\n'
touch end
wait $guarded
expect_text "what its tracer saw" "$(tail -n 1 guarded.txt)" "stops 0 status 0"

# several of each: all are $target's peers, the run ends with the last
what="two -p, two -c"
sleep 1000 &
first=$!
sleep 1000 &
second=$!
"$DTRACE" -n 'BEGIN { trace($target); }' -x switchrate=10ms -p $first -p $second -c true -c 'sleep 1000' >out.txt 2>err.txt &
dtrace=$!
wait_until grep -q "BEGIN *$first" out.txt
kill $first
wait_until grep -q "pid $first has exited" err.txt
kill $second
wait_until grep -q "pid $second has exited" err.txt
last=$(pgrep -P $dtrace -x sleep)
kill -0 $dtrace || complain "ended before the last"
kill "$last"
wait $dtrace || complain "status $?"
grep -q "pid $last terminated by SIGTERM" err.txt || complain "$(<err.txt)"
reap $first
reap $second

finish
