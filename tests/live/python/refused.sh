#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What cannot be traced is refused by name: no Python, another version, a function that is not there, a process that is not.
# @timeout 120
. "$SRCDIR/tests/live/python/python.inc"

# refuses TEXT PID DESCRIPTION
refuses() {
	local out
	out=$(timeout 20 "$DTRACE" -n "$3" -p "$2" 2>&1) && die "accepted: $3"
	[[ $out == *"$1"* ]] || die "$3: $out"
}

sleep 100 &
python=$!
refuses 'does not match any probes' $! 'python$target:::entry'
refuses 'python0 does not contain a valid pid' $! 'python0:::entry'
kill $python
python=
for version in 3.12 3.13; do
	py=$(find_python $version)
	[[ $py ]] || { echo "skipped, not installed: Python $version"; continue; }
	rm -f in
	start "$py" "$SRCDIR/tests/live/python/calls.py"
	refuses "runs Python $version, which does not tell of its functions' calls" $python 'python$target:::entry'
	exec 9>&-
	wait $python
	python=
done
needs_notes
rm -f in
start "$py" "$SRCDIR/tests/live/python/calls.py"
refuses 'does not match any probes' $python 'python$target:__main__:absent:entry'
"$DTRACE" -ln 'python$target:__main__:Cart.*:' -p $python >list || die "cannot list"
for f in add total size; do
	for name in entry return; do
		grep -q "python$python .*__main__ .*Cart.$f $name\$" list || die "$f $name is not listed"
	done
done
line=$(grep -n 'def add(self' "$SRCDIR/tests/live/python/calls.py" | cut -d: -f1)
"$DTRACE" -lvvn 'python$target:__main__:Cart.add:entry' -p $python | grep -q "calls.py:$line\$" || die "no line in the list"
# the static probes of the interpreter are there as before
"$DTRACE" -ln 'python$target:::gc-start' -p $python | grep -q gc-start || die "no static probes"
