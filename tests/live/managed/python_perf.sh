#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Under -X perf, where Python calls each function by a piece of code of its own, stacks are whole: jstack() shows each function
# once, ustack() the pieces by the names that Python gives them.
# @timeout 60
. "$SRCDIR/tests/live/managed/pythons.sh"
pythons 3.12 3.13

cat >calls.py <<'PY'
import os

open("pid", "w").write(str(os.getpid()))

def inner():
    os.getppid()

def outer():
    inner()

for _ in range(3):
    outer()
PY

for python in "${pythons[@]}"; do
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target && ++n == 3/ { jstack(); ustack(); }' -o stacks \
		-c "$python -S -X perf calls.py" || exit 1
	rm -f "/tmp/perf-$(<pid).map" # Python leaves it
	"$python" -V
	sed -nE 's/^ *//; s/`(py::[^:]*):.*/ \1/p; s/^(python)`(.*)/\1 \2/p; s/.*`_start.*/_start/p' stacks >got
	rm stacks
	diff got - <<'EOT' || exit 1
python inner (calls.py:6)
python outer (calls.py:9)
python <module> (calls.py:12)
_start
[jit] py::inner
[jit] py::outer
[jit] py::<module>
_start
EOT
done
