#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# First contact: what is missing is named in one line, with what to do; nothing else is needed.
# @ref d-errors 1.3 not-root
set -u
. "${0%/*}/lib.sh"

calls=$BUILD/tests/live/triggers/calls
count='syscall::getppid:entry /pid == $target/ { @[execname, probefunc] = count(); }'
counted="
  calls                                               getppid                                                           7
"

# ---- privileges
# @ref cli 8 version-and-usage not-root capabilities-suffice
# @ref cli 1.1 version-before-privileges

# The command may lie where only root can go, so it is executed by way of a file descriptor.
exec 9<"$DTRACE" 8<"$calls"
as() { # SETPRIV-ARGUMENTS -- ARGUMENTS
	local privileges=()
	while [[ $1 != -- ]]; do
		privileges+=("$1")
		shift
	done
	setpriv "${privileges[@]}" bash -c 'exec -a dtrace /proc/self/fd/9 "$@"' - "${@:2}"
}
nobody=(--reuid 65534 --regid 65534 --clear-groups)
only() { echo "--inh-caps -all,$1 --ambient-caps -all,$1 --bounding-set -all,$1"; }

refusal='dtrace: this process may not trace the kernel: run it as root, or with'
for args in '-n BEGIN' '-l' '-e -n BEGIN' '-lP syscall'; do
	try as "${nobody[@]}" -- $args
	expect_status 2
	expect_out ""
	expect_err "$refusal CAP_BPF and CAP_PERFMON"$'\n'
done
try as "${nobody[@]}" -- -V
expect_status 0
try as "${nobody[@]}" --
expect_status 2
expect_match stderr "$err" '^Usage: dtrace'

# root is a matter of capabilities; only what is missing is named
try as --bounding-set -all -- -n BEGIN
expect_status 2
expect_err "$refusal CAP_BPF and CAP_PERFMON"$'\n'
try as --bounding-set -sys_admin,-perfmon -- -n BEGIN
expect_err "$refusal CAP_PERFMON"$'\n'
try as --bounding-set -sys_admin,-bpf -- -n BEGIN
expect_err "$refusal CAP_BPF"$'\n'

# and the two are enough
try as "${nobody[@]}" $(only +bpf,+perfmon) -- -qn "$count" -c '/proc/self/fd/8 getppid 7'
expect_status 0
expect_err ""
expect_text stdout "${out/  8    /  calls}" "$counted"
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 2)
try as "${nobody[@]}" $(only +bpf,+perfmon) -- -qn 'profile-97 { @[stack()] = count(); self->x = 1; } tick-10 { exit(0); }'
if [[ $paranoid -le 2 ]]; then
	expect_status 0
	expect_text "stderr without the names of kernel addresses" \
		"$(grep -v '^dtrace: kernel addresses have no names: the kernel hides its addresses' err.txt)" ""
else # Debian's way to leave perf events to root
	expect_status 1
	expect_match stderr "$err" "kernel.perf_event_paranoid is $paranoid: it takes CAP_SYS_ADMIN or a level of 2"
fi
try as "${nobody[@]}" $(only +bpf,+perfmon) -- -l
expect_status 0
expect_match stdout "$out" 'syscall +vmlinux +openat entry'

if unshare -r true 2>/dev/null; then
	try unshare -r "$DTRACE" -n BEGIN
	expect_status 2
	expect_err $'dtrace: bpf(2) is refused in a user namespace: run outside of this container\n'
fi

# ---- the kernel's files

if ! unshare -m true 2>/dev/null; then # in a chroot, for one
	[[ $failures == 0 ]] || exit 1
	echo "needs a mount namespace of its own (unshare -m)"
	exit 77
fi

# Run COMMANDS (which mount something), then dtrace, in a mount namespace of its own.
with() { # COMMANDS ARGUMENTS...
	local commands=$1
	shift
	unshare -m sh -c "$commands"' && exec "$@"' - "$DTRACE" "$@"
}
one_line='^[^'$'\n'']*'$'\n''$'

: >empty
head -c 100 "$DTRACE" >junk
no_btf='mount -t tmpfs none /sys/kernel/btf'
ways=("$no_btf" 'mount --bind empty /sys/kernel/btf/vmlinux' 'mount --bind junk /sys/kernel/btf/vmlinux'
	'mount --bind /dev/null /sys/kernel/btf/vmlinux')
[[ -z ${DTRACE_VM:-} ]] || ways=("$no_btf") # how it is missing is no matter of the kernel's
for hide in "${ways[@]}"; do
	# what needs no types goes on
	try with "$hide" -qn 'BEGIN { trace(1); } tick-100 { @ = sum(1); exit(0); }'
	expect_status 0
	expect_out $'1\n                1\n'
	expect_err ""

	try with "$hide" -qn "$count" -c "$calls getppid 7"
	expect_status 1
	expect_out ""
	expect_match stderr "$err" "$one_line"
	expect_match stderr "$err" 'BTF'
	expect_match stderr "$err" 'syscall: .*CONFIG_DEBUG_INFO_BTF'

	try with "$hide" -qn 'BEGIN { trace(curthread->pid); exit(0); }'
	expect_status 1
	expect_match stderr "$err" "$one_line"
	expect_match stderr "$err" 'curthread.*CONFIG_DEBUG_INFO_BTF'

	# a list has what there is and says what there is not
	try with "$hide" -lP syscall
	expect_status 0
	expect_match stderr "$err" "$one_line"
	expect_match stderr "$err" 'syscall: .*CONFIG_DEBUG_INFO_BTF'
	try with "$hide" -ln BEGIN
	expect_status 0
	expect_err ""
	try with "$hide" -l
	expect_status 0
	expect_match stdout "$out" ' BEGIN'
	expect_only_lacking
	expect_match stderr "$err" 'provider syscall: .*CONFIG_DEBUG_INFO_BTF'
done
try with "$no_btf" -n syscall:::
expect_match stderr "$err" '/sys/kernel/btf/vmlinux'

# neither tracefs nor debugfs is needed, nor names of the kernel's addresses
no_tracefs='for d in /sys/kernel/tracing /sys/kernel/debug; do [ ! -d $d ] || mount -t tmpfs none $d || exit; done'
try with "$no_tracefs" -qn "$count" -c "$calls getppid 7"
expect_status 0
expect_err ""
expect_out "$counted"
try with 'mount --bind empty /proc/kallsyms' -qn "$count" -c "$calls getppid 7"
expect_status 0
expect_err ""
expect_out "$counted"
try with 'mount --bind empty /proc/kallsyms' -qn 'syscall::getppid:entry /pid == $target/ { stack(); sym(0x10); exit(0); }' \
	-c "$calls getppid 1"
expect_status 0
expect_err 'dtrace: kernel addresses have no names: /proc/kallsyms lists nothing (CONFIG_KALLSYMS)
'
expect_match stdout "$out" $'\n +0x[0-9a-f]+\n.*  0x10 '

# without a /sys there is one line too
try with 'mount -t tmpfs none /sys' -qn 'BEGIN { exit(0); }'
expect_status 1
expect_match stderr "$err" "$one_line"
expect_match stderr "$err" '/sys'

# ---- lockdown, as the kernel would say it

if [[ -d /sys/kernel/security ]]; then
	lockdown() { echo "mount -t tmpfs none /sys/kernel/security && echo '$1' >/sys/kernel/security/lockdown"; }
	# what confidentiality refuses: tests/vm/lockdown.sh
	for mode in 'none integrity [confidentiality]' 'none [integrity] confidentiality' '[none] integrity confidentiality'; do
		try with "$(lockdown "$mode")" -qn 'BEGIN { trace(2); exit(0); }'
		expect_status 0
		expect_out $'2\n'
	done
fi

finish
