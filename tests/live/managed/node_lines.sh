#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The line of each JavaScript frame is the one of Error().stack, or is marked as the function's first: interpreted, baseline and
# optimised code; calls over several lines, callbacks, constructors, getters, exceptions, generators.
# @needs node
# @timeout 120
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
cat >lines.js <<'JS'
// Each function calls the next in another place of its code.
let rounds = Number(process.argv[2]), want;
Error.stackTraceLimit = 50;
function leaf() {
	if (--rounds > 0)
		return 1;
	want = new Error().stack; return process.ppid; // getppid(2): the sample
}
function first() { return leaf(); }
function second(n) {
	let a = 1;


	return a + [1, 2].map(x =>
		x * n +

		first())[1];
}
class Third {
	constructor() {
		this.x =
			this.getter;
	}
	get getter() {
		try {
			throw new Error("x");
		} catch (e) {
			return second(3);
		} finally {
			this.y = 1;
		}
	}
}
function* generator() {
	for (let i = 0;
		i < new Third().x;
		i++)
		yield i;
}
function last() {

	const long = "                                                                                                                        ";
	for (const i of generator()) if (i > 1) break;
	return long;
}
const many = rounds;
for (let i = 0; i < many && rounds > 0; i++)
	last();
console.log(want.split("\n").filter(l => l.includes("lines.js")).map(l => l.match(/lines.js:(\d+)/)[1]).join(" "));
JS
for turns in 1 300 30000; do
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { jstack(); exit(0); }' -c "node lines.js $turns" >traced 2>errors || { cat errors; exit 1; }
	skip_refused errors
	node lines.js "$turns" >want
	read -ra want <want
	mapfile -t got < <(grep -o 'lines\.js:[0-9+]*' traced | cut -d: -f2)
	exact=0 bad=0
	[[ ${#got[@]} == "${#want[@]}" ]] || bad=1
	for i in "${!want[@]}"; do
		[[ ${got[i]} != "${want[i]}" ]] || exact=$((exact + 1))
		[[ ${got[i]} == "${want[i]}" || ${got[i]} == *+ ]] || bad=1
	done
	# what has run once is interpreted
	[[ $bad == 0 && ($turns != 1 || $exact == "${#want[@]}") && ($turns != 30000 || $exact -ge 5) ]] || {
		echo "$turns turns: lines ${got[*]}; Error().stack has ${want[*]}"
		exit 1
	}
done
