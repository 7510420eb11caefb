# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of tools share, beside the library of cli: a busy process, and numbers from JSON.
. "${BASH_SOURCE[0]%/*}/../cli/lib.sh"

# Run a tool; its stdout, stderr and status as try() has them.
tool() { # NAME WORD...
	rm -f out.json out.txt # --output appends
	try "$DTRACE" --tool "$@"
}

# Runs a tool while COMMAND runs in a process of its own, which waits until the tool traces; the tool ends after it. Nothing
# here depends on how fast the machine is. @ at the beginning of WORD stands for the pid of the process, which is also in
# $during; what it prints is in said.txt, the rest is as try() has it.
tool_during() { # COMMAND... -- NAME WORD...
	local command=() words=() w
	while [[ $1 != -- ]]; do command+=("$1"); shift; done
	shift
	rm -f go out.json out.txt said.txt
	mkfifo go
	bash -c 'read -r _ <go; exec "$@"' waiting "${command[@]}" >said.txt 2>&1 &
	during=$!
	printf '%s\n' '#!/bin/bash' 'echo >go' "while [[ -e /proc/$during/exe ]]; do sleep .05; done" >release.sh
	chmod +x release.sh
	for w; do words+=("${w/#@/$during}"); done
	try "$DTRACE" -c ./release.sh --tool "${words[@]}"
	wait "$during" 2>/dev/null
}

# The same with a COMMAND that has begun before: it reads a byte from its standard input first, which comes when the tool
# traces. The tool ends after COMMAND, whose status is in $ended, and when out.txt or out.json has $shown, if that is set. COMMAND
# may be a function.
tool_beside() { # COMMAND... -- NAME WORD...
	local command=() words=() w
	while [[ $1 != -- ]]; do command+=("$1"); shift; done
	shift
	rm -f go out.json out.txt said.txt
	mkfifo go
	exec 9<>go
	"${command[@]}" <go >said.txt 2>/dev/null 9>&- &
	during=$!
	# it waits in read(0, ...)
	until read -r w <"/proc/$during/syscall" && [[ $w == "0 0x0 "* ]] || [[ ! -e /proc/$during/exe ]]; do sleep .02; done 2>/dev/null
	printf '%s\n' '#!/bin/bash' 'echo >go' "while [[ -e /proc/$during/exe ]]; do sleep .02; done" >release.sh
	[[ -z ${shown-} ]] || echo "for ((i = 0; i < 500; i++)); do grep -qsE '$shown' out.txt out.json && break; sleep .02; done" >>release.sh
	chmod +x release.sh
	for w; do words+=("${w/#@/$during}"); done
	try "$DTRACE" -c ./release.sh --tool "${words[@]}" 9>&-
	exec 9>&-
	ended=0
	wait "$during" 2>/dev/null || ended=$?
}

# The sum of .count of the buckets in the file of --output=json, or another expression of jq.
buckets() { jq -s "[.. | .buckets? // empty | .[].count] | add // 0" "$1"; } # FILE

# Returns when the tool traces: it prints its header then. Without one, after three seconds, or so many tenths of one.
when_tracing() { # [TENTHS]
	local i
	for ((i = 0; i < ${1:-30} * ${TIMEOUT_SCALE:-1}; i++)); do
		[[ -s out.txt ]] && return
		# JSON has a line about the session before
		[[ -s out.json && $(wc -l <out.json) -ge 2 ]] && return
		sleep .1
	done
}

spinners=()
# Starts a process named NAME that uses CPU number CPU until it is ended; its pid is in $spinner.
spin() { # NAME CPU
	taskset -c "$2" bash -c 'exec -a "$0" bash -c "while :; do :; done"' "$1" &
	spinner=$!
	spinners+=("$spinner")
}
end_spinners() { [[ ${#spinners[@]} == 0 ]] || { kill "${spinners[@]}"; wait "${spinners[@]}"; } 2>/dev/null; spinners=(); }
trap end_spinners EXIT

expect_between() { # WHAT VALUE LEAST MOST
	[[ $2 -ge $3 && $2 -le $4 ]] || complain "$1 is $2, expected $3 to $4"
}
