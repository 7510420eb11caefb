#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Python is in the stack of a system call that sleeps, of a breakpoint in the C library, and, in its own place, between C code that
# calls it.
# @timeout 120
. "$SRCDIR/tests/live/managed/pythons.sh"
pythons 3.9 3.10 3.11 3.12 3.13
[[ -z ${DTRACE_VM-} ]] || pythons=("${pythons[0]}")

cat >calls.py <<'PY'
import functools, os, time

def sleeper():
    time.sleep(0.001)

def asker(a, b):
    os.getppid()

def between():
    functools.reduce(asker, [1, 2])

sleeper()
between()
PY

# The functions of a stack, the object of native ones in place of their names.
names() { sed -n 's/^ \{14\}//p' "$1" | sed -E 's/`.* \((.*)\)$/ \1/; s/`[^ ]*$//; s/^libpython.*/python-c/; s/^python3.*/python-c/' | uniq; }

for python in "${pythons[@]}"; do
	version=$("$python" -V)
	echo "$version"
	between= # two Python functions
	[[ $version == *3.9.* || $version == *3.10.* ]] && between=python-c
	rm -f sleeping asking
	"$DTRACE" -qn 'syscall::clock_nanosleep:entry, syscall::select:entry, syscall::pselect6:entry /pid == $target/ { jstack(); }' \
		-o sleeping -c "$python -S calls.py" || exit 1
	"$DTRACE" -qn 'pid$target:libc.so.6:getppid:entry { jstack(); }' -o asking -c "$python -S calls.py" || exit 1
	diff <(names sleeping) <(sed '/^$/d' <<EOT
libc.so.6
python-c
python calls.py:4
$between
python calls.py:12
python-c
libc.so.6
python-c
EOT
	) || exit 1
	diff <(names asking) <(sed '/^$/d' <<EOT
libc.so.6
python-c
python calls.py:7
python-c
python calls.py:10
$between
python calls.py:13
python-c
libc.so.6
python-c
EOT
	) || exit 1
done
