#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# maxoverhead: beyond it for a second tracing ends, or user stacks and then the program that costs most are left out, or there
# is a warning, as overload says.
# @timeout 120
# @alone
set -u
. "${0%/*}/lib.sh"

calls=$BUILD/tests/live/triggers/calls
bash -c '"$0" getppid 1000000000 & "$0" getppid 1000000000; wait' "$calls" &
parent=$!
end_load() { # the children are those of $parent, which waits for them
	kill $(cat "/proc/$parent/task/$parent/children"); wait
} 2>/dev/null
trap end_load EXIT
stacks='syscall::getppid:entry /ppid == $1/ { @s[ustack()] = count(); @all = count(); } END { trunc(@s); printa(@all); }'
cost='probes take [0-9]+\.[0-9]% of the time of [0-9]+ CPUs?( and reading their records [0-9]+\.[0-9]%)?, more than'

trace() { # SECONDS OPTION...
	local s=$1
	shift
	try "$DTRACE" -q "$@" -n "$stacks ${more-} tick-${s}s { exit(0); }" "$parent"
}

# a limit that was given ends tracing; what was counted is there
trace 20 -x maxoverhead=1%
expect_status 1
expect_match stderr "$err" "^dtrace: processing aborted: $cost 1%
\$"
expect_match stdout "$out" '^[[:space:]]+[0-9]+[[:space:]]+$'

# user stacks, then the program; what is left out costs nothing, so nothing else is said
more='syscall::getppid:entry /ppid == $1/ { @d[ustackdepth != 0] = count(); } END { printa("frames %d: %@d\n", @d); }'
trace 12 -x maxoverhead=1 -x overload=shed
more=''
expect_status 0
for frames in 0 1; do # after and before
	expect_match stdout "$out" "frames $frames: [1-9]"
done
expect_match stderr "$err" "^dtrace: $cost 1%: user stacks are left out from now on
dtrace: $cost 1%: 'syscall:vmlinux:getppid:entry' and the probes of its program are left out from now on
\$"

# a limit holds beyond what the program wants, and only if it wants more
trace 20 --limit=overhead=1% -x maxoverhead=0 -x overload=warn
expect_status 1
expect_match stderr "$err" "^dtrace: processing aborted: ${cost%, more than}, --limit allows 1%
\$"
trace 20 --limit=overhead=50% -x maxoverhead=1% -x overload=warn
expect_status 1
expect_match stderr "$err" "^dtrace: processing aborted: $cost 1%
\$"

# once
trace 6 -x maxoverhead=1% -x overload=warn
expect_status 0
expect_match stderr "$err" "^dtrace: $cost 1%
\$"
# by default there is a warning beyond 25%, which a stack for each call may reach or not
trace 5
expect_status 0
[[ -z $err || $err =~ ^dtrace:\ $cost\ 25%$'\n'$ ]] || complain "by default: $err"
trace 5 -x maxoverhead=100 -x overload=end
expect_status 0
expect_err ''
trace 3 -x maxoverhead=0
expect_err ''

# what the consumer takes counts as well, and is named
try "$DTRACE" -q -b 4m -x switchrate=1us -x maxoverhead=1% -x overload=warn \
	-n 'profile-4999 { printf("%d %s %Y\n", timestamp, execname, walltimestamp); } tick-6s { exit(0); }'
expect_status 0
expect_match stderr "$err" "^dtrace: probes take [0-9.]+% of the time of [0-9]+ CPUs? and reading their records [0-9]+\.[0-9]%, more than 1%
\$"
try "$DTRACE" -q -b 4m -x switchrate=1us -n 'profile-97 { printf("%d\n", timestamp); } tick-3s { exit(0); }'
expect_err '' # which nobody asked for

# the kernel measures only while we look
[[ $(</proc/sys/kernel/bpf_stats_enabled) == 0 ]] || complain "the kernel still measures"
# a session that ends during a look, which takes a second here, closes its descriptor
DTRACE_OPT_CONFINE=off SCARCE_AT=0 try "$BUILD/dtrace-scarce" -q -x maxoverhead=1% -x overload=warn \
	-n "$stacks tick-1500ms { exit(0); }" "$parent"
expect_status 0
expect_err ''

for value in 101 -1 5%% x ''; do
	try "$DTRACE" -x maxoverhead="$value" -qn 'BEGIN { exit(0); }'
	expect_status 1
	expect_err $'dtrace: failed to set -x maxoverhead: Invalid value for specified option\n'
done
# who asks for it must be allowed to measure; who does not ask traces without
two=(setpriv --bounding-set -all,+bpf,+perfmon --inh-caps -all)
if "${two[@]}" "$DTRACE" -qn 'BEGIN { exit(0); }' 2>/dev/null; then
	try "${two[@]}" "$DTRACE" -x maxoverhead=5% -qn 'BEGIN { exit(0); }'
	expect_status 1
	expect_match stderr "$err" 'option maxoverhead cannot be set: it takes CAP_SYS_ADMIN'
fi
finish
