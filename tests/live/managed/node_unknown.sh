#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A V8 that jstack() does not know is refused by its version, and its stacks are shown as native ones.
# @needs node
# @timeout 120
# @vm no: the kernel has no part in it
cd "$TMPDIR" || exit 1
program=$(readlink -f "$(type -P node)")
cp "$program" node99 || exit 1
python3 - <<'PY' || { echo "this node does not say where its version is"; exit 77; }
import re
import subprocess
import sys

symbols = subprocess.run(["readelf", "-W", "--dyn-syms", "node99"], capture_output=True, text=True).stdout
found = re.search(r"([0-9a-f]+) +\d+ OBJECT .*_ZN2v88internal7Version6major_E", symbols)
segments = subprocess.run(["readelf", "-W", "-l", "node99"], capture_output=True, text=True).stdout
if not found:
    sys.exit(1)
at = int(found[1], 16)
for off, vaddr, size in re.findall(r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)", segments):
    off, vaddr, size = int(off, 16), int(vaddr, 16), int(size, 16)
    if vaddr <= at < vaddr + size:
        with open("node99", "r+b") as f:
            f.seek(at - vaddr + off)
            f.write((99).to_bytes(4, "little"))
            sys.exit(0)
sys.exit(1)
PY
"$DTRACE" -qn 'profile-997 /pid == $target/ { @[jstack()] = count(); n++; } profile-97 /n >= 100/ { exit(0); }' \
	-c "./node99 -e 'for(;;);'" >traced 2>errors || { cat errors; exit 1; }
grep -q 'does not know its V8 99\.[0-9]*; it knows 10.2, 11.3, 12.4 and 13.6' errors || { echo "it was not refused:"; cat errors; exit 1; }
grep -q '`Builtins_\|`v8::' traced || { echo "no native frames"; exit 1; }
