#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# END always runs and its output is not lost: a full buffer, ^C and SIGTERM under load, a target that was killed.
# @ref cli 5.1 interrupt terminate newline-then-aggregations
# @ref cli 5.2 end-once end-last
# @ref cli 5 end-after-death
# @ref options 5.1 no-room-drops
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0
triggers=$BUILD/tests/live/triggers

complain() {
	echo "$1"
	bad=1
}

# A burst in the background, which a signal ends when some of it was printed.
interrupted() { # SIGNAL OPTION...
	local signal=$1 i
	shift
	: >out.txt
	env --default-signal=INT "$DTRACE" -q "$@" -n 'syscall::getppid:entry /pid == $target/ { printf("record %d\n", n++); }
		END { printf("end of %s\n", "it"); } END { @["ends"] = count(); }' \
		-c "$triggers/calls getppid 100000000" >out.txt 2>err.txt </dev/null &
	for ((i = 0; i < 400; i++)); do
		[[ -s out.txt || ($* == *policy* && $i -gt 10) ]] && break
		sleep 0.05
	done
	kill -s "$signal" $!
	status=0
	wait $! || status=$?
	[[ $status == 0 ]] || complain "$signal $*: status $status"
	[[ $(grep -c '^end of it$' out.txt) == 1 ]] || complain "$signal $*: END's output is lost"
	[[ $(tail -n 3 out.txt | tr -d '\n') =~ ^"end of it  ends"\ +1$ ]] || complain "$signal $*: $(tail -n 5 out.txt)"
	! grep -qavE '^(record [0-9]+|end of it|  ends +1|)$' out.txt || complain "$signal $*: a torn line"
}
for signal in INT TERM; do
	interrupted $signal -b 4k
	interrupted $signal -b 1m -x switchrate=200ms
	interrupted $signal -b 64k -x bufpolicy=ring
done
interrupted INT -b 64k -x temporal=no

# the full buffer of a target that has died before the first pass, or is killed
for ends in true 'kill -9 $$'; do
	printf '#!/bin/sh\n%s\n%s\n' "$triggers/calls getppid 5000" "$ends" >target
	chmod +x target
	"$DTRACE" -q -b 4k -x switchrate=10s -n 'syscall::getppid:entry /execname == "calls" && progenyof($target)/ { printf("record %d\n", n++); }
		END { printf("end %d\n", n); }' -c ./target >out.txt 2>err.txt </dev/null || complain "$ends: status $?"
	[[ $(grep . out.txt | tail -n 1) == "end $(grep -c ^record out.txt)" ]] || complain "$ends: $(tail -n 3 out.txt)"
	dropped=$(sed -nE 's/^dtrace: ([0-9]+) drops? on CPU [0-9]+$/\1/p' err.txt | awk '{ n += $1 } END { print n + 0 }')
	[[ $(($(grep -c ^record out.txt) + dropped)) == 5000 ]] ||
		complain "$ends: $(grep -c ^record out.txt) records and $dropped drops are not 5000"
done
exit $bad
