#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# CAP_BPF and CAP_PERFMON suffice for most probes; what takes more works with it and names it without (docs/SECURITY.md).
# @timeout 90
. "${0%/*}/lib.sh"

exec 9<"$DTRACE"
# The program may be where nobody may look.
# shellcheck disable=SC2016
start='[[ $1 == --doctor ]] || set -- -xnolibs "$@"; exec -a dtrace /proc/self/fd/9 "$@"'
as_nobody() { # CAPS("+bpf,+perfmon") ARGUMENTS...
	local caps=-all${1:+,$1}
	shift
	try setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
		--bounding-set "$caps" bash -c "$start" - "$@"
	what="nobody with $caps: $*"
}
as_root() {
	local caps=-all${1:+,$1}
	shift
	try setpriv --bounding-set "$caps" --inh-caps -all bash -c "$start" - "$@"
	what="root with $caps: $*"
}
both=+bpf,+perfmon
doctor=$("$DTRACE" --doctor)
has() { grep -qE "^$1 +ok$" <<<"$doctor"; }

# ---- without what tracing takes
for lacks in ":CAP_BPF and CAP_PERFMON" "+bpf:CAP_PERFMON" "+perfmon:CAP_BPF" "+net_admin:CAP_BPF and CAP_PERFMON"; do
	for who in as_nobody as_root; do
		$who "${lacks%%:*}" -qn BEGIN
		expect_status 2
		expect_err_line "dtrace: this process may not trace the kernel: run it as root, or with ${lacks#*:}"
	done
done

# ---- some distributions have a level that takes more for any perf event
level=$(</proc/sys/kernel/perf_event_paranoid)
if [[ $level -gt 2 ]]; then
	as_nobody $both -qn 'tick-20ms { exit(0); }'
	expect_status 1
	expect_match stderr "$err" "[(]kernel.perf_event_paranoid is $level: it takes CAP_SYS_ADMIN or a level of 2[)]"
	as_nobody $both --doctor
	expect_match "a feature" "$out" $'\ncpu_clock +missing   the kernel refuses the event [(]EACCES[)]: it takes CAP_SYS_ADMIN\n'
	[[ -n ${DTRACE_VM:-} ]] || finish
	echo 2 >/proc/sys/kernel/perf_event_paranoid
fi

# ---- what works with it
works() { # CAPS ARGUMENTS...
	for who in as_nobody as_root; do
		$who "$@"
		expect_status 0
		expect_err ""
	done
}
for probe in syscall:::entry profile-997 tick-5ms sched:::on-cpu proc:::exec rawtp:::sched_switch cpc:::cpu_clock-all-1000000; do
	"$DTRACE" -en "$probe" >/dev/null 2>&1 && works $both -qn "$probe { } tick-20ms { exit(0); }"
done
# shellcheck disable=SC2016
uprobe='pid$target:libc.so.6:exit:entry { n++; } END { trace(n); }'
if has uprobe_multi; then
	works $both -qn "$uprobe" -c true
	expect_out $'1\n'
else
	# uprobes of their own took CAP_PERFMON, then CAP_SYS_ADMIN
	as_nobody $both -qn "$uprobe" -c true
	[[ $status == 0 ]] || expect_match stderr "$err" "probes of user code take CAP_SYS_ADMIN on this kernel"
fi
works $both -wqn 'BEGIN { raise(0); exit(0); }'
works $both -wqn 'BEGIN { system("true"); exit(0); }'

# ---- what takes more: it is named, and with it there is no message
takes() { # MORE MESSAGE ARGUMENTS...
	local more=$1 message=$2
	shift 2
	as_nobody $both "$@"
	expect_match stderr "$err" "$message"
	as_nobody $both,$more "$@"
	expect_status 0
	expect_err ""
}
has netfilter && ! has fentry && takes +net_admin "udp:::send does not match any probes: netfilter programs take CAP_NET_ADMIN" \
	-qn 'udp:::send { } tick-5ms { exit(0); }'
tracefs=CAP_DAC_READ_SEARCH
grep -q '^[^ ]* /sys/kernel/tracing tracefs' /proc/self/mounts || tracefs="CAP_SYS_ADMIN and CAP_DAC_READ_SEARCH"
has perf_tp && takes +sys_admin,+dac_read_search "any probes: trace events are read from tracefs, which takes $tracefs;" \
	-qn 'sdt:::sched_switch { trace(arg1); exit(0); }'
# The kernel's own list of functions; without it those of its types are found, by name.
has kprobe_multi && takes +sys_admin,+dac_read_search "the list of functions is read from tracefs, which takes $tracefs" \
	-ln 'fbt::vfs_rea*:entry'
has write_user && works $both -wqn 'BEGIN { copyout("x", 0, 0); exit(0); }'
if [[ $(</proc/sys/kernel/kptr_restrict) -lt 2 && $(</proc/sys/kernel/perf_event_paranoid) -gt 1 ]]; then
	takes +syslog "dtrace: kernel addresses have no names: the kernel hides its addresses from processes without CAP_SYSLOG" \
		-qn 'rawtp:::sched_switch { stack(1); exit(0); }'
	as_nobody $both -qn 'BEGIN { trace(`__per_cpu_offset); }'
	expect_match stderr "$err" 'failed to resolve `__per_cpu_offset: the kernel hides its addresses from processes without CAP_SYSLOG'
fi
sleep 1000 &
sleeper=$!
if has uprobe_multi; then
	# shellcheck disable=SC2016
	takes +sys_ptrace "process $sleeper(: it)? has another user or more capabilities, which takes CAP_SYS_PTRACE" \
		-qn 'pid$target:libc.so.6:exit:entry { } tick-5ms { exit(0); }' -p $sleeper
fi
kill $sleeper
wait $sleeper 2>/dev/null
if has uprobe_multi; then
	as_nobody $both -xhold=exec -Zqn 'usdt*::: { } tick-5ms { exit(0); }'
	expect_match stderr "$err" "option hold: cannot hold processes: it takes CAP_SYS_ADMIN"
fi

# ---- lent privileges
lent=$(mktemp -d /tmp/dtrace-lent.XXXXXX)
trap 'rm -rf "$lent"; [[ -z ${DTRACE_VM:-} ]] || echo "$level" >/proc/sys/kernel/perf_event_paranoid' EXIT
chmod 755 "$lent"
cat /proc/self/fd/9 >"$lent/dtrace"
chmod 755 "$lent/dtrace"
nobody() {
	try setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all "$@"
}
nobody "$lent/dtrace" -xnolibs -qn 'BEGIN { exit(0); }'
expect_status 2
if setcap cap_bpf,cap_perfmon+ep "$lent/dtrace" 2>/dev/null &&
	nobody "$lent/dtrace" -xnolibs -qn 'BEGIN { exit(0); }' && [[ $status == 0 ]]; then
	nobody env DTRACE_OPT_QUIET= DTRACE_OPT_BUFSIZE=nonsense "$lent/dtrace" -xnolibs -n 'BEGIN { exit(0); }'
	expect_status 0
	expect_match "not quiet" "$out" "CPU +ID +FUNCTION:NAME"
	for option in -L/tmp -xlibdir=/tmp -xsyslibdir=/tmp "-C -xcpppath=/bin/cat" "-C -xcppargs=-v" -xldpath=/bin/false; do
		# shellcheck disable=SC2086
		nobody "$lent/dtrace" $option -qn "BEGIN { exit(0); }"
		expect_status 1
		expect_match "stderr of $option" "$err" "Option is refused because dtrace has privileges that its caller may lack"
	done
	# shellcheck disable=SC2016
	nobody "$lent/dtrace" -xnolibs -wqn 'BEGIN { system("grep CapEff /proc/self/status"); exit(0); }'
	expect_out $'CapEff:\t0000000000000000\n\n'
	# setpriv has capabilities that it hands to nobody; started by another program, dtrace has more than that
	# shellcheck disable=SC2016
	nobody env "$lent/dtrace" -xnolibs -qn 'BEGIN { trace($target != 0); exit(0); }' -c true
	expect_status 0
	expect_err ""
	# ---- set-group-ID as well: nothing runs in the group, and the caller's wishes are ignored as before
	chgrp 65533 "$lent/dtrace" && chmod 2755 "$lent/dtrace" && setcap cap_bpf,cap_perfmon+ep "$lent/dtrace"
	echo 'BEGIN { exit(0); }' >"$lent/secret.d"
	chgrp 65533 "$lent/secret.d" && chmod 640 "$lent/secret.d"
	groups="grep -E '^(Gid|CapEff)' /proc/self/status"
	none=$'Gid:\t65534\t65534\t65534\t65534\nCapEff:\t0000000000000000\n'
	nobody env DTRACE_OPT_QUIET= LD_PRELOAD=/nosuch.so "$lent/dtrace" -xnolibs -wn "BEGIN { system(\"$groups\"); exit(0); }"
	expect_status 0
	expect_match "not quiet" "$out" "CPU +ID +FUNCTION:NAME"
	expect_match "system() in the caller's group" "$out" "$none"
	grep -q nosuch <<<"$err" && complain "LD_PRELOAD counts: $err"
	nobody env "$lent/dtrace" -xnolibs -qn 'BEGIN { n++; }' -c "$groups"
	expect_status 0
	expect_match "-c in the caller's group" "$out" "$none"
	for option in -L/tmp "-C -xcpppath=/bin/cat" -xldpath=/bin/false; do
		# shellcheck disable=SC2086
		nobody "$lent/dtrace" $option -qn "BEGIN { exit(0); }"
		expect_match "stderr of $option" "$err" "Option is refused because dtrace has privileges that its caller may lack"
	done
	nobody "$lent/dtrace" -xnolibs -qs "$lent/secret.d"
	expect_status 1
	expect_match "a script of the group" "$err" "Permission denied"

	setcap -r "$lent/dtrace"
	chmod 4755 "$lent/dtrace"
	nobody "$lent/dtrace" -xnolibs -qn BEGIN
	expect_status 2
	expect_err_line "dtrace: the program must not be set-user-ID: give its file capabilities instead (setcap cap_bpf,cap_perfmon+ep)"
fi
finish
