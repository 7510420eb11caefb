#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions that a program makes while it is traced: what was counted, and what dtrace says that it missed, are all calls.
# @timeout 120
. "$SRCDIR/tests/live/python/python.inc"
needs_notes
cat >started.py <<'PY'
import os, time

# the search for new functions reads all memory, and a slow machine needs longer for it
pause = 0.001 * int(os.environ.get("TIMEOUT_SCALE", "1"))

def early(): pass

for i in range(1000):
    early()
    time.sleep(0.0005)
open("late.py", "w").write("def late(): pass\nclass A:\n    def m(self): late()\n")
import late
for i in range(500):
    late.A().m()
    time.sleep(pause)
PY
"$DTRACE" -q -n 'python$target:__main__:early:entry { @["early"] = count(); }
python$target:late::entry { @[probefunc] = count(); }' -c "$py started.py" >dt.out 2>dt.err || die "status $?"
count() { awk -v f="$1" '$1 == f { n = $2 } END { print n + 0 }' dt.out; }
missed=$(sed -n 's/^dtrace: \([0-9]*\) missed firings\? of functions that were met for the first time$/\1/p' dt.err |
	awk '{ n += $1 } END { print n + 0 }')
early=$(count early) late=$(count late) m=$(count A.m) bodies=$(($(count '<module>') + $(count A)))
echo "early $early late $late m $m missed $missed"
[[ $early -gt 100 && $late -gt 50 && $m -gt 50 ]] || die "too few"
# the bodies of the module and of its class are calls as well, and may be freed before dtrace sees them
all=$((early + late + m + bodies + missed))
[[ $all -ge 2000 && $all -le 2002 ]] || die "$all of 2000 calls"
