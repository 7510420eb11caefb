# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of load share: 1,000,000 getppid(2), half of them on each of two CPUs as fast as
# they can, their thread and their number among it in the arguments.
. "$SRCDIR/tests/live/drop/lib.sh"

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
