#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# The stacks of profile, offcputime, memleak and threadsnoop have the functions of Python by their names.
. "${0%/*}/lib.sh"

py=/usr/bin/python3
"$py" -c 'import sys; sys.exit(not (3, 9) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null ||
	{ echo "needs a Python whose frames are known"; exit 77; }
cat >work.py <<'P'
import os, threading, time
kept = []
with open("pid", "w") as f:
    f.write(str(os.getpid()))
def spins():
    end = time.process_time() + 1
    while time.process_time() < end:
        pass
def naps():
    time.sleep(0.3)
def hoards():
    for i in range(10):
        kept.append(bytearray(200000))
def starts():
    thread = threading.Thread(target=len, args=([],))
    thread.start()
    thread.join()
spins()
naps()
hoards()
starts()
os._exit(0)
P
named() { # TOOL FUNCTION WORD...
	try "$DTRACE" -c "$py work.py" --tool "$1" "${@:3}"
	expect_status 0
	# the tools that trace the whole machine may meet another test's runtime
	err=$(sed -E "/^dtrace: process $(<pid): /b; /^dtrace: process [0-9]+: jstack\(\) (does not know|needs) /d" <<<"$err")
	expect_err ""
	expect_match "$1" "$out" "
 *python\`$2 \(work.py:[0-9]+\)
 *python\`<module> \(work.py:[0-9]+\)
"
}
named profile spins -u
named profile spins
named offcputime naps -u -m 200ms
named offcputime naps -m 200ms
named memleak hoards
expect_text "blocks kept" "$(awk '/`hoards / { here = 1 } / bytes in / { if (here) n += $4; here = 0 } END { print n }' <<<"$out")" 10
named threadsnoop '(starts|Thread.start)' -s
finish
