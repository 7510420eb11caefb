#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The walker of V8's frames loads and names functions on each kernel.
# @needs node
# @timeout 300
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
echo 'function spinLeaf() { for (;;); } function middleFn() { spinLeaf(); } process.ppid; middleFn();' >loop.js
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { begun = 1; }
	profile-97 /begun && pid == $target && tid == pid/ { @[jstack()] = count(); n++; }
	profile-97 /n >= 20/ { exit(0); }' -c "node loop.js" >traced 2>errors || { cat errors; exit 1; }
skip_refused errors
share=$(python3 "$SRCDIR/tests/live/managed/node_stacks.py" traced spinLeaf middleFn)
[[ $share -ge 80 ]] || { echo "both names in $share % of the samples"; cat errors; exit 1; }
