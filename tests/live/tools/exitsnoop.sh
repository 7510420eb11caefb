#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# exitsnoop prints each process that ends, with its age and its exit status or the signal that killed it.
. "${0%/*}/proc.sh"

nap=0.5
trigger() {
	/bin/true
	/bin/sleep "$nap"
	(exit 3)
	bash -c 'kill -KILL $$'
	bash -c 'kill -TERM $$'
	(exit 255)
	/bin/true
}

# the statuses as wait(2) gives them to the shell: 128 and the signal's number
statuses='true 0
sleep 0
bash 3
bash SIGKILL
bash SIGTERM
bash 255
true 0'
# the shell's subprocesses have the name of the test
of() { awk -v ppid="$1" '$3 == ppid { sub(/^exitsnoop\.sh/, "bash", $1); print $1, $6 }' <<<"$out"; }

tool_on_trigger exitsnoop -P @
expect_status 0
expect_err ""
expect_match stdout "$out" '^PCOMM +PID +PPID +TID +AGE s EXIT
'
expect_text statuses "$(of "$trigger")" "$statuses"
expect_text lines "$(awk 'NR > 1 && NF' <<<"$out" | wc -l)" 7
expect_between "age of sleep in ms" "$(awk '$1 == "sleep" { print int($5 * 1000) }' <<<"$out")" 500 5000

nap=0
tool_on_trigger exitsnoop -P @ -x
expect_text failures "$(of "$trigger")" "$(grep -v ' 0$' <<<"$statuses")"
tool_on_trigger exitsnoop -n sleep -P @
expect_text "of one name" "$(of "$trigger")" "sleep 0"
# a process itself
tool_on_trigger exitsnoop -p @
expect_text "of another parent" "$(of "$trigger")" ""
tool_on_trigger exitsnoop
expect_text "the other's" "$(of "$other")" "$statuses"
tool_during sleep 0 -- exitsnoop -p @
expect_text "one process" "$(awk 'NR > 1 && NF { print $1, $2, $6 }' <<<"$out")" "sleep $during 0"
tool_on_trigger exitsnoop -P @ --output=json:out.json
expect_text JSON "$(lines_of 2 "$trigger" | awk '{ sub(/^exitsnoop\.sh/, "bash", $1); print $1, $NF }')" "$statuses"
tool exitsnoop -p $$ -d 1
expect_status 0
tool exitsnoop -h
expect_match stdout "$out" '^exitsnoop: '
finish
