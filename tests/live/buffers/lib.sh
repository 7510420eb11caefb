# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of buffers and drops share.
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

quiet() { # nothing on stderr, but what such a kernel misses
	! "$SRCDIR/tests/runner/preempts" || sed -i '/^dtrace: [0-9]* missed firings/d' err.txt
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

# ---- drops: programs on two CPUs, and the messages

# Run dtrace on the trigger program and arguments $1 with the rest as options, on any CPU; it has to succeed.
run_trigger() { # TRIGGER OPTION...
	local trigger=$1
	shift
	"$DTRACE" -q "$@" -c "$triggers/$trigger" >out.txt 2>err.txt ||
		complain "status $?: $(<err.txt)"
}

# Only messages that match the expression; the sum of their numbers is $dropped.
drops() { # EXPRESSION, the number being its first group
	local other
	other=$(grep -vE "^dtrace: $1\$|^dtrace: [0-9]+ [a-z ]+ in all: " err.txt)
	[[ -z $other ]] || complain "on stderr: $other"
	dropped=$(sed -nE "s/^dtrace: $1\$/\\1/p" err.txt | awk '{ n += $1 } END { print n + 0 }')
	# the sums at the end, which there are when several messages came, are theirs
	other=$(sed -nE 's/^dtrace: ([0-9]+) [a-z ]+ in all: .*/\1/p' err.txt | awk '{ n += $1 } END { print n }')
	[[ -z $other || $other == "$dropped" ]] || complain "in all $other, but the messages say $dropped"
	# one is not many
	! grep -qE '(^| )1 (aggregation |dynamic variable )?(drops|errors)' err.txt || complain "$(<err.txt)"
}

# ---- bursts: 1,000,000 getppid(2), half of them on each of two CPUs as fast as they can, the thread and its count of
# calls in the arguments

half=500000
[[ -z ${DTRACE_VM:-} ]] || half=50000 # an interpreted machine takes its time
burst="values spread 2 $half"
line='printf("<%d %d %d %s>\n", arg0, cpu, arg1, execname)'
program="syscall::getppid:entry /pid == \$target/ { $line; }"

# The lines of out.txt: whole ones only, those of a thread all from its CPU, their numbers growing.
# Of each thread: $lines, and the number in the $first and the $last of them; $gaps where numbers
# are missing in between; $switches from one thread's lines to another's.
check_lines() {
	awk -v ncpus="$(getconf _NPROCESSORS_ONLN)" '
		NF == 0 { next }
		!/^<[01] [0-9]+ [0-9]+ values>$/ { print "torn:", NR ": " $0; exit }
		{ t = substr($1, 2) + 0 }
		$2 != t % ncpus { print "not on its CPU:", $0; exit }
		n[t] && $3 <= last[t] { print "out of order:", $0 " after " last[t]; exit }
		n[t] && $3 != last[t] + 1 { gaps++ }
		!n[t]++ { first[t] = $3 }
		NR > 1 && t != before { switches++ }
		{ last[t] = $3; before = t }
		END { for (t = 0; t < 2; t++) printf "lines[%d]=%d first[%d]=%d last[%d]=%d\n", t, n[t], t, first[t], t, last[t]
			print "gaps=" gaps + 0, "switches=" switches + 0 }' out.txt >lines.txt
	complaint=$(grep -vE '^(lines|gaps)' lines.txt)
	[[ -z $complaint ]] || complain "$complaint"
	eval "$(grep -E '^(lines|gaps)' lines.txt)"
}
