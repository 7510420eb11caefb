# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of the command line share; each sources it and ends with "finish".
failures=0
out="" err="" status=0

[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

# Run a command; its stdout, stderr and status are in $out, $err and $status.
try() {
	status=0
	"$@" >out.txt 2>err.txt </dev/null || status=$?
	# the x keeps newlines at the end
	out=$(cat out.txt; echo x) out=${out%x}
	err=$(cat err.txt; echo x) err=${err%x}
	what=$*
}

complain() {
	failures=$((failures + 1))
	printf '%s\n%s\n' "$what" "$1"
}

expect_status() {
	[[ $status == "$1" ]] || complain "status $status, expected $1; stderr: $err"
}

expect_text() { # NAME GOT WANT
	[[ $2 == "$3" ]] || complain "$1, got:
[$2]
expected:
[$3]"
}

expect_out() { expect_text stdout "$out" "$1"; }
expect_err() { expect_text stderr "$err" "$1"; }

# The first line of stderr.
expect_err_line() { expect_text "first line of stderr" "${err%%$'\n'*}" "$1"; }

expect_match() { # NAME TEXT REGEX
	[[ $2 =~ $3 ]] || complain "$1 does not match $3:
$2"
}

finish() {
	[[ $failures == 0 ]]
	exit
}
