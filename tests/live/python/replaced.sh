#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A function that comes to be in the memory where another one was is not counted as that one.
# @timeout 120
. "$SRCDIR/tests/live/python/python.inc"
needs_notes
cat >replaced.py <<'PY'
import sys
source = "def %s(): return id(%s.__code__)\nresult = %s()"
def make(name):
    scope = {"__name__": "made"}
    exec(source % (name, name, name), scope)
    return scope
print("ready", flush=True)
old = make("first")
places = {old["result"]}
for number, line in enumerate(sys.stdin, 1):
    if line.strip() == "call":
        old["first"]()
    else:
        del old
        for i in range(500):
            places.add(make("second%d" % i)["result"])
    print("round", number, len(places), flush=True)
PY
start "$py" replaced.py
trace 'python$target:made::entry { @[probefunc] = count(); }'
calls call
calls free
finish
expect "first 1"
[[ $(sed -n 's/^round 2 //p' py.out) -lt 400 ]] || die "no memory was used again"
awk '$1 ~ /^second/ && $2 != 1 { print; bad = 1 } END { exit bad }' dt.out || die "one is counted as another"
