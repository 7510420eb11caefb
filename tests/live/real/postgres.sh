#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# PostgreSQL while pgbench runs: its own notes say which queries it runs, how long they take and where they wait; functions
# of the stripped program do without notes.
# @timeout 90
# @vm no: the kernel makes no difference, and it takes long there
# @ref providers 16.3 note operands semaphore names; providers 16.4 globs user-pointers; providers 15
set -u
. "$SRCDIR/tests/live/real/lib.sh"
. "$SRCDIR/tests/live/real/postgres.lib"

query 'CREATE TABLE items (n int); INSERT INTO items SELECT generate_series(1, 100)'
printf '%s\n' 'BEGIN;' 'SELECT sum(n) FROM items;' 'UPDATE items SET n = n WHERE n = 7;' 'END;' >script.sql
statements=$(sort script.sql)
# it goes on until it is told to stop
"$bin/pgbench" -U postgres -h /mnt -n -c 2 -T 600 -f script.sql postgres >pgbench.log 2>&1 &
bench=$!
trap 'kill "$bench" 2>/dev/null; wait "$bench"; stop_postgres' EXIT
until [[ $(query "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pgbench'") == 2 ]]; do
	kill -0 "$bench" 2>/dev/null || { cat pgbench.log; exit 1; }
	sleep 0.05
done
backend=$(query "SELECT max(pid) FROM pg_stat_activity WHERE application_name = 'pgbench'")

# traced NAME ARGUMENTS...: what dtrace prints, without blank lines and blanks that align
traced() {
	local name=$1
	shift
	timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -q "$@" 2>"$name.err" </dev/null | sed -E 's/ +/ /g; s/^ //; /^$/d' | sort >"$name"
	[[ ! -s $name.err ]] || fail "$name: messages" "$name.err"
}

if has_notes "$postgres" postgresql; then
	# every process of the server, found by the name of the provider
	# shellcheck disable=SC2016
	traced queries -n 'postgresql*:::query-start /ppid == $1/ { @[copyinstr(arg0)] = count(); n++; }
		postgresql*:::query-start /n >= 100/ { exit(0); } END { printa("%s\n", @); }' "$server"
	same 'the queries of a server' queries <<<"$statements"

	# one process: each query has a beginning and an end, in one thread
	# shellcheck disable=SC2016
	traced times -p "$backend" -n '
		postgresql$target:::query-start { self->t = timestamp; self->sql = arg0; }
		postgresql$target:::query-done /self->t && self->sql == arg0 && timestamp > self->t/ {
			@[copyinstr(arg0)] = max(timestamp - self->t); self->t = 0; n++; }
		postgresql$target:::query-done /n >= 50/ { exit(0); } END { printa("%s\n", @); }'
	same 'queries that took time' times <<<"$statements"

	# a transaction's number is the same at its start and its end
	# shellcheck disable=SC2016
	traced commits -p "$backend" -n '
		postgresql$target:::transaction-start { self->id = arg0; }
		postgresql$target:::transaction-commit /self->id/ { @["committed", arg0 == self->id] = count(); n++; self->id = 0; }
		postgresql$target:::transaction-commit /n >= 20/ { exit(0); } END { printa("%s %d\n", @); }'
	same 'transactions' commits <<<'committed 1'

	# a query that fails says so in no other way than that it begins and doesn't end: by wildcard
	# shellcheck disable=SC2016
	traced steps -p "$backend" -n '
		postgresql$target:::query-parse-start { self->in = 1; }
		postgresql$target:::query-*-start /self->in/ { @[probename] = count(); }
		postgresql$target:::query-done /self->in/ { n++; }
		postgresql$target:::query-done /n >= 8/ { exit(0); } END { printa("%s\n", @); }'
	same 'the steps of a query' steps < <(printf 'query-%s-start\n' execute parse plan rewrite)

	# a process that starts while tracing is found; not within its first moment, so this one waits
	# shellcheck disable=SC2016
	traced later -p "$server" -x follow -n 'postgresql$target:::query-start /copyinstr(arg0) == "SELECT 5"/ { trace("found"); exit(0); }' &
	tracer=$!
	for ((i = 0; i < 40; i++)); do
		query 'SELECT pg_sleep(0.2)' -c 'SELECT 5' >/dev/null
		kill -0 "$tracer" 2>/dev/null || break
	done
	wait "$tracer"
	same 'a backend that starts while tracing' later <<<found
else
	echo "no static probes in $postgres"
fi

# Without notes and without symbols but those that extensions need: struct QueryDesc has the text behind a number and a
# pointer.  All statements that are planned come by; BEGIN and END are not.
# shellcheck disable=SC2016
traced functions -p "$backend" -n 'pid$target::standard_ExecutorStart:entry {
		@[copyinstr(*(uintptr_t *)copyin(arg0 + 16, 8))] = count(); n++; }
	pid$target::standard_ExecutorStart:entry /n >= 20/ { exit(0); } END { printa("%s\n", @); }'
same 'statements by the argument of a function' functions < <(grep -E '^(SELECT|UPDATE)' <<<"$statements")

# and they are still at work
kill -0 "$bench" && kill -0 "$server" && kill -0 "$backend" || fail 'a traced process is gone' postgres.log
exit $failed
