#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A thousand functions are one program with two places, and each fires.
# @timeout 120
. "$SRCDIR/tests/live/python/python.inc"
needs_notes
{
	for i in {0..999}; do echo "def f$i(): pass"; done
	echo 'import sys
print("ready", flush=True)
for number, line in enumerate(sys.stdin, 1):
    for n in range(int(line)):
        for i in range(1000):
            globals()["f%d" % i]()
    print("round", number, "done", flush=True)'
} >many.py
start "$py" many.py
calls 1
kept() { cat "/proc/$tracer"/fdinfo/* 2>/dev/null | grep -c "^$1:"; }
trace 'python$target:__main__:f7:entry { @[probefunc] = count(); }'
one=$(kept prog_type) links=$(kept link_type)
finish
trace 'python$target:__main__:f[0-9]*:entry { @[probefunc] = count(); @all["all"] = count(); }'
[[ $one -gt 0 && $(kept prog_type) == "$one" ]] || die "$one programs for a function, $(kept prog_type) for a thousand"
[[ $(kept link_type) == "$links" ]] || die "$links links for a function, $(kept link_type) for a thousand"
calls 3
finish
[[ $(grep -cE '^ *f[0-9]+ +3$' dt.out) == 1000 ]] || die "not each function fires"
expect "all 3000"
