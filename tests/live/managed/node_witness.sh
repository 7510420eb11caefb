#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jstack() and V8's own profiler tell the same of one process: who calls whom, and how the time is shared.
# @needs node
# @timeout 120
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
cat >shared.js <<'JS'
function spin(n) {
	let x = 0;
	for (let i = 0; i < n; i++)
		x = (x * 29 + i) % 1000003; // of integers: V8's profiler loses samples in the C function for others
	return x;
}
function turn(n) {
	let x = 1;
	for (let i = 0; i < n; i++)
		x = (x * 31 + i) % 999983;
	return x;
}
function three(n) { return spin(3 * n); }
function one(n) { return turn(n); }
function callBoth(n) { return three(n) + one(n); }
process.ppid; // getppid(2): begin
for (let i = 0, s = 0; i < 4000; i++) // each takes another time: the clock of samples is not to keep step with them
	s = (s + callBoth(30000 + i * 7919 % 40000)) | 0;
process.ppid;
JS
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { begun++; }
	profile-997 /begun == 1 && pid == $target && tid == pid/ { @[jstack()] = count(); }' \
	-c "node --cpu-prof --cpu-prof-name=own.cpuprofile shared.js" >traced 2>errors || { cat errors; exit 1; }
skip_refused errors
python3 - "$SRCDIR" <<'PY' || exit 1
import json
import sys

sys.path.insert(0, sys.argv[1] + "/tests/live/managed")
from node_stacks import name, stacks

OWN = {"spin", "turn", "three", "one", "callBoth"}


def shares(chains):
    total = sum(chains.values())
    return {k: v / total for k, v in chains.items()}


theirs = {}
profile = json.load(open("own.cpuprofile"))
nodes = {n["id"]: n for n in profile["nodes"]}
parent = {c: n["id"] for n in profile["nodes"] for c in n.get("children", [])}
for i, n in nodes.items():
    chain = []
    while i is not None:
        chain.append(nodes[i]["callFrame"]["functionName"])
        i = parent.get(i)
    chain = tuple(c for c in chain if c in OWN)
    if chain:
        theirs[chain] = theirs.get(chain, 0) + n["hitCount"]
ours = {}
for count, frames in stacks("traced"):
    chain = tuple(n for n in map(name, frames) if n in OWN)
    if chain:
        ours[chain] = ours.get(chain, 0) + count
# V8's profiler counts a tenth of the samples, of inlined functions, for callBoth alone
theirs = {chain: n for chain, n in theirs.items() if chain[0] in ("spin", "turn")}
theirs, ours = shares(theirs), shares(ours)
for chain in theirs.keys() | ours.keys():
    a, b = theirs.get(chain, 0), ours.get(chain, 0)
    if abs(a - b) > 0.12:
        sys.exit(f"{' <- '.join(chain)}: V8 says {a:.0%}, jstack() {b:.0%}")
if ours.get(("spin", "three", "callBoth"), 0) < 0.3:
    sys.exit(f"spin is not where the time is: {ours}")
PY
