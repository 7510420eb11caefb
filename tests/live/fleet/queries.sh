#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each query of docs/fleet.md, on two shards: its answer is what the senders printed.
# @needs python3
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 180
. "$SRCDIR/tests/live/fleet/servers.bash"
unshare --uts true 2>/dev/null || { echo "no UTS namespaces"; exit 77; }
servers a b
start a
start b
schema a clickhouse:fleet
schema b clickhouse:fleet

cat >io.d <<'END'
#pragma D option quiet
BEGIN { this->fault = *(int *)0; }
tick-10ms /n < 40/ { n++; @lat["fast"] = quantize(1000); @lat["disk"] = quantize($1); @calls["fast"] = count(); @calls["disk"] = count(); }
tick-10ms { @size["disk"] = avg(n); @longest = max($1 + n); @cpu[stack()] = count(); }
tick-1300ms { exit(0); }
END { printa("size %@d\n", @size); printa("longest %@d\n", @longest); printa("%k %@d\n", @cpu); }
END
run() { # HOST LATENCY
	unshare --uts sh -c 'hostname "$1" && shift && exec "$@"' sh "$1" "$DTRACE" -x spool="$PWD/spool" --output=text \
		--output="clickhouse:http://127.0.0.1:${http[a]}/" --output=folded:"$1.folded" -s io.d "$2" >"$1.txt" 2>"$1.err" || complain "$1: $(<"$1.err")"
}
run h1 1000
run h2 1000
run h3 1000000
for ((i = 0; i < 100; i++)); do
	[[ $(sql a "SELECT count(DISTINCT host) FROM dtrace.sends") == 3 ]] && break
	sleep 0.1
done

# yesterday each stack had one less
sql a "INSERT INTO dtrace.numbers (prog, agg, ts, ms, host, run, key, stack, function, value)
	SELECT prog, agg, ts - 86400, ms, host, run, key, stack, function, value - (rowNumberInAllBlocks() = 0)
	FROM (SELECT * FROM dtrace.numbers FINAL WHERE agg = 'cpu')"
sleep 1

# Each block of the page goes to N.sql.
awk '/^```sql/ { n++; on = 1; next } /^```/ { on = 0 } on { print > (n ".sql") }' "$SRCDIR/docs/fleet.md"
answer() { # PATTERN: of the only query that has it
	local file
	file=$(grep -l -- "$1" ./*.sql)
	[[ $(wc -w <<<"$file") == 1 ]] || complain "not one query has $1: $file"
	asked+=" $file"
	clickhouse-client --port "${tcp[b]}" <"$file" 2>&1
}
expect() { # PATTERN RESULT
	local got
	got=$(answer "$1")
	[[ $got == "$2" ]] || complain "$1: $got
 not $2"
	asked+=" $(grep -l -- "$1" ./*.sql)"
}
expect 'toStartOfHour' "$(sql a "SELECT toStartOfHour(max(ts)) FROM dtrace.distributions")"$'\t1048575'
expect 'p99 DESC' $'h3\t1048575\nh1\t1023\nh2\t1023'
expect 'AS slow' $'disk\th3\t40'
got=$(answer 'AS values' | awk -F '\t' '{ n[$2 " " $3] += $4 } END { for (i in n) print i, n[i] }' | sort)
[[ $got == $'512 1023 200\n524288 1048575 40' ]] || complain "heat map: $got"
asked+=" $(grep -l 'AS values' ./*.sql)"
got=$(answer 'by_second' | cut -f 1,2)
[[ $got == $'disk\t120\nfast\t120' ]] || complain "calls: $got"
asked+=" $(grep -l 'by_second' ./*.sql)"
got=$(answer 'AS mean' | awk '{ print $1, int($2) }')
[[ $got == "$(for h in h1 h2 h3; do echo "$h $(sed -n 's/^size //p' $h.txt)"; done)" ]] || complain "mean: $got"
asked+=" $(grep -l 'AS mean' ./*.sql)"
expect 'argMax(host' "$(sed -n 's/^longest //p' h3.txt)"$'\th3\t'"$(sql a "SELECT min(since) FROM dtrace.numbers WHERE agg = 'longest' AND host = 'h3'")"
got=$(answer 'AS grew' | head -n 1 | cut -f 2)
[[ $got == 1 ]] || complain "grew: $got"
asked+=" $(grep -l 'AS grew' ./*.sql)"
answer 'arrayReverse' | sort >fleet.folded
asked+=" $(grep -l 'arrayReverse' ./*.sql)"
cat h?.folded | grep -v '^.no stack. ' | awk '{ n = $NF; sub(/ [0-9]+$/, ""); total[$0] += n } END { for (i in total) print i " " total[i] }' | sort >hosts.folded
diff hosts.folded fleet.folded || complain "folded stacks"
[[ -s fleet.folded && $(<fleet.folded) == *';'* ]] || complain "no stacks: $(<fleet.folded)"
expect 'AS times' $'h1\tfault\tinvalid address (0x0)\t1\nh2\tfault\tinvalid address (0x0)\t1\nh3\tfault\tinvalid address (0x0)\t1'
expect 'rows_lost' ''
expect 'AS last' ''
sql a "INSERT INTO dtrace.sends (prog, host, run, batch, ts, lost) VALUES ('io', 'h9', 1, 2, now() - 100, 7)"
sleep 1
expect 'rows_lost' $'h9\t1\t1\t7'
got=$(answer 'AS last' | cut -f 1)
[[ $got == h9 ]] || complain "silent: $got"
asked+=" $(grep -l 'AS last' ./*.sql)"
[[ $(tr ' ' '\n' <<<"$asked" | sort -u | grep -c .) == $(find . -name '*.sql' -path './[0-9]*' | wc -l) ]] ||
	complain "queries that nobody asked: $(tr ' ' '\n' <<<"$asked" | sort -u)"
exit $bad
