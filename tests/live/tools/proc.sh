# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of tools for processes and system calls share: a trigger that waits until its tool is attached.
. "${BASH_SOURCE[0]%/*}/lib.sh"

# Runs a tool while the function trigger runs in two processes; $out, $err and $status are as try() has them, $trigger and $other
# are the pids of the processes, and @ at the beginning of WORD stands for $trigger. The tool ends after both.
tool_on_trigger() { # NAME WORD...
	local words=() w
	rm -f out.json go.1 go.2 over.1 over.2
	mkfifo go.1 go.2 over.1 over.2
	printf '%s\n' '#!/bin/bash' 'for i in 2 1; do echo >go.$i; read -r _ <over.$i; done' 'sleep 0.1' >release.sh
	chmod +x release.sh
	(read -r _ <go.1; trigger; echo >over.1) >trigger.txt 2>/dev/null &
	trigger=$!
	(read -r _ <go.2; trigger; echo >over.2) >/dev/null 2>&1 &
	other=$!
	for w; do words+=("${w/#@/$trigger}"); done
	try "$DTRACE" -c ./release.sh --tool "${words[@]}"
	wait "$trigger" "$other"
}

# The values of the lines of printf() in out.json, a line each, those with the pid of the trigger in column N (from 0), sorted.
lines_of() { # N PID
	jq -r --argjson n "$1" --argjson pid "$2" '.items[]? | select(.values?[$n].value == $pid) | [.values[].value | tostring] | join(" ")' out.json
}
