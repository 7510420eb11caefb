#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --diff OLD.json: a flame graph has the numbers of an older session next to its own, of a saved session and of a live one.
# @vm no: the kernel has no part in it
bad=0

complain() {
	echo "$1"
	bad=1
}

try() { # OPTION...
	status=0
	"$DTRACE" "$@" >out.txt 2>err.txt </dev/null || status=$?
}

# The lists of numbers in a page, as src/pictures/picture.h has them: FUNCTION, VALUES and FRAME:NUMBER,... of each node with a number.
numbers() { # PAGE
	python3 - "$1" <<'P'
import json, re, sys
text = re.search(r'<script type="application/json" id="picture">(.*?)</script>', open(sys.argv[1]).read(), re.S).group(1)
picture = json.loads(text)
digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
def unpack(s):
    n = shift = 0
    for c in s:
        d = digits.index(c)
        n |= (d & 31) << shift
        shift += 5
        if not d & 32:
            yield n
            n = shift = 0
frames = list(unpack(picture["frames"]["list"]))
names = [picture["frames"]["names"][i] for i in frames[::5]]
for g in picture["graphs"]:
    k, list_ = len(g["values"]), list(unpack(g["nodes"]))
    nodes = [list_[i : i + 2 + k] for i in range(0, len(list_), 2 + k)]
    print(g["name"], g["function"], "/".join(g["values"]),
        *(names[n[1]] + ":" + ",".join(map(str, n[2:])) for n in nodes if any(n[2:])))
P
}

stack() { # FRAME COUNT
	echo '{"keys":[{"kind":"stack","size":16,"value":[{"address":255,"symbol":"'$1'","offset":0},{"address":25,"symbol":"root","offset":0}]}],"values":['$2']}'
}

session() { # FUNCTION ROW...
	local IFS=,
	echo '{"type":"session","schema":2,"version":"0.1"}'
	echo '{"type":"aggregation","aggregations":[{"name":"a","id":1,"function":"'$1'"}],"rows":['"${*:2}"']}'
	echo '{"type":"end","records":0,"drops":0,"errors":0}'
}

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
session count "$(stack same '{"value":10}')" "$(stack gone '{"value":3}')" >old.json
session count "$(stack same '{"value":15}')" "$(stack new '{"value":4}')" >new.json
try --view new.json --diff old.json --output=flamegraph:diff.html
[[ "$status $(numbers diff.html)" == '0 a count count/old count gone:0,3 new:4,0 same:15,10' ]] ||
	complain "counts: $status $(<err.txt) $(numbers diff.html)"

session avg "$(stack same '{"value":5,"count":2,"sum":10}')" >old.json
session avg "$(stack same '{"value":6,"count":3,"sum":18}')" >new.json
try --view new.json --diff old.json --output=flamegraph:diff.html --output=csv:new.csv
[[ "$status $(numbers diff.html)" == '0 a avg count/sum/old count/old sum same:3,18,2,10' ]] ||
	complain "sums: $status $(<err.txt) $(numbers diff.html)"
[[ $(<new.csv) == $'name,key1,value\na,root;same,6' ]] || complain "the older session is in the CSV: $(<new.csv)"

# printa() without clear() repeats what was counted before; what the older session printed is not taken off the newer one
row=$(stack same '{"value":10}')
record='{"type":"record","cpu":0,"id":1,"provider":"p","module":"","function":"","name":"n","clause":0,"items":[{"action":"printa","aggregations":[{"name":"a","id":1,"function":"count"}],"rows":['$row']}]}'
session count "$row" | sed "2i $record" >old.json
session count "$(stack same '{"value":12}')" | sed "2i $record" >new.json
try --view new.json --diff old.json --output=flamegraph:diff.html
[[ "$status $(numbers diff.html)" == '0 a count count/old count same:12,10' ]] || complain "printa(): $status $(<err.txt) $(numbers diff.html)"

# nothing in common, or nothing before
session count >none.json
try --view new.json --diff none.json --output=flamegraph:diff.html
[[ "$status $(numbers diff.html)" == '0 a count count/old count same:12,0' ]] || complain "none: $status $(<err.txt) $(numbers diff.html)"

# ---- what is refused

refused() { # STATUS MESSAGE OPTION...
	local want="$1 dtrace: $2"
	try "${@:3}"
	[[ "$status $(<err.txt)" == "$want" && ! -e left.html ]] || complain "${*:3}: got $status $(<err.txt), expected $want"
}
no='--diff: no output compares with older results; --output=flamegraph does'
refused 2 "$no" --view new.json --diff old.json --output=csv
refused 1 'failed to open none: No such file or directory' --view new.json --diff none --output=flamegraph:left.html
echo '{}' >foreign.json
refused 1 'foreign.json:1: this is no output of --output=json: its first line is not of type session' \
	--view new.json --diff foreign.json --output=flamegraph:left.html
head -n 2 old.json >cut.json
try --view new.json --diff cut.json --output=flamegraph:diff.html
[[ "$status $(<err.txt)" == '0 dtrace: cut.json: the session was cut short' ]] || complain "cut: $status $(<err.txt)"

# ---- a live session

[[ $(id -u) == 0 ]] || exit $bad
refused 2 "$no" --diff old.json -qn 'BEGIN { exit(0); }'
refused 2 '--diff not valid in combination with [-eGhl] options' --diff old.json -l -n BEGIN
refused 1 'could not enable tracing: foreign.json:1: this is no output of --output=json: its first line is not of type session' \
	--diff foreign.json --output=flamegraph:left.html -qn 'BEGIN { @[stack()] = count(); exit(0); }'
count() { # CALLS OPTION...
	"$DTRACE" -c "$BUILD/tests/live/triggers/frames $1" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(2)] = count(); }' "${@:2}"
}
count 3 --output=json:live.json
count 5 --diff live.json --output=flamegraph:diff.html
[[ $(numbers diff.html) == '_ count count/old count inner:5,3 inner:1,1' ]] || complain "live: $(numbers diff.html)"
exit $bad
