# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of hostile processes share: each sources it and ends with "hostile_done".  The processes are another
# user's, and dtrace is root's.
failures=0

[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

complain() {
	failures=$((failures + 1))
	printf '%s\n' "$1"
}

# A folder that the other user can reach and write to.
hostile_folder() {
	folder=$(mktemp -d /tmp/hostile.XXXXXX) || exit 1
	chmod 777 "$folder"
	trap 'kill $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$folder"' EXIT
	cd "$folder" || exit 1
}

# Runs a command as another user who has no rights.
as_other() {
	exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"
}

# Waits until process PID has become PROGRAM.
started() { # PID PROGRAM
	for ((i = 0; i < 1000; i++)); do
		[[ $(cat "/proc/$1/comm" 2>/dev/null) == "${2:0:15}" ]] && return
		sleep 0.01
	done
	echo "$2 did not start"
	exit 1
}

# Waits until FILE has a line that matches REGEX.
wait_for() { # FILE REGEX
	for ((i = 0; i < 1000; i++)); do
		grep -qE "$2" "$1" 2>/dev/null && return
		sleep 0.01
	done
	complain "no line of $1 matches $2: $(<"$1")"
}

hostile_done() {
	exit $((failures > 0))
}
