# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of the pid provider share; each sources it and ends with "finish".
. "${BASH_SOURCE%/*}/../cli/lib.sh"

here=$BUILD/tests/live/pid
src=$SRCDIR/tests/live/pid
: "${CC:=cc}"

# Wait until a command succeeds.
until_true() {
	local i
	for ((i = 0; i < 400; i++)); do
		"$@" 2>/dev/null && return
		sleep 0.05
	done
	complain "never: $*"
	return 1
}

# Its letter in /proc/PID/stat, nothing when there is no such process.
state_of() { # PID
	local line=''
	{ read -r line <"/proc/$1/stat"; } 2>/dev/null
	line=${line##*) }
	echo "${line%% *}"
}

# Is it there, and neither stopped nor traced by ptrace(2)?
runs_on() { # PID
	[[ $(state_of "$1") == [RSD] ]] && grep -q '^TracerPid:[[:space:]]*0$' "/proc/$1/status"
}

# What a quiet dtrace prints: the text, and its newline at the end.
expect_prints() { expect_out "$1"$'\n'; }
