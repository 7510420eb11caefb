#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=clickhouse: what the database adds up is what printa() says, for each function, whatever the names, however often a batch comes.
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 180
. "$SRCDIR/tests/live/fleet/servers.bash"
servers one
start one
schema one clickhouse
schema one clickhouse # again: nothing happens

cat >p.d <<'END'
#pragma D option quiet
BEGIN
{
	@c["'); DROP TABLE dtrace.numbers; --", -1] = count();
	@c["<b>&amp;", 1] = count();
	@c["\377\001\t\n\\'", 2] = count();
	@c["", 3] = count();
	@s["x"] = sum(-9223372036854775807);
	@av["x"] = avg(3);
	@sd["x"] = stddev(900000000000);
	@mn[1] = min(-5);
	@mx[1] = max(-3);
	@nokey = count();
	@q["x"] = quantize(-5, 7);
	@q["x"] = quantize(9223372036854775807);
	@lq = lquantize(-100, 0, 10, 2);
	@ll["x"] = llquantize(55, 10, 0, 3, 10);
	@st[stack(), execname] = count();
	this->fault = *(int *)0;
}
tick-50ms
{
	n++;
	@c["tick", 0] = count();
	@s["x"] = sum(n);
	@av["x"] = avg(n);
	@sd["x"] = stddev(n);
	@mx[1] = max(n);
	@nokey = count();
	@q["x"] = quantize(n);
	@lq = lquantize(n, 0, 10, 2);
	@ll["x"] = llquantize(n, 10, 0, 3, 10);
	@cleared[n % 3] = sum(1);
	@gone[n % 3] = count();
	@kept[n % 7] = count();
	total++;
}
tick-330ms { clear(@cleared); trunc(@gone); trunc(@kept, 2); }
tick-2600ms { exit(0); }
END { printf("n %d\n", total); }
END
ship "http://127.0.0.1:${http[one]}/" -x credentials=/dev/null -s p.d
[[ $status == 1 && $(<err.txt) == *"the file of credentials cannot be read"* ]] || complain "no file of credentials: $status $(<err.txt)"
printf '# who may\nuser=sender\npassword=secret\n' >credentials
chmod 600 credentials
ship "http://127.0.0.1:${http[one]}/" -x credentials=credentials -x confine -s p.d --output=csv:c.csv
[[ $status == 0 && $(grep -vc 'invalid address (0x0)' err.txt) == 0 ]] || complain "status $status: $(<err.txt)"
[[ -z $(ls -A spool) ]] || complain "left in the spool: $(ls spool)"

# what the CSV output has at the end, and the same from the database
numbers() {
	sql one "SELECT agg, arrayStringConcat(arrayMap(k -> hex(k), key), ','), multiIf(any(function) = 'avg',
		toString(intDivOrZero(sum(value), toInt64(sum(n)))), any(function) = 'max', toString(max(value)),
		any(function) = 'min', toString(min(value)), toString(sum(value)))
		FROM dtrace.numbers FINAL WHERE agg NOT IN ('sd', 'st', 'cleared', 'gone', 'kept') GROUP BY agg, key ORDER BY agg, key"
	sql one "SELECT agg, arrayStringConcat(arrayMap(k -> hex(k), key), ','), lo, hi, sum(count)
		FROM dtrace.distributions FINAL GROUP BY agg, key, lo, hi ORDER BY agg, key, lo"
}
printed() {
	python3 -c '
import csv
skip = {"sd", "st", "cleared", "gone", "kept"}
header, rows = None, {0: [], 1: []}
for row in csv.reader(open("c.csv", newline="", errors="surrogateescape")):
    if not row or row[0] == "name":
        header = row or None
        continue
    tail = 3 if header[-3:] == ["low", "high", "count"] else 1
    keys = [k.encode(errors="surrogateescape").hex().upper() for k in row[1:-tail]]
    if row[0] not in skip:
        rows[tail > 1].append((row[0], ",".join(keys), *row[-tail:]))
print(*("\t".join(r) for r in rows[0]), *("\t".join(r) for r in rows[1]), sep="\n")' | sort
}
numbers | sort >database.txt
printed >csv.txt
diff csv.txt database.txt || complain "the database differs from what is printed"
[[ $(wc -l <csv.txt) -ge 20 ]] || complain "too few rows: $(<csv.txt)"
n=$(sed -n 's/^n //p' out.txt)

# clear() and trunc() take nothing from the intervals before them
sums=$(sql one "SELECT agg, sum(value) FROM dtrace.numbers FINAL WHERE agg IN ('cleared', 'gone', 'kept') GROUP BY agg ORDER BY agg")
[[ $sums == $'cleared\t'$n$'\ngone\t'$n$'\nkept\t'$n ]] || complain "$n, after clear() and trunc(): $sums"

# the deviation from the sums
got=$(sql one "SELECT round(sqrt(sum(squares) / sum(n) - pow(sum(value) / sum(n), 2))) FROM dtrace.numbers FINAL WHERE agg = 'sd'")
want=$(sed -n 's/^sd,x,//p' c.csv)
[[ $((got - want)) -ge -1000 && $((got - want)) -le 1000 ]] || complain "stddev: $got, not $want"

# extremes say since when; a second row only where there is a new one
got=$(sql one "SELECT count(), min(since) = max(since) FROM dtrace.numbers FINAL WHERE agg = 'mn'")
[[ $got == $'1\t1' ]] || complain "min: $got"
got=$(sql one "SELECT count() > 1 FROM dtrace.numbers FINAL WHERE agg = 'mx'")
[[ $got == 1 ]] || complain "max: $got"

# stacks, types, faults and the row of the batch
got=$(sql one "SELECT countIf(length(frames) = 0) FROM dtrace.stacks FINAL ANY RIGHT JOIN
	(SELECT stack FROM dtrace.numbers FINAL WHERE stack != 0) USING stack")
[[ $(sql one "SELECT count() FROM dtrace.numbers FINAL WHERE agg = 'st' AND stack != 0") == 1 ]] || complain "no stack: $got"
got=$(sql one "SELECT function, types FROM dtrace.aggregations FINAL WHERE agg = 'st'")
[[ $got == $'count\t[\'stack\',\'string\']' ]] || complain "types: $got"
got=$(sql one "SELECT kind, name, probe, count FROM dtrace.events FINAL")
[[ $got == $'fault\tinvalid address (0x0)\tdtrace:::BEGIN\t1' ]] || complain "events: $got"
got=$(sql one "SELECT prog, host = hostName(), batch, lost FROM dtrace.sends FINAL")
[[ $got == $'p\t1\t1\t0' ]] || complain "sends: $got"

# the same batch once more, from a spool that was copied
count=$(sql one "SELECT count() FROM dtrace.numbers")
stop one
ship "http://127.0.0.1:${http[one]}/" -n 'BEGIN { @["d"] = count(); } tick-1s { exit(0); }'
[[ $status == 0 && $(<err.txt) == *"Connection refused"*"rows stay in $PWD/spool for the next run"* || $(<err.txt) == *"connect"*"rows stay"* ]] ||
	complain "no server: $status $(<err.txt)"
cp -r spool again
start one
ship "http://127.0.0.1:${http[one]}/" -n 'BEGIN { exit(0); }'
[[ -z $(ls -A spool) ]] || complain "not sent by the next run: $(ls spool)"
rmdir spool
mv again spool
ship "http://127.0.0.1:${http[one]}/" -n 'BEGIN { exit(0); }'
got=$(sql one "SELECT count() FROM dtrace.numbers WHERE prog = 'dtrace'")
[[ $got -gt 1 ]] || complain "the batch was not sent twice: $got"
got=$(sql one "SELECT sum(value) FROM dtrace.numbers FINAL WHERE prog = 'dtrace'")
[[ $got == 1 ]] || complain "a repeated batch counts twice: $got"
[[ $(sql one "SELECT count() FROM dtrace.numbers") -gt $count ]] || complain "rows are gone"
numbers | grep -v '^_' | sort | diff database.txt - || complain "a repeated batch changes answers"

# sums by second and by minute, twice; old days go
schema one clickhouse-rollup
schema one clickhouse-rollup
for of in numbers distributions; do
	value=value
	[[ $of == distributions ]] && value=count
	for by in 1s 1m; do
		got=$(sql one "SELECT agg, key, sum($value) FROM dtrace.${of}_$by FINAL WHERE agg NOT IN ('mn', 'mx') GROUP BY agg, key ORDER BY agg, key")
		want=$(sql one "SELECT agg, key, sum($value) FROM dtrace.$of FINAL WHERE agg NOT IN ('mn', 'mx') GROUP BY agg, key ORDER BY agg, key")
		[[ $got == "$want" && $want ]] || complain "${of}_$by: $got, not $want"
	done
done
[[ $(sql one "SELECT max(value) FROM dtrace.numbers_1m FINAL WHERE agg = 'mx'") == "$n" ]] || complain "max by minute"
sql one "INSERT INTO dtrace.numbers (prog, ts) VALUES ('old', now() - 3 * 86400), ('older', now() - 40 * 86400)"
"$DTRACE" --schema=clickhouse-drop | clickhouse-client --port "${tcp[one]}" -nm | clickhouse-client --port "${tcp[one]}" -nm
got=$(sql one "SELECT count() FROM dtrace.numbers WHERE prog LIKE 'old%'")
[[ $got == 0 && $(sql one "SELECT count() FROM dtrace.numbers WHERE prog = 'p'") -gt 0 ]] || complain "old days: $got"
exit $bad
