#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# python$target counts the calls of functions of all kinds exactly: methods, nested, recursive, generators, coroutines, in threads,
# called by C, ended by exceptions, with names of other alphabets.
# @timeout 120
. "$SRCDIR/tests/live/python/python.inc"
needs_notes
start "$py" "$SRCDIR/tests/live/python/calls.py"
trace 'python$target:__main__::entry { @[probemod, probefunc, probename] = count(); }
python$target:__main__::return { @[probemod, probefunc, probename] = count(); }
python$target:*main*:plai*:return { @again["plain again"] = count(); }
python$target:__main__:thrower:entry { @lines[basename(probefile), probeline] = count(); }
python$target:__main__:gr*e:entry { @umlauts["umlauts"] = count(); }'
calls 200
calls 100
finish
n=300
for name in entry return; do
	for f in Cart.add Cart.total Cart.size thrower caught 'turn.<locals>.<lambda>' recursive_key; do
		expect "__main__ $f $name $n"
	done
	# once a thread, by the method, and by map()
	expect "__main__ plain $name $((5 * n))"
	expect "__main__ plain.<locals>.inner $name $((5 * n))"
	expect "__main__ recursive $name $((2 * 51))"
	expect "__main__ worker $name 6"
	expect "__main__ turn $name 2"
	# each value, and the end
	expect "__main__ generator $name $((n + 2))"
	# twice: before and after it waits
	expect "__main__ coroutine $name $((2 * n))"
done
expect "calls.py $(grep -n 'def thrower' "$SRCDIR/tests/live/python/calls.py" | cut -d: -f1) $n"
expect "umlauts $n"
# and the function in it
expect "plain again $((10 * n))"
! grep -q never dt.out || die "a function that was not called"
[ -s dt.err ] && grep -v matched dt.err && die "dtrace complains"
[ -s py.err ] && die "Python complains"
exit 0
