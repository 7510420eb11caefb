# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of buffer policies share.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0
triggers=$BUILD/tests/live/triggers

complain() {
	echo "$1"
	bad=1
}

# Run dtrace; out.txt, err.txt, $status.  On one CPU, so that one buffer has all that a child of one thread records.
try() { # OPTION...
	status=0
	timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) taskset -c "${affinity:-0}" "$DTRACE" -q "$@" >out.txt 2>err.txt </dev/null || status=$?
}

# The same, and it has to succeed.
run() {
	try "$@"
	[[ $status == 0 ]] || complain "status $status: $(head -c 500 err.txt)"
}

expect() { # WHAT GOT EXPECTED
	[[ $2 == "$3" ]] || complain "$1: got $2, expected $3"
}

quiet() { # nothing on stderr
	[[ ! -s err.txt ]] || complain "$1: on stderr: $(head -c 500 err.txt)"
}

# How many of the buffer the messages say were dropped.
dropped() {
	sed -nE 's/^dtrace: ([0-9]+) drops? on CPU [0-9]+$/\1/p' err.txt | awk '{ n += $1 } END { print n + 0 }'
}

# Lines KEY NUMBER: the numbers of each key follow one another; prints "KEY FIRST LAST COUNT".
sequences() {
	awk 'NF == 2 && $2 ~ /^[0-9]+$/ {
		if ($1 in last && $2 != last[$1] + 1) print $1, "after", last[$1], "comes", $2
		if (!($1 in last)) first[$1] = $2
		last[$1] = $2; n[$1]++
	}
	END { for (k in n) print k, first[k], last[k], n[k] }' out.txt | sort
}
