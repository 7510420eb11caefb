#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# After attaching dtrace gives up the capabilities and system calls that it does not need (docs/SECURITY.md); /proc shows what
# it has while it traces. Programs that start commands keep all, as does -x confine=off.
# @timeout 90
# @vm no: kernel.perf_event_paranoid is 3 there: a user with two capabilities has no tick; packets come another way
set -u
. "${0%/*}/lib.sh"
unset DTRACE_OPT_CONFINE

rights_in() { # FILE
	awk '/^CapPrm/ { sub(/^0+/, "", $2); caps = $2 == "" ? 0 : $2 } /^NoNewPrivs/ { n = $2 } /^Seccomp:/ { s = $2 }
		END { print caps, n, s }' "$1"
}

# Trace until the status of the process was read: its capabilities, NoNewPrivs and Seccomp are in $rights, as "0 1 2",
# and those of its children in $deputy. With $unconfined it is expected to keep all.
rights_of() { # ARGUMENTS...
	rm -f out.txt
	"${as_user[@]}" "$DTRACE" -xnolibs "$@" >out.txt 2>err.txt &
	local pid=$! line turns=500
	for ((i = 0; i < 500; i++)); do
		[[ -s out.txt ]] && break
		sleep 0.02
	done
	# what is traced first can be written before dtrace is confined; nothing says that it will not be
	[[ ! ${unconfined-} ]] || turns=20
	for ((i = 0; i < turns; i++)); do
		[[ $(rights_in "/proc/$pid/status") != *2 ]] || break
		sleep 0.02
	done
	rights=$(rights_in "/proc/$pid/status")
	# the process that attaches to late probes
	deputy=$(for child in $(<"/proc/$pid/task/$pid/children"); do rights_in "/proc/$child/status"; done)
	kill $pid
	wait $pid
	status=$?
	contents out out.txt
	contents err err.txt
	what="${as_user[*]} dtrace $*"
	expect_status 0
}
as_user=()
all=$(awk '/^CapPrm/ { sub(/^0+/, "", $2); print $2 }' /proc/self/status)

# ---- what is kept: the table of src/session/running.def
first='tick-20ms { printf("traced\n"); }'
rights_of -qn "$first"
expect_text "rights for EVENTS" "$rights" "4000000000 1 2"
# shellcheck disable=SC2016
rights_of -qn 'syscall::ppoll:entry /pid == $pid/ { printf("traced\n"); }'
expect_text "rights" "$rights" "0 1 2"
rights_of -qn "$first syscall::getppid:entry /pid == 1/ { @[stack()] = count(); }"
expect_text "rights for KERNEL_NAMES" "$rights" "4400000000 1 2"
rights_of -qn "$first"' syscall::getppid:entry /pid == 1/ { printf("%a", arg0); }'
expect_text "rights for KERNEL_NAMES" "$rights" "4400000000 1 2"
rights_of -qn "$first syscall::getppid:entry /pid == 1/ { @[usym(arg0)] = count(); }"
expect_text "rights for USER_NAMES" "$rights" "14000080004 1 2"
unconfined=1 rights_of -wqn "$first syscall::getppid:entry /pid == 1/ { system(\"true\"); }"
expect_text "rights for COMMANDS" "$rights" "$all 0 0"
rights_of -wqn "$first syscall::getppid:entry /pid == 1/ { freopen(\"x\"); }"
expect_text "rights for REOPEN" "$rights" "400000000a 1 2"
rights_of -qn "$first" --output=json:x.json
expect_text "rights with an output that is open" "$rights" "4000000000 1 2"
grep -q traced x.json || complain "nothing in x.json"
rights_of -qn "$first tick-20ms { @ = count(); }" --output=openmetrics:x.prom
expect_text "rights for FILES" "$rights" "400000000a 1 2"

rights_of -qn "$first syscall::getppid:entry /pid == 1/ { ustack(); }"
expect_text "rights for STACKS" "$rights" "1c000080004 1 2"
if "$DTRACE" --doctor | grep -qE '^uprobe_multi +ok'; then
	for late in 'nosuch*:::hit' 'pid*:nosuch.so:f:entry'; do
		rights_of -Zqn "$first $late { }"
		expect_text "rights for LATE" "$rights" "4000000000 1 2"
		expect_text "rights of the deputy" "$deputy" "1c000080004 1 2"
	done
	# shellcheck disable=SC2016
	rights_of -Zqn "$first"' pid$target::nosuch:entry { }' -c 'sleep 100'
	expect_text "rights for LATE and PROCESSES" "$rights" "4000000020 1 2"
	expect_match "rights of the deputy" "$deputy" "^1c000080004 1 2$|"$'\n'"1c000080004 1 2"
	rights_of -Zqn "$first"' nosuch*:::hit { ustack(); }'
	expect_text "rights for LATE and STACKS" "$rights" "1c000080004 1 2"
	expect_text "rights of the deputy" "$deputy" "1c000080004 1 2"
	rights_of -Zqn "$first"' nosuch*:::hit { trace(args[0]->x); }'
	expect_text "rights for COMPILING" "$rights" "1c400080004 1 2"
	unconfined=1 rights_of -wZqn "$first"' nosuch*:::hit { trace(args[0]->x); }'
	expect_text "rights for COMPILING with -w" "$rights" "$all 0 0"
fi
if "$DTRACE" --doctor | grep -qE '^netfilter +ok'; then
	rights_of -qn "$first udp:::send { @ = count(); }"
	expect_text "rights for NAMESPACES" "$rights" "1c000281004 1 2"
fi
unconfined=1 rights_of -x confine=off -qn "$first"
expect_text "rights with confine=off" "$rights" "$all 0 0"
rights_of -x maxoverhead=100% -x overload=warn -qn "$first"
expect_text "rights for OVERHEAD" "$rights" "4000200000 1 2"
rights_of -qn "$first" -n '#pragma D option quietresize
	END { printf("end\n"); }'
expect_text rights "$rights" "4000000000 1 2"
expect_match stdout "$out" $'^traced\n.*end\n'

rights_of -qn "$first" -c 'sleep 100'
expect_text "rights for PROCESSES" "$rights" "4000000020 1 2"
rights_of -qn "$first" --web
expect_text "rights for PROCESSES" "$rights" "4000000020 1 2"
# it can end the process of -c, whoever that has become, which has its own rights
try "$DTRACE" -xnolibs -qn 'tick-1s { exit(0); }' -c "bash -c 'grep -E \"^(CapPrm|Seccomp|NoNewPrivs):\" /proc/self/status; echo pid \$\$; exec setpriv --reuid 65534 sleep 100'"
expect_status 0
expect_match "rights of -c" "$out" "CapPrm:.0*$all"$'\n'"NoNewPrivs:.0"$'\n'"Seccomp:.0"

target=$(awk '/^pid/ { print $2 }' <<<"$out")
[[ -n $target && ! -e /proc/$target ]] || complain "process $target of -c is still there"

# ---- a user with the two capabilities
both=+bpf,+perfmon
as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "-all,$both" --ambient-caps "-all,$both" --bounding-set "-all,$both")
cp "$DTRACE" "$TMPDIR/dtrace" && chmod 755 "$TMPDIR" "$TMPDIR/dtrace"
if try "${as_user[@]}" "$TMPDIR/dtrace" -xnolibs -qn 'BEGIN { exit(0); }' && [[ $status == 0 ]]; then
	DTRACE=$TMPDIR/dtrace
	rights_of -qn "$first"
	expect_text rights "$rights" "4000000000 1 2"
	unconfined=1 rights_of -wqn "$first"' BEGIN { system("true"); }'
	expect_text "rights for COMMANDS" "$rights" "c000000000 0 0"
fi

# ---- nobody else may set it
try "$DTRACE" -xnolibs -qn '#pragma D option confine=off
	BEGIN { exit(0); }'
[[ $status != 0 ]] || complain "a program sets option confine"
finish
