#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A kernel stack that the kernel has no room for is marked, as a key, a variable and in a record; one that has as many frames as were
# asked for is not.
# @ref output 13 stack
[[ -e /run/busybox ]] || { echo "it changes a setting of the machine: in QEMU alone"; exit 77; }
. "$SRCDIR/tests/live/buffers/lib.sh"
was=$(</proc/sys/kernel/perf_event_max_stack)
echo 3 >/proc/sys/kernel/perf_event_max_stack || exit 1
trap 'echo $was >/proc/sys/kernel/perf_event_max_stack' EXIT
marks() { # FRAMES
	try -c "$triggers/calls getppid 1" --output=json:out.json -n '
		syscall::getppid:entry /pid == $target/ { @["key", stack('$1')] = count(); self->s = stack('$1'); stack('$1'); printf("%k", self->s); }'
	try -c "$triggers/calls getppid 1" -n '
		syscall::getppid:entry /pid == $target/ { @["key", stack('$1')] = count(); self->s = stack('$1'); stack('$1'); printf("%k", self->s); }'
}
marks 20
expect "20: marks" "$(grep -c '^ *\.\.\.$' out.txt)" 3
expect "20: JSON" "$(grep -o '"complete":false' out.json | wc -l)" 3
marks 1
expect "1: marks" "$(grep -c '^ *\.\.\.$' out.txt)" 0
exit $bad
