#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Of the places in the kernel, too, those that it refuses are left out, counted and named, and the others are enabled.
# strace(1) lets one call fail.
# @timeout 90
# @vm no: it does not depend on the kernel
set -u
. "${0%/*}/../cli/lib.sh"
command -v strace >/dev/null || { echo "needs strace"; exit 77; }
unset DTRACE_OPT_CONFINE

# Refuses call NUMBER of those that match REGEX, which the same run without it has made.
refuse() { # CALL REGEX NUMBER ERROR D-PROGRAM
	local n inject
	what="$1 $2, number $3, $4: $5"
	timeout 20 strace -f -e signal=none -o calls.txt -e trace="$1" "$DTRACE" -xnolibs -qn "$5" >out.txt 2>err.txt
	n=$(grep -nE "$2" calls.txt | sed -n "$3s/:.*//p")
	[[ -n $n ]] || { complain "there is no such call"; return; }
	inject="$1:error=$4:when=$n"
	status=0
	timeout 20 strace -f -e signal=none -o calls.txt -e trace="$1" -e inject="$inject" "$DTRACE" -xnolibs -qn "$5" >out.txt 2>err.txt || status=$?
	contents out out.txt
	contents err err.txt
	grep -q INJECTED calls.txt || complain "not reached"
}
left() { # FIRST
	expect_text "what is left out" "$err" \
		"dtrace: 1 of the probes are not enabled: the kernel refuses to instrument them (the first is $1)"$'\n'
	expect_status 0
}
end='tick-300ms { exit(0); } END { printa("%s\n", @); }'
opens='RAW_TRACEPOINT_OPEN, .*name=NULL'

# a program each
refuse bpf "$opens" 2 EBUSY 'sched:::o[nf]*-cpu { @[probename] = count(); } '"$end"
left 'vmlinux::on-cpu'
expect_out $'off-cpu\n\n'

# one program for many
refuse bpf 'RAW_TRACEPOINT_OPEN, .*name="sched_waking"' 1 ENOENT 'rawtp:::sched_* { @[probename] = count(); } '"$end"
[[ $err == *' 1 of the probes are not enabled: the kernel refuses to instrument them (the first is sched::sched_waking)'* ]] || complain "$err"
[[ $out == *sched_switch* && $out != *sched_waking* ]] || complain "$out"

clock='perf_event_open.*sample_period=10309278'
# an event that one CPU refuses fires on none
refuse perf_event_open "$clock" 2 ENOSPC 'profile:::profile-*97 { @[probename] = count(); } tick-300ms { exit(0); } END { printa("%s\n", @); }'
left '::profile-97'
expect_out $'profile-997\n\n'

# nothing is left of a clause
refuse perf_event_open "$clock" 1 EOPNOTSUPP 'profile-97 { @[probename] = count(); } '"$end"
expect_status 1
expect_err_line "dtrace: could not enable tracing: cannot attach 'profile:::profile-97': Operation not supported"

# rights and resources are no matter of the place
refuse bpf "$opens" 2 EMFILE 'sched:::o[nf]*-cpu { @[probename] = count(); } '"$end"
expect_status 1
expect_match stderr "$err" "cannot attach 'sched:.*': Too many open files"
finish
