#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# @vm no: a database server takes long there
# PostgreSQL's own probes: the queries of one session, as they were sent; those of pgbench, whose server processes come
# while it traces.
# @ref providers 16.4 user-pointers
# @ref providers 16.3 semaphore
set -u
. "${0%/*}/lib.sh"

for bin in /usr/lib/postgresql/*/bin; do :; done
[[ -x $bin/postgres && -x $bin/initdb && -x $bin/pgbench ]] && readelf -n "$bin/postgres" | grep -q query__start || {
	echo "no PostgreSQL with probes"
	exit 77
}
# where another user gets to
dir=$(mktemp -d -p /tmp) && chmod 755 "$dir" && chown nobody "$dir" || exit 1
other=(setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$dir" LC_ALL=C "PGHOST=$dir" PGUSER=pg)
cd "$dir" || exit 1
"${other[@]}" "$bin/initdb" -D data -U pg -A trust --no-sync >init.log 2>&1 || { cat init.log; exit 1; }
"${other[@]}" "$bin/postgres" -D data -k "$dir" -c listen_addresses= -c fsync=off -c autovacuum=off >server.log 2>&1 &
server=$!
trap 'kill -INT $server; wait $server; cd /; rm -rf "${dir:?}"' EXIT
for ((i = 0; i < 200; i++)); do "${other[@]}" "$bin/psql" -Atc 'select 1' postgres >/dev/null 2>&1 && break; sleep 0.1; done

await() { # FILE TEXT
	local i
	for ((i = 0; i < 400; i++)); do
		grep -q "$2" "$1" 2>/dev/null && return
		sleep 0.05
	done
	complain "$1 has no '$2': $(cat "$1")"
}

what="one session"
mkfifo in out
"${other[@]}" "$bin/psql" -qAt postgres <in >out &
exec 5>in 6<out
echo 'select pg_backend_pid();' >&5
read -r -t 20 -u 6 backend
"$DTRACE" -q -x switchrate=20ms -p "$backend" -o events.txt -n 'BEGIN { printf("on\n"); }
	postgresql$target:::query-start { printf("start %s\n", copyinstr(arg0)); self->t = timestamp; }
	postgresql$target:::query-done { printf("done %s %d\n", copyinstr(arg0), timestamp > self->t); }' 2>trace.err 5>&- 6<&- &
tracer=$!
await events.txt '^on'
echo 'select 40 + 2;' >&5
read -r -t 20 -u 6 answer
echo "select 'x';" >&5
read -r -t 20 -u 6 answer
await events.txt "done select 'x';"
exec 5>&- 6<&-
wait $tracer
expect_text events "$(grep . events.txt)" "on
start select 40 + 2;
done select 40 + 2; 1
start select 'x';
done select 'x'; 1"

what="pgbench"
"${other[@]}" "$bin/pgbench" -i -s 1 -q postgres >bench.log 2>&1 || complain "$(cat bench.log)"
"$DTRACE" -Z -q --follow -x switchrate=20ms -p "$server" -o queries.txt -n 'BEGIN { printf("on\n"); }
	postgresql$target:::query-start { @[strtok(copyinstr(arg0), " ")] = count(); }
	postgresql$target:::transaction-commit { @commits = count(); }' 2>trace2.err &
tracer=$!
await queries.txt '^on'
"${other[@]}" "$bin/pgbench" -c 2 -T 4 -n postgres >bench.log 2>&1 || complain "$(cat bench.log)"
kill -TERM $tracer
wait $tracer
done=$(sed -n 's/^number of transactions actually processed: //p' bench.log)
count() { awk -v w="$1" '$1 == w { n = $2 } END { print n + 0 }' queries.txt; }
updates=$(count UPDATE) inserts=$(count INSERT)
# three and one a transaction; the first may be over before they are seen
[[ $inserts -gt 0 && $inserts -le $done && $updates -ge $((3 * inserts - 10)) && $updates -le $((3 * inserts + 10)) ]] ||
	complain "$done transactions: $(cat queries.txt trace2.err)"
finish
