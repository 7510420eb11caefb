#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dtrace --view: one line that names the file and the line, status 1, and no output, for files that are damaged or foreign.
# No privileges are needed.
# @needs python3
# @vm no: the kernel has no part in it
# @timeout 240
bad=0

complain() {
	echo "$1"
	bad=1
}

refused() { # STATUS MESSAGE OPTION...
	local want="$1 dtrace: $2" status=0
	shift 2
	"$DTRACE" "$@" >out.txt 2>err.txt </dev/null || status=$?
	[[ "$status $(<err.txt)" == "$want" ]] || complain "$*: got $status $(<err.txt), expected $want"
	[[ ! -s out.txt ]] || complain "$*: output: $(<out.txt)"
}

# ---- the command line

session='{"type":"session","schema":2,"version":"0.1"}'
end='{"type":"end","records":0,"drops":0,"errors":0}'
printf '%s\n' "$session" "$end" >empty.json
others='--view not valid in combination with programs, processes or options other than --output, --diff, --fail-on-drops, -F, -o, -q and -x'
for o in '-n BEGIN' '-s x.d' '-l' '-V' '-p 1' '-c true' '-w' '-e' '-B' '--doctor' '--follow'; do
	refused 2 "$others" --view empty.json --output=json $o
done
refused 2 '--view takes one file: --view=empty.json' --view empty.json --output=json more.json
refused 2 '--view can be specified only once' --view empty.json --view empty.json --output=json
refused 2 '--output=text: another output goes to the same place, or is text, too' --view empty.json --output=text:t.txt --output=text
refused 1 'failed to open none.json: No such file or directory' --view none.json --output=csv
refused 1 'failed to read .: Is a directory' --view . --output=csv
refused 1 'failed to write to /dev/full: No space left on device' --view empty.json --output=json:/dev/full
refused 1 'flamegraph: no aggregation has a stack in its key, and no stack is recorded' --view empty.json --output=flamegraph:x.html
ln -s /dev/full full.html
cat >good.json <<J
$session
{"type":"record","time":1,"cpu":0,"id":7,"provider":"p","module":"m","function":"f","name":"n","clause":0,"items":[{"action":"stack","values":[{"kind":"stack","size":8,"value":[{"address":255,"symbol":"a","offset":0}]}]}]}
{"type":"aggregation","aggregations":[{"name":"a","id":1,"function":"count"}],"rows":[{"keys":[{"kind":"int","type":"int","size":4,"signed":true,"value":3}],"values":[{"value":18446744073709551615}]}]}
{"type":"end","records":1,"drops":0,"errors":0}
J
refused 1 'failed to write to full.html: No space left on device' --view good.json --output=flamegraph:full.html

# ---- the file: the line, and what is wrong with it

wrong() { # PROBLEM LINE...
	printf '%s\n' "${@:2}" >wrong.json
	refused 1 "wrong.json:$1" --view wrong.json --output=folded:left.folded --output=csv:left.csv --output=flamegraph:left.html
	[[ $(echo left.*) == 'left.*' ]] || complain "$1: files are left: $(echo left.*)"
	rm -f left.*
}

foreign='this is no output of --output=json: its first line is not of type session'
: >wrong.json
refused 1 'wrong.json: the file is empty' --view wrong.json --output=csv
printf '{"type":"sess' >wrong.json
refused 1 'wrong.json: the file ends before the line of type session' --view wrong.json --output=csv
wrong "1: $foreign" '{"traceEvents":[]}'
wrong "1: $foreign" "$end"
wrong '1: a line must be a JSON object' '[1]'
wrong '1: a line must be a JSON object' 'null'
wrong '1: this is no JSON: invalid char in json text' 'CPU     ID                    FUNCTION:NAME'
wrong '2: this is no JSON: invalid char in json text' "$session" 'garbage' "$end"
wrong '1: schema 99 is unknown; this dtrace reads 1 to 2' "${session/:2/:99}"
wrong '1: member "schema" is not a number' "${session/:2/:\"2\"}"
wrong '1: member "schema" is missing' '{"type":"session"}'
wrong '2: a second session begins here; a file must have one' "$session" "$session"
wrong '1: there is more after the object of type session' "$session$end"
wrong '3: there is more after the line of type end' "$session" "$end" '{"type":"record"}'
wrong '2: this is no JSON: invalid bytes in UTF8 string' "$session" $'{"type":"\xff"}'
wrong '2: it is nested more than 64 levels deep' "$session" "$(printf '{"a":%.0s' {1..70})"
wrong '2: it is nested more than 64 levels deep' "$session" "{\"a\":$(printf '[%.0s' {1..100000})"
head -c 17000000 /dev/zero | tr '\0' x >long.txt
{ echo "$session"; printf '{"type":"'; cat long.txt; echo '"}'; } >wrong.json
refused 1 'wrong.json:2: a string or number is longer than 16777216 bytes' --view wrong.json --output=csv
rm -f long.txt

# a line that fills the memory; members without a meaning are not kept, however many there are
limited() { # KB COMMAND...
	python3 -c '
import resource, subprocess, sys
status = subprocess.run(sys.argv[2:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if used > int(sys.argv[1]):
    print(f"{used} KB")
sys.exit(status)' "$@"
}
{ echo "$session"; printf '{"type":"record","other":[0'; yes ',{"a":[1]},0' | head -n 1000000 | tr -d '\n'; echo ']}'; echo "$end"; } >wrong.json
status=0
limited 50000 "$DTRACE" --view wrong.json --output=csv >out.txt 2>err.txt || status=$?
[[ "$status $(<out.txt)$(<err.txt)" == '1 dtrace: wrong.json:2: member "items" is missing' ]] || complain "many members: $status $(<out.txt) $(<err.txt)"
{ echo "$session"; printf '{"type":"record","items":[0'; yes ',{},0,[],""' | head -n 3000000 | tr -d '\n'; echo ']}'; echo "$end"; } >wrong.json
status=0
limited 400000 "$DTRACE" --view wrong.json --output=csv >out.txt 2>err.txt || status=$?
[[ "$status $(<out.txt)$(<err.txt)" == '1 dtrace: wrong.json:2: the line is too long' ]] || complain "many items: $status $(<out.txt) $(<err.txt)"
rm -f wrong.json

changed() { # LINE PROBLEM SED
	sed -E "$1$3" good.json >changed.json
	cmp -s good.json changed.json && complain "$3 changes nothing"
	wrong "$1: $2" "$(<changed.json)"
}

changed 2 'member "cpu" is missing' 's/"cpu":0,//'
changed 2 'member "cpu" is out of range' 's/"cpu":0/"cpu":-1/'
changed 2 'member "cpu" is out of range' 's/"cpu":0/"cpu":4294967296/'
changed 2 'member "time" is out of range' 's/"time":1/"time":18446744073709551616/'
changed 2 'member "time" is out of range' 's/"time":1/"time":9999999999999999999999999999999999999999999999/'
changed 2 'member "time" is not an integer' 's/"time":1/"time":1e400/'
changed 2 'member "provider" is missing' 's/"provider":"p",//'
changed 2 'member "function" is not a string' 's/"function":"f"/"function":[]/'
changed 2 'member "name" has a NUL character' 's/"name":"n"/"name":"a\\u0000b"/'
changed 2 'member "items" is missing' 's/"items"/"other"/'
changed 2 'an item is no object' 's/"items":\[/&1,/'
changed 2 'action stack has 0 values and needs 1' 's/"values"/"other"/'
changed 2 'action printa has no aggregations' 's/"stack","v/"printa","v/'
changed 3 'an enumeration has more than 8 bytes' 's/"kind":"int","type":"int","size":4,"signed":true,"value":3/"kind":"enum","size":16,"signed":true,"value":3,"enumerator":"0,\\"x\\":1"/'
changed 2 'there is no kind of value "heap"' 's/"kind":"stack"/"kind":"heap"/'
changed 2 'a frame is no object' 's/"value":\[/&"main",/'
changed 2 'member "pid" is missing' 's/"kind":"stack"/"kind":"ustack"/'
changed 2 'bytes that are not hexadecimal' 's/"kind":"stack"(.*)"value":\[.*\]/"kind":"bytes"\1"value":"0g"}]}]/'
changed 2 'an odd number of hexadecimal digits' 's/"kind":"stack"(.*)"value":\[.*\]/"kind":"bytes"\1"value":"012"}]}]/'
changed 3 'there is no aggregating function "mode"' 's/"count"/"mode"/'
for name in '..\/a' 'a b' 'a\\n' '' 1a 'a\\u0000' 'é' 'a;b'; do
	why='the name of an aggregation is no identifier of D'
	[[ $name == *u0000 ]] && why='member "name" has a NUL character'
	changed 3 "$why" "s/\"name\":\"a\"/\"name\":\"$name\"/"
done
changed 3 'a value of @a has no member "buckets"' 's/"function":"count"/"function":"quantize"/'
changed 3 '@a has parameters that lquantize() does not have' 's/"function":"count"/"function":"lquantize","base":0,"limit":9/'
changed 3 '@a has parameters that llquantize() does not have' 's/"function":"count"/"function":"llquantize","factor":10,"low":0,"high":20,"steps":10/'
changed 3 'member "step" is out of range' 's/"function":"count"/"function":"lquantize","base":0,"limit":9,"step":65537/'
changed 3 'a value of @a has no member "sum_of_squares"' 's/"function":"count"/"function":"stddev"/; 3s/"value":18446744073709551615/"value":1,"count":1,"sum":1/'
changed 3 'member "value" is out of range' 's/18446744073709551615/18446744073709551616/'
changed 3 'member "normal" is out of range' 's/"value":18446744073709551615/&,"normal":0/'
changed 3 'a table has no aggregation' 's/"aggregations":\[[^]]*\]/"aggregations":[]/'
changed 3 'a table has 2 aggregations and rows of 1 values' 's/"aggregations":\[([^]]*)\]/"aggregations":[\1,\1]/'
changed 3 'a row has another number of keys than the first one' 's/"rows":\[/&{"keys":[],"values":[{"value":1}]},/'
changed 3 '"rows" has an element that is no object' 's/"rows":\[/&[]/'
changed 3 'member "signed" is missing' 's/"signed":true,//'

# ---- what was there before is kept

echo before >kept.csv
{ cat good.json; echo garbage; } >wrong.json
refused 1 'wrong.json:5: this is no JSON: invalid char in json text' --view wrong.json --output=csv:kept.csv
[[ $(<kept.csv) == before ]] || complain "an older file was changed: $(<kept.csv)"

# ---- a session that was cut short is shown as far as it goes

whole=$(wc -c <good.json)
for at in $(($(head -n 2 good.json | wc -c) + 30)) $((whole - 20)); do
	head -c $at good.json >cut.json
	status=0
	rm -f cut.csv
	"$DTRACE" --view cut.json --output=csv:cut.csv --output=flamegraph:cut.html 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == '0 dtrace: cut.json: the session was cut short' && -s cut.html ]] ||
		complain "cut at $at: $status $(<err.txt)"
	status=0
	"$DTRACE" --view cut.json --output=folded --fail-on-drops >out.txt 2>/dev/null || status=$?
	[[ "$status $(<out.txt)" == '1 a 1' ]] || complain "cut at $at, --fail-on-drops: $status $(<out.txt)"
done
[[ $(<cut.csv) == $'name,key1,value\na,3,18446744073709551615' ]] || complain "cut: $(<cut.csv)"
exit $bad
