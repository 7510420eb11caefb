#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two shards: each host's rows are on one of them, all are in the answer, and a shard that dies and returns has lost nothing.
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 240
# @slow
. "$SRCDIR/tests/live/fleet/servers.bash"
servers a b
start a
start b
schema a clickhouse:fleet
schema b clickhouse:fleet

# on host NAME, with a spool of its own
on() { # NAME OPTION...
	local host=$1
	shift
	status=0
	unshare --uts sh -c 'hostname "$1" && shift && exec "$@"' sh "$host" "$DTRACE" -x spool="$PWD/spool-$host" --output=text \
		--output="clickhouse:http://127.0.0.1:${http[a]}/" "$@" >out.txt 2>"err-$host.txt" || status=$?
}
unshare --uts true 2>/dev/null || { echo "no UTS namespaces"; exit 77; }
program='BEGIN { @c["x"] = sum(3); @q = quantize(7); } tick-10ms { @c["y"] = count(); @q = quantize(n++); } tick-1200ms { exit(0); }'
program=${program/\"y\"] = count()/\"y\"] = sum(1)}

hosts="h1 h2 h3 h4 h5 h6"
for host in $hosts; do
	on $host -x program=fleet -qn "$program"
	[[ $status == 0 && ! -s err-$host.txt ]] || complain "$host: $status $(<"err-$host.txt")"
	sed -n 's/^ *y  *//p' out.txt >>y.txt
done
want=$(awk '{ n += $1 } END { print n }' y.txt)

# A Distributed table passes rows on a moment after it took them, or when the shard is back.
await() { # SERVER QUERY RESULT WHAT
	local i got
	for ((i = 0; i < 600; i++)); do
		got=$(sql "$1" "$2" 2>&1)
		[[ $got == "$3" ]] && return
		sleep 0.1
	done
	complain "$4: $got, not $3"
}

answers() {
	sql "$1" "SELECT key, sum(value) FROM dtrace.numbers FINAL WHERE prog = 'fleet' GROUP BY key ORDER BY key"
	sql "$1" "SELECT sum(count) FROM dtrace.distributions FINAL WHERE prog = 'fleet'"
	sql "$1" "SELECT groupArray(host) FROM (SELECT DISTINCT host FROM dtrace.sends FINAL WHERE prog = 'fleet' ORDER BY host)"
}
expected=$'[\'x\']\t18\n[\'y\']\t'$want$'\n'$((want + 6))$'\n[\'h1\',\'h2\',\'h3\',\'h4\',\'h5\',\'h6\']'
await a "SELECT count(DISTINCT host) FROM dtrace.sends WHERE prog = 'fleet'" 6 "not all arrive"
[[ $(answers a) == "$expected" ]] || complain "$(answers a), not $expected"
[[ $(answers b) == "$expected" ]] || complain "from the other server: $(answers b)"
for server in a b; do
	n=$(sql $server "SELECT count(DISTINCT host) FROM dtrace.numbers_local")
	[[ $n -gt 0 && $n -lt 6 ]] || complain "hosts of shard $server: $n"
done

# a shard dies: what belongs to it waits and comes when it is back; the other one goes on
stop b
for host in $hosts; do
	on $host -x program=dead -qn "$program"
	[[ $status == 0 ]] || complain "$host, without a shard: $status"
	sed -n 's/^ *y  *//p' out.txt >>dead.txt
	[[ ! -s err-$host.txt && -z $(ls -A "spool-$host") ]] || complain "$host, without a shard: $(<"err-$host.txt")"
done
[[ $(sql a "SELECT count() FROM dtrace.numbers_local WHERE prog = 'dead'") -gt 0 ]] || complain "the shard that lives got nothing"
start b
await a "SELECT sum(value) FROM dtrace.numbers FINAL WHERE prog = 'dead' AND key = ['y']" "$(awk '{ n += $1 } END { print n }' dead.txt)" "after its return"

# it dies and returns while a trace runs, which notices only that
"$DTRACE" -x spool="$PWD/spool" -x sendrate=1s -x program=alive --output=text --output="clickhouse:http://127.0.0.1:${http[b]}/" -x switchrate=100ms -qn '
	BEGIN { printf("ready\n"); } tick-10ms { @c["y"] = sum(1); } tick-6s { exit(0); }' >alive.txt 2>alive-err.txt &
tracer=$!
for ((i = 0; i < 200; i++)); do
	grep -qs ready alive.txt && break
	sleep 0.05
done
sleep 1.5
stop b
sleep 1.5
start b
wait $tracer || complain "alive: $?"
[[ -z $(ls -A spool) ]] || complain "alive: $(<alive-err.txt)"
[[ $(wc -l <alive-err.txt) == 1 && $(<alive-err.txt) == *"rows wait in $PWD/spool" ]] || complain "alive: not one line: $(<alive-err.txt)"
await b "SELECT sum(value) FROM dtrace.numbers FINAL WHERE prog = 'alive'" "$(sed -n 's/^ *y  *//p' alive.txt)" "alive"
got=$(sql b "SELECT count() > 2 FROM dtrace.sends FINAL WHERE prog = 'alive'")
[[ $got == 1 ]] || complain "alive: too few batches"

# sums by second on each shard, from both
schema a clickhouse-rollup:fleet
schema b clickhouse-rollup:fleet
got=$(sql a "SELECT sum(value) FROM dtrace.numbers_1s FINAL WHERE prog = 'fleet' AND key = ['y']")
[[ $got == "$want" ]] || complain "by second: $got"
exit $bad
