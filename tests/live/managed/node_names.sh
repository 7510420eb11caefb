#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions of plain node are named, in order, in 95 % of the samples: called seldom, so that each has a frame, and
# often, so that they are inlined into one.
# @needs node
# @timeout 120
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
# where all is slow, the compilers of JavaScript are on top of the stacks for seconds, and the outer loop is interpreted for long
slow=${TIMEOUT_SCALE:-1}
warm=$(((slow - 1) * 500))
cat >busy.js <<'JS'
const turns = Number(process.argv[2]);
function spinLeaf(n) {
	let x = 0;
	for (let i = 0; i < n; i++)
		x = (x + i * i) % 1000003;
	return x;
}
function middleFn(n) {
	return spinLeaf(n) + 1;
}
function handler(n) {
	return middleFn(n) * 2;
}
function outerLoop() {
	let s = 0;
	process.ppid; // getppid(2): begin
	for (;;)
		s = (s + handler(turns)) | 0; // a larger number would be an object, to be collected
}
outerLoop();
JS
for turns in $((1000 * slow)) 1000000; do
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { begun = timestamp + $1 * 1000000; }
		profile-997 /begun && timestamp >= begun && pid == $target && tid == pid/ { @[jstack()] = count(); n++; }
		profile-97 /n >= 1500/ { exit(0); }' -c "node busy.js $turns" $warm >traced 2>errors || { cat errors; exit 1; }
	skip_refused errors
	share=$(python3 "$SRCDIR/tests/live/managed/node_stacks.py" traced spinLeaf middleFn handler outerLoop)
	[[ $share -ge 95 ]] || { echo "$turns turns: all names in $share % of the samples"; exit 1; }
	# the lines are those of the file, inlined or not
	grep -q '`spinLeaf (busy.js:5)' traced || { echo "$turns turns: spinLeaf has no line"; grep -m3 spinLeaf traced; exit 1; }
	! grep '`spinLeaf (busy.js:[^2-6]' traced || { echo "$turns turns: a line outside of spinLeaf"; exit 1; }
done
