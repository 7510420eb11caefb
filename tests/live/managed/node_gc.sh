#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names of functions survive garbage collection: after gigabytes of objects, and while they are collected and moved.
# @needs node
# @timeout 240
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
cat >churn.js <<'JS'
let keep = [];
function spinLeaf(n) {
	let x = 0;
	for (let i = 0; i < n; i++) {
		const o = { i, s: 'a' + i, list: [i, i + 1] };
		if (i % 7 === 0)
			keep.push(o);
		x = (x + o.list[0]) % 1000003;
	}
	if (keep.length > 200000)
		keep = [];
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
	for (let turn = 0; ; turn++) {
		if (turn === 2000)
			process.ppid; // getppid(2): begin
		s += handler(10000);
	}
}
outerLoop();
JS
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { begun = 1; }
	profile-997 /pid == $target && tid == pid/ { @met[jstack()] = count(); }
	profile-997 /begun && pid == $target && tid == pid/ { @[jstack()] = count(); n++; }
	profile-97 /n >= 2000/ { trunc(@met); exit(0); }' -c "node --trace-gc churn.js" >traced 2>errors || { cat errors; exit 1; }
skip_refused errors
collections=$(grep -c 'ms: Scavenge\|ms: Mark' traced)
[[ $collections -ge 20 ]] || { echo "only $collections collections"; exit 1; }
share=$(python3 "$SRCDIR/tests/live/managed/node_stacks.py" traced spinLeaf middleFn handler outerLoop)
[[ $share -ge 95 ]] || { echo "all names in $share % of the samples"; exit 1; }
