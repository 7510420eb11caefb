#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A function of WebAssembly is an unknown frame, which is counted; the functions that call it have their names and lines.
# @needs node
# @timeout 120
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
cat >wasm.js <<'JS'
// (func (export "spin") (param i32) (result i32) (local i32): adds n, n - 1, ... 1 in a loop
const code = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0,
	7, 8, 1, 4, 0x73, 0x70, 0x69, 0x6e, 0, 0, 10, 27, 1, 25, 1, 1, 0x7f, 3, 0x40, 0x20, 1, 0x20, 0, 0x6a, 0x21, 1,
	0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 1, 0x0b]);
const { spin } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
if (spin(10) !== 55)
	throw new Error("spin");
function callsWasm(n) { return spin(n) + 1; }
function outer() {
	let s = 0;
	process.ppid; // getppid(2): begin
	for (;;)
		s += callsWasm(100000);
}
outer();
JS
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { begun = 1; }
	profile-997 /begun && pid == $target && tid == pid/ { @[jstack()] = count(); n++; }
	profile-97 /n >= 500/ { exit(0); }' -c "node wasm.js" >traced 2>errors || { cat errors; exit 1; }
skip_refused errors
grep -Eq '^dtrace: [0-9]{3} frames of jstack\(\) without a name$' errors || { cat errors; exit 1; }
grep -A3 '<unknown js function>' traced | tr -d '\n' | grep -Eq '`callsWasm \(wasm.js:8\)[^`]*`outer \(wasm.js:13\)[^`]*`<anonymous> \(wasm.js:(15|1\+)\)' ||
	{ tail -n 40 traced; exit 1; }
