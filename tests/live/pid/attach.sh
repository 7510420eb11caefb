#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# @vm no: it takes a minute there; what of it is the kernel's is in the other tests
# Processes given with -p: traced as they run, several at once, let go as they were; killed ones; a tracer that is killed.
# @ref providers 15 only-the-process not-stopped
# @ref cli 2 p
# @ref cli 5 p-runs-on ends-with-all grabbed-left created-killed
set -u
. "${0%/*}/lib.sh"

started=()
trap 'for p in "${started[@]}"; do kill -CONT "$p"; kill -KILL "$p"; done 2>/dev/null' EXIT

# A process of its own that calls tick() until it gets SIGUSR1, then add(N, -N); its pid in $pid.
start() { # N
	"$here/work" signalled 1 add "$1" &
	pid=$!
	started+=("$pid")
}

# two processes by their own descriptions and $target: the first of -p
start 5; one=$pid
start 7; two=$pid
try "$DTRACE" -wqn 'pid$target::tick:entry, pid'"$two"'::tick:entry /!told[pid]/ { told[pid] = 1; raise(SIGUSR1); }
	pid$target:a.out:add:entry { @["target", arg0] = count(); }
	pid'"$two"':a.out:add:entry { @["other", arg0] = count(); }
	END { printa("%s %d %@d\n", @); }' -p "$one" -p "$two"
expect_status 0
expect_err ""
expect_text "sorted stdout" "$(sort out.txt | sed '/^$/d')" $'other 7 1\ntarget 5 1'
wait "$one" "$two"

# a third of the same program that nobody asked about; exit() leaves all running
start 1; one=$pid
start 2; two=$pid
try "$DTRACE" -qn 'pid'"$one"'::tick:entry { @[pid == '"$one"'] = count(); } pid'"$one"'::tick:return /n++ == 20/ { exit(0); }
	END { printa("%d\n", @); }' -p "$one"
expect_status 0
expect_prints $'1\n'
runs_on "$one" && runs_on "$two" || complain "not left running"

# the tracer is killed: the process runs on, its code is as it was
"$DTRACE" -wqn 'pid$target::tick:entry { printf("x\n"); } pid$target:libc::entry { @ = count(); }' -p "$one" >ticks 2>err.txt &
tracer=$!
started+=("$tracer")
until_true test -s ticks
kill -KILL "$tracer"
wait "$tracer" 2>/dev/null
runs_on "$one" || complain "stopped by a tracer that was killed"
what="after the tracer"
kill -USR1 "$one"
wait "$one"
expect_text "its status" "$?" 0

# the process is killed: tracing ends
rm -f ticks
"$DTRACE" -qn 'pid$target::tick:entry { printf("x\n"); } END { printf("end\n"); }' -p "$two" >ticks 2>err.txt &
tracer=$!
started+=("$tracer")
until_true test -s ticks
kill -KILL "$two"
wait "$two" 2>/dev/null
wait "$tracer"
expect_text "the tracer's status" "$?" 0
grep -qx end ticks || complain "no END: $(tail -n 3 ticks)"

# a created one dies with a tracer that is killed, while it is held and while it runs
for when in held runs; do
	rm -f ticks # held: killed as soon as there is a child
	"$DTRACE" -wqn 'pid$target::tick:entry { printf("%d\n", pid); }' -c "$here/work signalled 1" >ticks 2>err.txt &
	tracer=$!
	started+=("$tracer")
	child=''
	if [[ $when == held ]]; then
		for ((i = 0; i < 400; i++)); do
			read -r child _ <"/proc/$tracer/task/$tracer/children" 2>/dev/null && [[ -n $child ]] && break
			sleep 0.01
		done
	else
		until_true test -s ticks
		read -r child <ticks
	fi
	[[ -n $child ]] || complain "$when: no child"
	kill -KILL "$tracer"
	wait "$tracer" 2>/dev/null
	if [[ $when == held ]]; then
		until_true test ! -d "/proc/$child"
	else
		# it is nobody's any more: stopped it must not be
		[[ $(state_of "$child") != [Tt] ]] || complain "$when: left stopped"
		kill -KILL "$child" 2>/dev/null
	fi
done

# stop() stops, and whoever continues it has it running
start 3; one=$pid
"$DTRACE" -wqn 'pid$target::tick:entry /!n++/ { stop(); } pid$target::tick:return /n > 3/ { exit(0); }' -p "$one" >out.txt 2>err.txt &
tracer=$!
started+=("$tracer")
is_stopped() { [[ $(state_of "$one") == T ]]; }
until_true is_stopped
kill -CONT "$one"
wait "$tracer"
expect_text "status after stop()" "$?" 0
runs_on "$one" || complain "left stopped"
kill -USR1 "$one"
wait "$one"

# system() from a probe of the process
start 4; one=$pid
try "$DTRACE" -wqn 'pid$target::tick:entry /!n++/ { system("kill -USR1 %d", pid); } pid$target::add:entry { printf("%d\n", arg0); }' -p "$one"
expect_status 0
expect_prints $'4\n'
wait "$one"

finish
