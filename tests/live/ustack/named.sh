#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Processes that were named before tracing began, by -p, by a second -p, by a parameter of a script, may end while dtrace does
# nothing: their stacks are whole and have names.
# @ref output 6 user-frame incomplete
# @timeout 60
set -u
cp "$BUILD/tests/live/ustack/bare" named
cat >calls.d <<'D'
#!/usr/sbin/dtrace -s
#pragma tool usage "calls: of one process"
#pragma tool param p pid "the process"
inline pid_t p = 0;
#pragma D option quiet
#pragma D option switchrate=10ms
syscall::getppid:entry /pid == p/ { ustack(); }
syscall::exit_group:entry /pid == p/ { exit(0); }
tick-10ms /!ready++/ { printf("ready\n"); }
D

# Starts a process that waits.
one() { # NAME
	mkfifo "$1"
	./named read calls <>"$1" &
	until [[ $(</proc/$!/syscall) == "0 0x0 "* ]]; do sleep .02; done 2>/dev/null
}
# Lets dtrace, which runs, stand still while the processes end.
ends() { # FIFO...
	local fifo
	until grep -qs ready stacks; do sleep .02; done
	kill -STOP $dtrace
	for fifo; do echo >"$fifo"; done
	for p in "${pids[@]}"; do while [[ -e /proc/$p/exe ]]; do sleep .02; done; done
	kill -CONT $dtrace
	wait $dtrace
	sed -E '/libc\.so\.6`/d; s/\+0x[0-9a-f]+//; s/ +$//' stacks
}

echo "== -p -p"
pids=()
for name in a b; do one $name; pids+=($!); done
"$DTRACE" -q -x switchrate=10ms -o stacks -p "${pids[0]}" -p "${pids[1]}" -n '
	syscall::getppid:entry /execname == "named"/ { ustack(); }
	syscall::exit_group:entry /execname == "named" && ++ended == 2/ { exit(0); }
	tick-10ms /!ready++/ { printf("ready\n"); }' &
dtrace=$!
ends a b
rm stacks

echo "== a parameter"
one c
pids=($!)
"$DTRACE" -o stacks -s calls.d -p "${pids[0]}" &
dtrace=$!
ends c
