#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pidpersec counts the processes that a process creates, and prints a row for each second, for one without a process too.
. "${0%/*}/proc.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
trigger() {
	for i in {1..25}; do (:); done
}
sum() { awk 'NR > 1 && NF { n += $NF } END { print n + 0 }' <<<"$out"; }

# one row, at the end
tool_on_trigger pidpersec -p @ -i 600
expect_status 0
expect_err ""
expect_match stdout "$out" '^TIME +PIDS
20[0-9]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8} +[0-9]+
'
expect_text "processes" "$(sum)" 25
tool_on_trigger pidpersec -p @ -i 600 --output=json:out.json
expect_text JSON "$(jq -s '[.. | .rows? // empty | .[].values[0].value] | add' out.json)" 25
# threads are not processes
tool_during "$(python3 -c 'import sys; print(sys.executable)')" -S -c 'import _thread, os, time
for i in range(9): _thread.start_new_thread(int, ())
for i in range(3): os.fork() or os._exit(0)' -- pidpersec -p @ -i 600
expect_text "processes, not threads" "$(sum)" 3
tool pidpersec -p $$ -d 2
expect_text "rows of seconds" "$(awk 'NR > 1 && NF { print $NF }' <<<"$out")" $'0\n0'
tool pidpersec -p $$ -i 2 -d 3
expect_text "rows of two seconds" "$(awk 'NR > 1 && NF { print $NF }' <<<"$out")" 0
tool pidpersec -h
expect_match stdout "$out" '^pidpersec: '
finish
