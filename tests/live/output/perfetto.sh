#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=perfetto: records are instants on the tracks of their threads; with -F entry and return are slices.
# @needs python3
# @timeout 120
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v protoc >/dev/null || { echo "there is no protoc"; exit 77; }
bad=0
triggers=$BUILD/tests/live/triggers
read=$SRCDIR/tests/live/output/read

complain() {
	echo "$1"
	bad=1
}

trace() { # OPTION...
	status=0
	rm -f j
	"$DTRACE" --output=perfetto:t --output=json:j -q "$@" >out.txt 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "0 " ]] || complain "$*: status $status, $(<err.txt)"
	protoc -I "$read" --decode=perfetto.protos.Trace trace.proto <t >t.txt 2>protoc.txt && [[ ! -s protoc.txt ]] ||
		complain "$*: protoc says $(<protoc.txt)"
	python3 -B "$read/trace.py" <t.txt >events || complain "$*: not a trace"
}

# EVENT NAME of the program's thread, with the thread's number as 1, 2 ... in the order of appearance
names() {
	awk -F '\t' '{ split($1, t, "/"); if (!(t[3] in n)) n[t[3]] = ++k; print t[1], n[t[3]], $2, $3 }' events
}

expect() { # WHAT TEXT
	[[ $(names) == "$2" ]] || complain "$1: $(names)"
}

# values of each kind, the names of events, more than one item
trace -n 'struct pair { int a; unsigned char b[3]; }; struct pair p;
	BEGIN { p.a = -7; p.b[2] = 9; printf("\n two words \n"); trace(-1); trace((unsigned long long)-1); trace("a\"b"); }
	BEGIN { print(p); } BEGIN { printf("%d %s", 3, "x"); exit(0); }'
want='dtrace	instant	two words	printf='\''\n two words \n'\''	trace 2=-1	trace 3=18446744073709551615	trace 4='\''a"b'\''	probe='\''dtrace:::BEGIN'\''
dtrace	instant	:BEGIN	print={a=-7, b={[2]=9}}	probe='\''dtrace:::BEGIN'\''
dtrace	instant	3 x	printf='\''3 x'\''	printf[0]=3	printf[1]='\''x'\''	exit 2=0	probe='\''dtrace:::BEGIN'\'
[[ $(sed -E 's|^dtrace/[0-9]+/[0-9]+|dtrace|' events) == "$want" ]] || complain "values: $(<events)"

# times are those of the JSON output
sed -nE 's/.*"type":"record".*"time":"?([0-9]+).*/\1/p' j | sort >want
sed -nE 's/^  timestamp: ([0-9]+)$/\1/p' t.txt | sort >got
[[ -s want ]] && cmp -s want got || complain "times: $(<got), not $(<want)"

# without -F there are no slices
trace -n 'syscall::getppid:entry, syscall::getppid:return /pid == $target/ { }' -c "$triggers/calls getppid 2"
expect 'no -F' 'calls 1 instant getppid:entry
calls 1 instant getppid:return
calls 1 instant getppid:entry
calls 1 instant getppid:return'

# with -F, what is between is within; further clauses of a firing neither enter nor leave again
trace -F -n 'syscall::getppid:entry /pid == $target/ { trace(1); } syscall::getppid:entry /pid == $target/ { printf("more"); }
	syscall::getppid:return /pid == $target/ { trace(2); } syscall::getppid:return /pid == $target/ { printf("after"); }' \
	-c "$triggers/calls getppid 2"
expect 'clauses' 'calls 1 begin getppid
calls 1 instant more
calls 1 end getppid
calls 1 instant after
calls 1 begin getppid
calls 1 instant more
calls 1 end getppid
calls 1 instant after'

# a return without its entry is an instant, an entry without its return stays open
trace -F -n 'syscall::getppid:return /pid == $target/ { exit(0); }' -c "$triggers/calls getppid 2"
expect 'no entry' 'calls 1 instant getppid:return'
trace -F -n 'syscall::getppid:entry /pid == $target/ { exit(0); }' -c "$triggers/calls getppid 2"
expect 'no return' 'calls 1 begin getppid
calls 1 open getppid'

# functions that call others, whose return nothing traces: the outer one ends them
frames=$triggers/frames
trace -F -n 'pid$target:frames:outer:entry, pid$target:frames:outer:return, pid$target:frames:middle:entry,
	pid$target:frames:inner:entry, pid$target:frames:inner:return { }' -c "$frames 1"
expect 'nested' 'frames 1 begin outer
frames 1 begin middle
frames 1 begin inner
frames 1 end inner
frames 1 end middle
frames 1 end outer
frames 1 begin inner
frames 1 end inner'

# each thread has a track of its own, and every call is one slice
trace -F -n 'syscall::getppid:entry, syscall::getppid:return /pid == $target/ { }' -c "$triggers/calls threads 3 20"
[[ $(names | awk '$3 == "begin" { n[$2]++ } END { for (t in n) print n[t] }' | tr '\n' ' ') == '20 20 20 ' &&
	$(names | grep -c end) == 60 && $(names | wc -l) == 120 ]] || complain "threads: $(names | sort | uniq -c)"

# what is not a file, and what cannot be written
"$DTRACE" --output=perfetto -qn 'BEGIN { trace(1); exit(0); }' >stream 2>err.txt || complain "stream: $(<err.txt)"
protoc -I "$read" --decode=perfetto.protos.Trace trace.proto <stream | grep -q TYPE_INSTANT || complain "stream: not a trace"
status=0
"$DTRACE" --output=perfetto:/dev/full -qn 'BEGIN { trace(1); exit(0); }' >out.txt 2>err.txt || status=$?
[[ "$status $(<err.txt)" == "1 dtrace: "*"No space left on device" ]] || complain "full: $status $(<err.txt)"
status=0
"$DTRACE" --output=perfetto:none -qn 'BEGIN { trace(nope); }' >out.txt 2>err.txt || status=$?
[[ $status == 1 && ! -e none ]] || complain "a program that does not compile: $status, or a file"
exit $bad
