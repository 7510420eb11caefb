#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A flame graph counts what several printa() show once: without clear(), with it, after trunc(), joined, and what is left at the end; and a
# sum that falls. Rows whose frames have the same names are added up.
# @vm no: the text of output, the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

cat >numbers.py <<'END'
import json, re, sys
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
picture = json.loads(re.search(r'id="picture">(.*?)</script>', open(sys.argv[1]).read())[1])
for graph in picture["graphs"]:
    numbers, value, shift = [], 0, 0
    for c in graph["nodes"]:
        digit = DIGITS.index(c)
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            numbers.append(value)
            value = shift = 0
    n = 2 + len(graph["values"])
    print(graph["name"], graph["values"][0], sum(numbers[2::n]), "below zero", graph["negative"])
END
"$DTRACE" --output=flamegraph:f.html -qn '
	int n;
	tick-20ms
	{
		@kept[stack()] = count(); @cleared[stack()] = count(); @cut[stack()] = count(); @rest[stack()] = count();
		@a[stack()] = count(); @b[stack()] = count(); @b[stack()] = count(); n++;
	}
	tick-20ms /n % 5 == 0/
	{
		printa("", @kept); printa("", @cleared); clear(@cleared); printa("", @cut); trunc(@cut);
		printa("", @a, @b);
	}
	tick-20ms /n == 40/ { exit(0); }' >/dev/null
"$DTRACE" --output=flamegraph:g.html -qn '
	int n;
	syscall::getppid:entry /pid == $target/
	{
		n++;
		@falls[ustack(1)] = sum(n <= 10 ? 5 : -1); @below[ustack(1)] = sum(-2);
	}
	syscall::getppid:entry /pid == $target && n % 10 == 0/ { printa("", @falls); }' \
	-c "$BUILD/tests/live/triggers/calls getppid 40" >/dev/null
# a process ends between two tables, and its frames have other names in the later one: they count once
table() { # FRAME COUNT...
	echo -n '{"type":"record","cpu":0,"id":1,"provider":"p","module":"","function":"","name":"n","clause":0,"items":['
	echo -n '{"action":"printa","aggregations":[{"name":"ended","id":1,"function":"count"}],"rows":['
	while [[ $# -gt 0 ]]; do
		echo -n '{"keys":[{"kind":"ustack","size":16,"value":[{"address":255,'$1'}],"pid":7}],"values":[{"value":'$2'}]}'${3:+,}
		shift 2
	done
	echo ']}]}'
}
other='"object":"lib.so","symbol":"stays","offset":0'
{
	echo '{"type":"session","schema":2,"version":"0.1"}'
	table '"object":"prog","symbol":"main","offset":4' 10 "$other" 5
	table '"object":"prog","symbol":"main","offset":4' 25 "$other" 6
	table '"text":"0xff"' 30 "$other" 6
	echo '{"type":"end","records":3,"drops":0,"errors":0}'
} >ended.json
"$DTRACE" --view ended.json --output=flamegraph:h.html
[[ $(python3 numbers.py h.html) == "ended count 36 below zero 0" ]] || echo "names that change: $(python3 numbers.py h.html)"

{ python3 numbers.py f.html; python3 numbers.py g.html; } | sort
