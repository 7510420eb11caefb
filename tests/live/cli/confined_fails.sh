#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# If the kernel refuses to take one of the rights that dtrace gives up, tracing ends with status 1 and the cause, also if it
# is refused to the process that attaches to late probes.  Helpers close what is not theirs without close_range(2) too: the
# links that they inherit would keep programs attached.
# @timeout 90
# @vm no: it does not depend on the kernel
set -u
. "${0%/*}/lib.sh"
command -v strace >/dev/null || { echo "needs strace"; exit 77; }
unset DTRACE_OPT_CONFINE

refuse() { # CALL ERROR NUMBER ARGUMENTS...
	local inject="$1:error=$2:when=$3"
	shift 3
	what="$inject, dtrace $*" status=0
	timeout 20 strace -f --seccomp-bpf -o calls.txt -e trace="${inject%%:*}" -e inject="$inject" \
		"$DTRACE" -xnolibs "$@" >out.txt 2>err.txt || status=$?
	contents out out.txt
	contents err err.txt
	grep -q INJECTED calls.txt || complain "$what: not reached"
}

own=(-qn 'tick-1s { exit(0); }')
late=(-Zqn 'nobody*:::event { trace(1); } tick-100ms { exit(0); }')
# capset(2) puts rights aside and takes them again, to try what maps take, before it gives them up
while read -r call number error cause; do
	refuse "$call" "$error" "$number" "${own[@]}"
	expect_status 1
	expect_err_line "dtrace: could not enable tracing: cannot give up rights: $cause"
done <<'EOF'
prctl 1 EPERM Operation not permitted
capset 3 EPERM Operation not permitted
landlock_add_rule 1 ENOMEM Cannot allocate memory
landlock_restrict_self 1 E2BIG Argument list too long
seccomp 1 EINVAL Invalid argument
EOF
# 2: dtrace itself has called it once before the other process does
while read -r call number error cause; do
	refuse "$call" "$error" "$number" "${late[@]}"
	expect_status 1
	expect_err_line "dtrace: could not enable tracing: cannot give up rights: $cause"
done <<'EOF'
prctl 2 EPERM Operation not permitted
prctl 3 EPERM Operation not permitted
capset 1 EPERM Operation not permitted
seccomp 1 EINVAL Invalid argument
EOF
refuse close_range ENOSYS 1 "${late[@]}"
expect_status 0

# That process is stopped when tracing ends.
what="the other process is stopped" status=0
"$DTRACE" -xnolibs -Zqn 'nobody*:::event { trace(1); } tick-20ms { printf("traced\n"); }' >out.txt 2>err.txt &
pid=$!
deputy=
for ((i = 0; i < 500 && !deputy; i++)); do
	sleep 0.02
	deputy=$(xargs <"/proc/$pid/task/$pid/children")
done
kill -STOP "$deputy"
kill $pid
for ((i = 0; i < 500; i++)); do
	[[ -e /proc/$pid && $(awk '{ print $3 }' /proc/$pid/stat) != Z ]] || break
	sleep 0.02
done
kill -KILL "$deputy" 2>/dev/null && complain "$what: it is left"
wait $pid || status=$?
expect_status 0
finish
