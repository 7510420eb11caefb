#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Processes of -c and -p: there before anything is compiled, followed through execve(2) but not fork(2).
# @ref cli 1.1 processes-before-compiling failure-leaves-grabbed failure-kills-created
# @ref cli 5 exec-followed forks-not-followed p-runs-on ends-with-all
set -u
. "${0%/*}/lib.sh"

calls=$BUILD/tests/live/triggers/calls
program() { # NAME LINES...
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
	chmod +x "$1"
}

# $target is a number of the program text, wherever -c stands
try "$DTRACE" -qn 'inline int victim = $target; BEGIN /victim > 1 && $target != $pid/ { printf("%d", victim); }' -c true
expect_status 0
expect_match stdout "$out" $'^[0-9]+\n$'
try "$DTRACE" -ln 'syscall::$$target:entry { }' -c true
expect_match stderr "$err" '^dtrace: failed to match syscall::[0-9]+:entry: '

# it is the same process after execve(2), and another after fork(2)
program execs "exec $calls getppid 3"
program forks "$calls getppid 3"
try "$DTRACE" -qn 'syscall::getppid:entry /pid == $target && execname == "calls"/ { @ = count(); }' -c ./execs
expect_status 0
expect_out $'\n                3\n'
try "$DTRACE" -qn 'syscall::getppid:entry /execname == "calls" && progenyof($target)/ { @[pid == $target] = count(); }' -c ./forks
expect_status 0
expect_match stdout "$out" $'^\n +0 +3\n$'

# the end of the process ends the run, its children live on
program leaves 'sleep 1000 >/dev/null 2>&1 &' 'echo $! >child'
try "$DTRACE" -qn 'END { printf("end"); }' -c ./leaves
expect_status 0
expect_out $'end\n'
kill "$(<child)" || complain "the child of the process is gone"

# a program that does not compile leaves a process that was there as it is, and kills its own
sleep 1000 &
victim=$!
try "$DTRACE" -n 'BEGIN { trace(nope); }' -p $victim -c 'touch made'
expect_status 1
expect_match stderr "$err" 'failed to resolve nope'
expect_text "state of the process" "$(awk '/^State/ { print $2 }' /proc/$victim/status)" S
[[ ! -e made ]] || complain "the created one has run"
try "$DTRACE" -n BEGIN -p $victim -c ./nosuch
expect_status 1
expect_text "state of the process" "$(awk '/^State/ { print $2 }' /proc/$victim/status)" S
kill $victim
wait

finish
