#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All sorts of functions have their names, which are printed after the process has ended: asynchronous ones, methods,
# those of worker threads, called back by builtins, in any script, too long for the map of names.
# @needs node
# @timeout 120
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
long=$(printf 'l%.0s' {1..200})
cat >sorts.js <<JS
const { Worker, isMainThread } = require('worker_threads');
function work(n) {
	let x = 0;
	for (let i = 0; i < n; i++)
		x = (x + i * i) % 1000003;
	return x;
}
class Übung {
	größe(n) { return work(n) + 1; }
	static 日本語(n) { return new Übung().größe(n); }
}
const arrow = n => work(n);
const object = { method(n) { return work(n); }, get getter() { return work(1e6); } };
function $long(n) { return work(n); }
function mapper(n) { return work(n); }
function comparer(a, b) { work(1e6); return a - b; }
function replacer(s) { work(1e6); return s; }
function reviver(k, v) { work(1e6); return v; }
function* generator() { for (;;) yield work(1e6); }
async function asyncLeaf(n) { await null; return work(n); }
async function asyncOuter(n) { return await asyncLeaf(n); }
function inWorker() { for (let i = 0; i < 150; i++) work(1e6); }
async function main() {
	const g = generator();
	for (let i = 0; i < 30; i++) {
		Übung.日本語(1e6); arrow(1e6); object.method(1e6); object.getter; $long(1e6);
		[1e6, 1e6].map(mapper); [3, 1, 2].sort(comparer); 'abc'.replace(/b/, replacer);
		JSON.parse('[1]', reviver); g.next(); await asyncOuter(1e6);
		eval('(function evaluated() { return work(1e6); })')();
	}
}
if (isMainThread) { new Worker(__filename); main(); } else { inWorker(); }
JS
"$DTRACE" -qn 'profile-997 /pid == $target/ { @[jstack()] = count(); }' -c "node sorts.js" >traced 2>errors || { cat errors; exit 1; }
skip_refused errors
for name in größe 日本語 arrow method "get getter" mapper comparer replacer reviver generator asyncLeaf evaluated inWorker work "${long:0:159}"; do
	grep -q "\`$name\( (\|\$\)" traced || { echo "no $name"; failed=1; }
done
[[ ! ${failed-} ]] || { cat errors; exit 1; }
! grep -q "${long:0:160}" traced || { echo "a name of more than 159 bytes"; exit 1; }
# who calls whom
python3 - "$SRCDIR" <<'PY' || exit 1
import sys
sys.path.insert(0, sys.argv[1] + "/tests/live/managed")
from node_stacks import has, stacks
all_of = [f for n, f in stacks("traced") for f in [f]]
for chain in ("work größe 日本語 main", "work mapper map main", "work comparer sort main", "work inWorker", "work asyncLeaf",
              "work generator next main", "work evaluated main"):
    if not any(has(f, chain.split()) for f in all_of):
        sys.exit("no stack has " + chain)
PY
