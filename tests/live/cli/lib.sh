# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of the command line share; each sources it and ends with "finish".
failures=0
out="" err="" status=0

[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

# All of a file into a variable, newlines at the end too; without starting a program unless there are NULs, which go.
contents() { # VARIABLE FILE
	local x
	! IFS= read -r -d '' "$1" <"$2" || { x=$(tr -d '\0' <"$2"; echo x) && printf -v "$1" %s "${x%x}"; }
}

# Run a command; its stdout, stderr and status are in $out, $err and $status.
try() {
	status=0
	"$@" >out.txt 2>err.txt </dev/null || status=$?
	contents out out.txt
	contents err err.txt
	what=$*
}

complain() {
	failures=$((failures + 1))
	printf '%s\n%s\n' "${what-}" "$1"
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

# Nothing on stderr but lines that say which providers this kernel has no probes of.
expect_only_lacking() {
	expect_text "stderr without what the kernel lacks" \
		"$(grep -v '^dtrace: no probes of provider [a-z]*: ' err.txt)" ""
}

# The first line of stderr.
expect_err_line() { expect_text "first line of stderr" "${err%%$'\n'*}" "$1"; }

expect_match() { # NAME TEXT REGEX
	[[ $2 =~ $3 ]] || complain "$1 does not match $3:
$2"
}

# N times TEXT, a line each, in which # is the number of the line. (With gsub() mawk takes 16 s for 120,000.)
repeat() { # N TEXT
	awk -v n="$1" -v text="${2//\\/\\\\}" 'BEGIN {
		parts = split(text, part, "#")
		for (i = 0; i < n; i++) {
			line = part[1]
			for (k = 2; k <= parts; k++)
				line = line i part[k]
			print line
		}
	}'
}

finish() {
	[[ $failures == 0 ]]
	exit
}
