#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that are not where we would look: in another mount namespace, deleted, or for another kind of machine.
# @ref providers 15 file-offset grab-process
set -u
. "${0%/*}/lib.sh"

# on a file system that only it sees, and then removed
cp "$here/work" away
unshare -m sh -c 'mkdir -p inside && mount -t tmpfs none inside && cp away inside/ && cd inside && exec ./away add 1 signalled 1 add 2' &
pid=$!
until_true grep -q away /proc/$pid/comm
# shellcheck disable=SC2016
try "$DTRACE" -q -w -n '
pid$target:away:tick:entry /!told++/ { raise(SIGUSR1); }
pid$target:a.out:add:entry { printf("%s %s %d\n", probemod, probefunc, arg0); }' -p $pid
expect_status 0
expect_prints $'away add 2\n'
wait $pid

cp "$here/work" deleted
./deleted add 1 signalled 1 add 3 &
pid=$!
until_true grep -q deleted /proc/$pid/comm
rm deleted
# shellcheck disable=SC2016
try "$DTRACE" -q -w -n '
pid$target:a.out:tick:entry /!told++/ { raise(SIGUSR1); }
pid$target:deleted:add:entry { printf("%s %s %d\n", probemod, probefunc, arg0); }' -p $pid
expect_status 0
expect_prints $'deleted add 3\n'
wait $pid

# 32 bits: where the kernel runs such programs at all
if "$BUILD/tests/live/target/stages_32" >/dev/null 2>&1; then
	# shellcheck disable=SC2016
	try "$DTRACE" -x errtags -n 'pid$target:::entry' -c "$BUILD/tests/live/target/stages_32"
	expect_status 1
	expect_text "32 bits" "$(sed -E 's/process [0-9]+/process N/; s, [^ ]*/stages_32, stages_32,' err.txt)" \
		'dtrace: invalid probe specifier pid$target:::entry: [D_PROC_GRAB] failed to grab process N: stages_32 is not a 64-bit program'
fi
finish
