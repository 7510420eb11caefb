#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where memory is short buffers are halved until it suffices, or with bufresize=manual it is an error.
# @ref options 3 bufresize
# @ref cli 3.2 size-lowered
# @ref options 5.1 bufresize
. "${0%/*}/lib.sh"

# a memory controller of either version that we may make a group in
group=
if [[ -w /sys/fs/cgroup/memory/cgroup.procs ]]; then
	group=/sys/fs/cgroup/memory/dtrace-test.$$ limit=memory.limit_in_bytes
elif grep -qw memory /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null; then
	group=/sys/fs/cgroup/dtrace-test.$$ limit=memory.max
fi
[[ -n $group ]] && mkdir "$group" 2>/dev/null || { echo "no memory control group can be made"; exit 77; }
trap 'for _ in {1..50}; do rmdir "$group" 2>/dev/null && break; sleep 0.1; done' EXIT
echo 60m >"$group/$limit" || { echo "its limit can't be set"; exit 77; }

# shellcheck disable=SC2016
limited() { # OPTION...
	try bash -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$DTRACE" "$@" -qn 'syscall::getppid:entry
		/pid == $target && self->n++ < 2/ { printf("here\n"); }' -c "$BUILD/tests/live/triggers/calls getppid 5"
}

limited -b 64m
expect_status 0
expect_out $'here\nhere\n\n'
expect_match stderr "$err" '^dtrace: buffer size lowered to [0-9]+m'
limited -b 64m -x quietresize
expect_status 0
expect_err ""
limited -b 64m -x bufresize=manual
expect_status 1
expect_match stderr "$err" '^dtrace: could not enable tracing: .*Cannot allocate memory'

# the table of stacks, in programs that keep stacks only; what the runs before had may not have been freed yet
echo 120m >"$group/$limit"
stacks() { # OPTION...
	try bash -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$DTRACE" -x stacksize=256m "$@" -qn 'syscall::getppid:entry
		/pid == $target && self->n++ < 2/ { self->s = stack(); printf("%d\n", self->s == stack()); }' \
		-c "$BUILD/tests/live/triggers/calls getppid 5"
}

stacks
expect_status 0
expect_out $'1\n1\n\n'
expect_match stderr "$err" '^dtrace: stack table size lowered to 128m'$'\n''(dtrace: stack table size lowered to [0-9]+m'$'\n'')*$'
stacks -x quietresize
expect_status 0
expect_err ""
stacks -x bufresize=manual
expect_status 1
expect_match stderr "$err" '^dtrace: could not enable tracing: .*Cannot allocate memory'
limited -x stacksize=256m
expect_status 0
expect_err ""
finish
