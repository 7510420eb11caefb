#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/verdict.py names a difference if it is larger than the noise of each version and MARGIN per cent, and if both series
# have it; its status is 1 if something got worse.
# @vm no: does not depend on the kernel

# series FOLDER ROW...: a ROW is "SECTION|LABEL|UNIT|UNTRACED|BASE|NOW"; BASE and NOW are samples, one a round
series() {
	python3 - "$@" <<'P'
import json, os, sys
folder, *rows = sys.argv[1:]
for who in (4, 5):
    samples = [row.split("|")[who].split() for row in rows]
    for n in range(max(map(len, samples))):
        sections = {}
        for row, values in zip(rows, samples):
            section, label, unit, untraced = row.split("|")[:4]
            if n < len(values):
                value = float(values[n])
                tool = {"samples": [value], "untraced": float(untraced), "median": value}
                sections.setdefault(section, []).append({
                    "label": label, "unit": unit, "better": "more" if unit == "M/s" else "less",
                    "tools": {"dtrace": tool, "bpftrace": tool}})
        path = f"{folder}/{'base' if who == 4 else 'now'}.{n + 1}"
        os.makedirs(path)
        json.dump({"sections": [{"name": k, "rows": v} for k, v in sections.items()]}, open(path + "/results.json", "w"))
P
}
# judged LABEL VERDICT: in the last table
judged() {
	[[ $(sed -n "s/^[a-z]*: $1, .*  //p" out) == "$2" ]] || { echo "$1 is not $2:"; cat out; exit 1; }
}
# verdict STATUS SERIES...
verdict() {
	local status=0 expected=$1
	shift
	"$SRCDIR/bench/verdict.py" "$@" >out 2>&1 || status=$?
	[[ $status == "$expected" ]] || { echo "status $status, not $expected: $*"; cat out; exit 1; }
}

quiet='100 101 99 100' loud='100 140 60 100'
series first "a|more|ns|0|$quiet|120 121 119 120" "a|equal|ns|0|$quiet|101 100 100 102" "b|fewer|ns|0|$quiet|80 81 79 80" \
	"b|noisy base|ns|0|$loud|120 121 119 120" "b|noisy now|ns|0|$quiet|120 160 80 120" \
	"b|below the margin|ns|0|100 100 100 100|101 101 101 101" "b|above the margin|ns|0|100 100 100 100|103 103 103 103" \
	"b|margin of the whole|ns|900|100 100 100 100|115 115 115 115" "c|memory|MiB|0|4 4 4 4|5 5 5 5" \
	"c|less memory|MiB|0|5 5 5 5|4 4 4 4" "c|rate|M/s|0|10 10 10 10|8 8 8 8" "c|listed|lines|0|10 10 10 10|12 12 12 12" \
	"d|negative|ns|500|-1 -1 -1 -1|-30 -30 -30 -30" "d|only base|ms|0|$quiet|" "d|only now|ms|0||$quiet" "d|once|ms|0|1|9"
verdict 1 first
judged more slower
judged equal same
judged fewer faster
judged 'noisy base' same
judged 'noisy now' same
judged 'below the margin' same
judged 'above the margin' slower
judged 'margin of the whole' same
judged memory larger
judged 'less memory' smaller
judged rate slower
judged listed other
judged negative faster
judged 'only base' missing
judged 'only now' new
judged once unknown
grep -qE '^a: more, ns +100.00 +120.00 +1.20 +1.00 +slower$' out || { cat out; exit 1; }

# only what differs is measured again; the second series has its sections, and both must agree
verdict 0 -s first
[[ $(<out) == $'a\nb\nc\nd' ]] || { cat out; exit 1; }
series one "a|time|ns|0|$quiet|120 121 119 120" "b|time|ns|0|$quiet|$quiet"
verdict 1 one
verdict 0 -s one
[[ $(<out) == a ]] || { cat out; exit 1; }
series again "a|time|ns|0|$quiet|$quiet"
verdict 0 one again
series slower "a|time|ns|0|$quiet|130 131 129 130"
verdict 1 one slower
grep -qE '^a: time, ns .* 130.00 +1.30 .*slower$' out && grep -qE '^b: time, ns .*same$' out || { cat out; exit 1; }
series faster "a|time|ns|0|$quiet|80 81 79 80"
verdict 0 one faster
MARGIN=50 verdict 0 one slower
series two "a|time|ns|0|$quiet|120 121 119 120" "a|other|ns|0|$quiet|$quiet"
series crossed "a|time|ns|0|$quiet|$quiet" "a|other|ns|0|$quiet|120 121 119 120"
verdict 0 two crossed
judged other same
series good "a|time|ns|0|$quiet|80 81 79 80"
verdict 0 good
judged time faster
mkdir empty
verdict 1 empty
grep -q 'no rows' out || { cat out; exit 1; }
