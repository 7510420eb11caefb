#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dtrace --agent with a ClickHouse server: rows of `activations` start and end instruments, `agents` says what runs and what the
# machine can do, and everything ends when the server is away for longer than the lease.
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 600
set -u
. "$SRCDIR/tests/live/fleet/servers.bash"
. "$SRCDIR/tests/live/fleet/agent.bash"
trap 'end_agent; end_servers' EXIT
unset "DTRACE_OPT_quiet"
export DTRACE_OPT_program=notthis
servers one
start one
schema one clickhouse
printf 'user=sender\npassword=secret\n' >credentials
chmod 600 credentials
host=$(hostname)

# shellcheck disable=SC2016
instrument counts '#pragma tool usage "counts: counts"
#pragma tool param every int "a number"
inline int every = 1;
#pragma tool param text string "a text"
inline string text = "";
tick-100ms { @n[text] = sum(every); }' 'range = every 1 1000' 'overhead = 100%'
instrument many 'profile-997 { @[x++] = count(); }' 'rate = 5' 'overhead = 100%'
instrument unused 'tick-1s { @ = count(); }'

activate() { # ID INSTRUMENT HOST PARAMETERS ARGUMENTS UNTIL [MADE [SEQ]]: SQL
	sql one "INSERT INTO dtrace.activations (id, instrument, host, parameters, arguments, until, made, seq)
		SELECT '$1', '$2', '$3', $4, $5, $6, ${7:-now()}, ${8:-1}"
}
none="CAST([], 'Array(String)')"
begin_agent "url = http://127.0.0.1:${http[one]}/" 'lease = 4s' "credentials = $PWD/credentials"
said 'the agent begins'

# ---- rows that run
activate text counts '' "['every', 'text']" "['7', '\\'); DROP TABLE dtrace.numbers; -- \\t\\\\']" 'now() + 3600'
activate here counts "$host" "$none" "$none" 'now() + 3600'
activate glob counts "[${host:0:1}]*" "['text']" "['-w']" 'now() + 3600'
activate short counts '' "['text']" "['short']" 'now() + 12'
# ---- and rows that do not
activate elsewhere counts 'no-such-host' "$none" "$none" 'now() + 3600'
activate elsewhere2 counts 'no-such-*' "$none" "$none" 'now() + 3600'
activate past counts '' "$none" "$none" 'now() - 10'
activate type counts '' "['every']" "['1; system(\"reboot\")']" 'now() + 3600'
activate range counts '' "['every']" "['1001']" 'now() + 3600'
activate lopsided counts '' "['every']" "$none" 'now() + 3600'
activate nul counts '' "['text']" "['a\\0b']" 'now() + 3600'
activate long counts '' "['text']" "[arrayStringConcat(arrayMap(x -> 'x', range(1025)))]" 'now() + 3600'
activate tomorrow counts '' "$none" "$none" 'now() + 90000'
activate future counts '' "$none" "$none" 'now() + 90000' 'now() + 80000'
activate endless counts '' "$none" "$none" 'toDateTime(0)'
activate unknown nosuch '' "$none" "$none" 'now() + 3600'
activate flag '--web' '' "$none" "$none" 'now() + 3600'
activate many many '' "$none" "$none" 'now() + 3600'
for id in text here glob short; do
	said "counts $id: running: until "
done
said "counts type: refused: parameter --every: '1; system\(\"reboot\"\)' is not an integer"
said "counts range: refused: parameter every: '1001' is not from 1 to 1000"
said 'counts lopsided: refused: it has not as many arguments as parameters'
said 'counts nul: refused: it has a NUL character'
said 'counts long: refused: a text is too long'
said 'counts tomorrow: refused: it ends more than a day after it was made'
said 'counts future: refused: it ends more than a day from now'
said 'counts endless: refused: it has no time at which it ends'
said 'nosuch unknown: refused: /etc/dtrace.conf has no instrument of this name'
said '[-]-web flag: refused: /etc/dtrace.conf has no instrument of this name'
said 'many many: failed: processing aborted: there are more rows a second than limit rate allows'
said 'counts short: ended: (its time is over|it was switched off)'
! grep -E 'elsewhere|past' agent.txt || complain "others' activations are looked at"

# ---- the rows of the instruments
answer() { # WHAT WANT SQL: in the end
	local end=$((SECONDS + 60 * ${TIMEOUT_SCALE:-1}))
	while ((SECONDS < end)); do
		got=$(sql one "$3")
		[[ $got == "$2" ]] && return
		sleep 0.2
	done
	complain "$1: $got, not $2"
}
answer programs $'counts' "SELECT DISTINCT prog FROM dtrace.numbers WHERE prog != 'many' AND agg = 'n'"
answer keys $'\n\\\'); DROP TABLE dtrace.numbers; -- \\t\\\\\n-w\nshort' "SELECT DISTINCT key[1] AS k FROM dtrace.numbers WHERE prog = 'counts' ORDER BY k"
answer 'a parameter' 1 "SELECT min(value % 7 = 0) FROM dtrace.numbers WHERE prog = 'counts' AND key[1] LIKE '%DROP%'"

# ---- the rows of the agent
now="(SELECT * FROM dtrace.agents FINAL ORDER BY ts DESC LIMIT 1)"
answer states $'counts\there\trunning\nmany\tmany\tfailed\ncounts\ttype\trefused' "SELECT i, d, s FROM
	(SELECT i, d, s FROM (SELECT id, instrument, state FROM $now) ARRAY JOIN id AS d, instrument AS i, state AS s)
	WHERE d IN ('here', 'many', 'type') ORDER BY d"
answer problem 'processing aborted: there are more rows a second than limit rate allows' \
	"SELECT p FROM (SELECT id, problem FROM $now) ARRAY JOIN id AS d, problem AS p WHERE d = 'many'"
answer machine "$host	$(uname -r)	['counts','many','unused']" "SELECT host, kernel, allowed FROM $now"
answer version "$("$DTRACE" --version | sed -nE '1s/.* for Linux ([^,]*),.*/\1/p')" "SELECT version FROM $now"
"$DTRACE" --doctor >doctor.txt
want=$(awk '$1 == "FEATURE" { on = 1; next } on && $2 == "ok" { printf "%s'\''%s'\''", n++ ? "," : "[", $1 } END { print "]" }' doctor.txt)
answer features "$want" "SELECT features FROM $now"
want=$(awk '$1 == "PROVIDER" { on = 1; next } !NF { on = 0 } on && $3 != "missing" { printf "%s'\''%s'\''", n++ ? "," : "[", $1 } END { print "]" }' doctor.txt)
answer providers "$want" "SELECT providers FROM $now"

# ---- off, by a later row of the same id; the text of the others stays
activate here counts "$host" "$none" "$none" 'now() - 1' 'now()' 2
said 'counts here: ended: it was switched off'
activate glob counts 'no-such-host' "['text']" "['-w']" 'now() + 3600' 'now()' 2
said 'counts glob: ended: it was switched off'
# on again, with another parameter: another activation
activate here counts "$host" "['every']" "['9']" 'now() + 3600' 'now()' 3
said 'counts here: running' 2
# off with what the columns have by default
sleep 1.1
sql one "INSERT INTO dtrace.activations (id, instrument, until) SELECT 'default', 'counts', now() + 3600"
said 'counts default: running'
sleep 1.1
sql one "INSERT INTO dtrace.activations (id) VALUES ('default')"
said 'counts default: ended: it was switched off'

# ---- the statements of docs/fleet.md, and its script
awk '/^## / { on = /ask a fleet/ } on' "$SRCDIR/docs/fleet.md" |
	awk '/^    (INSERT|SELECT) / { n++; on = 1 } !/^    / { on = 0 } on { print > ("doc" n ".sql") }
		/^    #pragma/ { script = 1 } !/^    / { script = 0 } script { sub(/^    /, ""); print > "doc.d" }'
for n in 1 2 3 4; do
	((n != 2)) || sleep 1.1 # another seq
	clickhouse-client --port "${tcp[one]}" <doc$n.sql >doc$n.txt 2>&1 || complain "docs/fleet.md: $(<doc$n.sql): $(<doc$n.txt)"
done
[[ $(cat doc1.sql doc2.sql) == *INSERT*INSERT* && ! -e doc5.sql ]] || complain "docs/fleet.md has other statements"
grep -q "^$host	counts	here	running	\$" doc3.txt || complain "what runs: $(<doc3.txt)"
[[ $(sql one "SELECT until <= now() FROM dtrace.activations FINAL WHERE id = 'slow-1'") == 1 ]] || complain "the row that ends is not the last"
"$DTRACE" -e -s doc.d --least=50ms 2>err.txt || complain "docs/fleet.md: the script: $(<err.txt)"

# ---- the server is away: the rows wait, and the instruments end with the lease
mapfile -t children < <(running)
[[ ${#children[@]} == 2 ]] || complain "two run: ${children[*]}"
stop one
said 'counts text: ending: the activations could not be read for 4s'
said 'counts text: waiting: the activations could not be read for 4s'
said 'counts here: waiting: the activations could not be read for 4s'
gone "${children[@]}"
[[ $(count_running) == 0 ]] || complain "something runs without a lease"
start one
said 'counts text: running' 2
said 'counts here: running' 3
# ---- an answer that is none
sql one "CREATE TABLE dtrace.bad (id String, instrument String, host String, parameters Array(String), arguments String, made DateTime,
	until DateTime, seq UInt64) ENGINE = ReplacingMergeTree(seq) ORDER BY id"
sql one "INSERT INTO dtrace.bad SELECT 'bad', 'counts', '', ['every'], 'every', now(), now() + 3600, 1"
sql one "RENAME TABLE dtrace.activations TO dtrace.good, dtrace.bad TO dtrace.activations"
said 'the activations cannot be read: this is no answer to the query'
said 'counts text: waiting: the activations could not be read for 4s' 2
grep -q 'counts bad' agent.txt && complain "an answer that is none is used"
end_agent
[[ $status == 0 ]] || complain "status $status of the agent"

# ---- the process that asks dies: another one asks; the one that sends: the service is to start the agent again
sql one "RENAME TABLE dtrace.activations TO dtrace.bad, dtrace.good TO dtrace.activations"
begin_agent "url = http://127.0.0.1:${http[one]}/" 'lease = 20s' "credentials = $PWD/credentials"
said 'counts text: running'
said 'counts here: running'
mapfile -t children < <(running)
others=()
for child in $(cat "/proc/$agent/task/$agent/children"); do
	[[ " ${children[*]} " == *" $child "* ]] || others+=("$child")
done
[[ ${#others[@]} == 2 ]] || complain "the agent's other children: ${others[*]}"
sends=${others[0]} asks=${others[1]} # as they were started
kill -9 "$asks"
said 'the activations cannot be read: the process that asks died'
said 'the activations can be read again'
kill -9 "$sends"
said 'the process that sends has died'
status=0
wait "$agent" || status=$?
agent=
[[ $status == 1 ]] || complain "status $status of an agent whose sender died"
gone "${children[@]}"
# those that send for instruments pass on what they have
mapfile -t senders < <(pgrep -f -- "-x spool=$PWD/spool ")
gone "${senders[@]}"
grep -rq secret agent.txt one/log one/errors spool && complain "a password was written"
exit $bad
