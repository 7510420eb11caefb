#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Python 3.9 and 3.10 have entries without static probes: at the beginning of the interpreter's loop.  Returns are refused.
# @timeout 120
. "$SRCDIR/tests/live/python/python.inc"
ran=0
for version in 3.9 3.10; do
	py=$(find_python $version)
	[[ $py ]] || { echo "skipped, not installed: Python $version"; continue; }
	ran=1 round=0
	rm -f in
	start "$py" "$SRCDIR/tests/live/python/calls.py"
	trace 'python$target:__main__::entry { @[probemod, probefunc, probename] = count(); }'
	calls 200
	finish
	for f in Cart.add Cart.total Cart.size thrower caught recursive_key; do
		expect "__main__ $f entry 200"
	done
	expect "__main__ plain entry 1000"
	expect "__main__ recursive entry 51"
	expect "__main__ generator entry 201"
	expect "__main__ coroutine entry 400"
	readelf -n "$py" | grep -q function__return ||
		"$DTRACE" -n 'python$target:__main__:plain:return' -p $python 2>&1 |
		grep -q "runs Python $version, which does not tell of returns: functions have probes in" || die "returns of $version"
	exec 9>&-
	wait $python
	python=
done
[[ $ran == 1 ]] || { echo "needs Python 3.9 or 3.10"; exit 77; }
