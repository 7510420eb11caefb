#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# @vm no: a database server takes long there
# The heat map of PostgreSQL's queries in docs/pictures.md: five queries that are fast and three that take 0.3 s.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
here=${0%/*}
for bin in /usr/lib/postgresql/*/bin; do :; done
[[ -x $bin/postgres && -x $bin/initdb ]] && readelf -n "$bin/postgres" | grep -q query__start || {
	echo "no PostgreSQL with probes"
	exit 77
}
command=$(sed -n '/^    dtrace --output=heatmap:queries.html/,/^$/p' "$SRCDIR/docs/pictures.md")
program=${command#*\'} program=${program%\'*} program=${program/tick-60s \{ exit(0); \}/}
[[ $program == *query-done* ]] || { echo "docs/pictures.md has no such command"; exit 1; }

# where another user gets to
dir=$(mktemp -d -p /tmp) && chmod 755 "$dir" && chown nobody "$dir" || exit 1
other=(setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$dir" LC_ALL=C "PGHOST=$dir" PGUSER=pg)
work=$PWD
cd "$dir" || exit 1
"${other[@]}" "$bin/initdb" -D data -U pg -A trust --no-sync >init.log 2>&1 || { cat init.log; exit 1; }
"${other[@]}" "$bin/postgres" -D data -k "$dir" -c listen_addresses= -c fsync=off -c autovacuum=off >server.log 2>&1 &
server=$!
trap 'kill -INT $server; wait $server; cd /; rm -rf "${dir:?}"' EXIT
for ((i = 0; i < 200; i++)); do "${other[@]}" "$bin/psql" -Atc 'select 1' postgres >/dev/null 2>&1 && break; sleep 0.1; done

mkfifo in out
"${other[@]}" "$bin/psql" -qAt postgres <in >out &
exec 5>in 6<out
ask() {
	echo "$1;" >&5
	read -r -t 20 -u 6 _
}
ask 'select 0'
"$DTRACE" --output=heatmap:"$work/q.html" --output=text:"$work/on.txt" -x switchrate=20ms -qn "BEGIN { printf(\"on\n\"); } $program" 2>"$work/err.txt" 5>&- 6<&- &
tracer=$!
for ((i = 0; i < 400; i++)); do [[ -s $work/on.txt ]] && break; sleep 0.05; done
for i in 1 2 3; do
	ask 'select 42'
	ask 'select pg_sleep(0.3) is null'
done
ask 'select 42'
ask 'select 42'
sleep 0.2
kill -TERM $tracer
wait $tracer || { echo "dtrace: $(<"$work/err.txt")"; exit 1; }
exec 5>&- 6<&-
cd "$work" || exit 1
PYTHONPATH=$here python3 - <<'P'
import sys
from heatread import read_page
m = read_page("q.html")["_"]
fast, slow = ("select 42;",), ("select pg_sleep(0.3) is null;",)
got = (m.shows, m.total(keys=fast), m.total(keys=slow), m.total(keys=slow, low=1 << 28))
if got != ("sampled", 5, 3, 3):
    print(got, m.cells)
    sys.exit(1)
P
