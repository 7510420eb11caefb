#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 60
# CPython's own probes: it collects as often as its script says, and opens what audit says.
# @ref providers 16.3 note semaphore
# @ref providers 16.4 user-pointers
set -u
. "${0%/*}/lib.sh"

python=
for p in /usr/bin/python3 "$(command -v python3)"; do
	readelf -n "$p" 2>/dev/null | grep -q 'Name: gc__start' && python=$(readlink -f "$p") && break
done
[[ -n $python ]] || { echo "no python3 with probes"; exit 77; }
cat >work.py <<'END'
import gc
gc.disable()
for i in range(5):
    a = []
    a.append(a)
    del a
    gc.collect(i % 3)
open("/dev/null").close()
END
gc='python$target:::gc-start { self->generation = arg0; } python$target:::gc-done { @[self->generation] = count(); @freed["freed"] = sum(arg0); }'
audit='python$target:::audit /copyinstr(arg0) == "open"/ { @opened["open"] = count(); }'
# the interpreter collects by itself before the script and after it
cat >nothing.py <<'END'
import gc
gc.disable()
END
count() { # SCRIPT
	try "$DTRACE" -q -c "$python -S -E $1" -n "$gc" -n "$audit"
	expect_status 0
	awk 'NF == 2 { n[$1] += $2 } END { print n[0] + 0, n[1] + 0, n[2] + 0, n["open"] + 0 }' out.txt
}
read -r a0 a1 a2 ao < <(count work.py)
read -r b0 b1 b2 bo < <(count nothing.py)
what="collections of each generation, files opened"
expect_text "more than without" "$((a0 - b0)) $((a1 - b1)) $((a2 - b2)) $((ao - bo))" "2 2 1 1"

# by name, args[] have the sizes of the note
try "$DTRACE" -q -c "$python -S -E work.py" -n 'python$target:::gc-start /args[0] == 1/ { n++; } END { printf("%d\n", n); }'
expect_status 0
expect_match "generation 1" "$out" $'^[1-9][0-9]*\n'
finish
