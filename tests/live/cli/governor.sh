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

trace() { try "$DTRACE" -q "$@" -n "$stacks tick-20s { exit(0); }" "$parent"; } # OPTION...

# Runs dtrace until it has said so many lines and the next look, two seconds later, is over: it says nothing else.
until_said() { # LINES DTRACE-ARGUMENT...
	local lines=$1 watcher
	shift
	rm -f pid
	: >err.txt
	(until [[ -s pid && $(wc -l <err.txt) -ge $lines ]]; do sleep .05; done; sleep 2.5; kill -TERM "$(<pid)") &
	watcher=$!
	# shellcheck disable=SC2016
	try sh -c 'echo $$ >pid; exec timeout 30 "$@"' - "$DTRACE" "$@"
	kill $watcher 2>/dev/null
	wait $watcher 2>/dev/null
}

# a limit that was given ends tracing; what was counted is there
trace -x maxoverhead=1%
expect_status 1
expect_match stderr "$err" "^dtrace: processing aborted: $cost 1%
\$"
expect_match stdout "$out" '^[[:space:]]+[0-9]+[[:space:]]+$'

# user stacks, then the program; what is left out costs nothing, so nothing else is said
until_said 2 -q -x maxoverhead=1 -x overload=shed -n "$stacks"' syscall::getppid:entry /ppid == $1/ { @d[ustackdepth != 0] = count(); }
	END { printa("frames %d: %@d\n", @d); }' "$parent"
expect_status 0
for frames in 0 1; do # after and before
	expect_match stdout "$out" "frames $frames: [1-9]"
done
expect_match stderr "$err" "^dtrace: $cost 1%: user stacks are left out from now on
dtrace: $cost 1%: 'syscall:vmlinux:getppid:entry' and the probes of its program are left out from now on
\$"

# a limit holds beyond what the program wants, and only if it wants more
trace --limit=overhead=1% -x maxoverhead=0 -x overload=warn
expect_status 1
expect_match stderr "$err" "^dtrace: processing aborted: ${cost%, more than}, --limit allows 1%
\$"
trace --limit=overhead=50% -x maxoverhead=1% -x overload=warn
expect_status 1
expect_match stderr "$err" "^dtrace: processing aborted: $cost 1%
\$"

# once
until_said 1 -q -x maxoverhead=1% -x overload=warn -n "$stacks" "$parent"
expect_status 0
expect_match stderr "$err" "^dtrace: $cost 1%
\$"

# what the consumer takes counts as well, and is named
until_said 1 -q -b 4m -x switchrate=1us -x maxoverhead=1% -x overload=warn \
	-n 'profile-4999 { printf("%d %s %Y\n", timestamp, execname, walltimestamp); }'
expect_status 0
expect_match stderr "$err" "^dtrace: probes take [0-9.]+% of the time of [0-9]+ CPUs? and reading their records [0-9]+\.[0-9]%, more than 1%
\$"

# nothing is said in a look, which takes two seconds: of four at the same time
quiet() { # NAME DTRACE-ARGUMENT...
	local name=$1
	shift
	"$DTRACE" -q "$@" >"$name.out" 2>"$name.err" &
	pids[$name]=$!
}
declare -A pids
brief="$stacks tick-3s { exit(0); }"
# by default there is a warning beyond 25%, which a stack for each call may reach or not
quiet default -n "$brief" "$parent"
quiet all -x maxoverhead=100 -x overload=end -n "$brief" "$parent"
quiet off -x maxoverhead=0 -n "$brief" "$parent"
quiet consumer -b 4m -x switchrate=1us -n 'profile-97 { printf("%d\n", timestamp); } tick-3s { exit(0); }' # nobody asked for it
for name in "${!pids[@]}"; do
	wait "${pids[$name]}" || complain "$name: status $?"
	! "$SRCDIR/tests/runner/preempts" || sed -i '/^dtrace: [0-9]* missed firings/d' "$name.err"
	err=$(<"$name.err")
	[[ -z $err || $name == default && $err =~ ^dtrace:\ $cost\ 25%$ ]] || complain "$name: $err"
done

# the kernel measures only while we look
[[ $(</proc/sys/kernel/bpf_stats_enabled) == 0 ]] || complain "the kernel still measures"
# a session that ends during a look, which takes a second here, closes its descriptor
DTRACE_OPT_CONFINE=off SCARCE_AT=0 try "$BUILD/dtrace-scarce" -q -x maxoverhead=1% -x overload=warn \
	-n "$stacks tick-1500ms { exit(0); }" "$parent"
expect_status 0
# a virtual machine may be slow enough for the look to come to its end
[[ -z $err || -n ${DTRACE_VM-} && $err =~ ^dtrace-scarce:\ $cost\ 1%[[:space:]]*$ ]] || expect_err ''

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
