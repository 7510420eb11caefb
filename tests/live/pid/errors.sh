#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is said of descriptions that cannot be: to the letter, and with its tag.
# @ref d-errors 2.14 D_PROC_GRAB D_PROC_BADPID D_PROC_NAME D_PROC_OFF D_PROC_FUNC D_PROC_LIB D_PROC_DYN D_PROC_CREATEFAIL
# @ref providers 15 grab-process invalid-name outside-function lookup-failed only-a.out only-addresses no-pid itself create-failed no-match absent-module
set -u
. "${0%/*}/lib.sh"

# The one complaint about DESCRIPTION, a process's own under -c.
refuses() { # DESCRIPTION MESSAGE [WORD...]
	local desc=$1 message=$2
	shift 2
	try "$DTRACE" -x errtags -n "$desc" "$@"
	expect_status 1
	expect_out ""
	expect_text "stderr without pids" "$(sed -E 's/ probe description pid[0-9]+/ probe description pidN/' err.txt)" \
		"dtrace: invalid probe specifier $desc: $message"
}
work=(-c "$here/work add 1")

refuses 'pid0:::entry' '[D_PROC_BADPID] pid0 does not contain a valid pid'
refuses 'pid99999999999:::entry' "[D_PROC_BADPID] 'pid99999999999' does not contain a valid pid"
# $target without a target
refuses 'pid$target:::entry' '[D_PROC_BADPID] pid0 does not contain a valid pid'
# numbers beyond the kernel's largest
refuses 'pid4194305:::entry' '[D_PROC_GRAB] failed to grab process 4194305'
# one that has no memory of its own
[[ -n ${DTRACE_VM:-} ]] || refuses 'pid2:::entry' '[D_PROC_GRAB] failed to grab process 2'
try bash -c 'exec "$DTRACE" -x errtags -n "pid$$:::entry"'
expect_status 1
expect_match stderr "$err" \
	'^dtrace: invalid probe specifier pid([0-9]+):::entry: \[D_PROC_DYN\] process ([0-9]+) is dtrace itself'
expect_text "the pid" "${BASH_REMATCH[1]-1}" "${BASH_REMATCH[2]-2}"

refuses 'pid$target:a.out:add:foo' "[D_PROC_NAME] 'foo' is an invalid probe name" "${work[@]}"
refuses 'pid$target:a.out:add:0x0' "[D_PROC_NAME] '0x0' is an invalid probe name" "${work[@]}"
refuses 'pid$target:a.out:refused:fff' "[D_PROC_OFF] offset 0xfff outside of function 'refused'" "${work[@]}"
refuses 'pid$target:a.out:refused:9' "[D_PROC_OFF] offset 0x9 outside of function 'refused'" "${work[@]}"
refuses 'pid$target:a.out:nosuch:entry' "[D_PROC_FUNC] failed to lookup 'nosuch' in module 'a.out'" "${work[@]}"
refuses 'pid$target:libc.so.6:nosuch:return' \
	"[D_PROC_FUNC] failed to lookup 'nosuch' in module 'libc.so.6'" "${work[@]}"
refuses 'pid$target:libc:-:f401000' "[D_PROC_OFF] address 0xf401000 is not code of 'libc'" "${work[@]}"
refuses 'pid$target:a.out:-:1' "[D_PROC_OFF] address 0x1 is not code of 'a.out'" "${work[@]}"
refuses 'pid$target:a.out:-:entry' \
	"[D_PROC_NAME] only individual addresses may be specified with the '-' function" "${work[@]}"
refuses 'pid$target::-:*' \
	"[D_PROC_NAME] only individual addresses may be specified with the '-' function" "${work[@]}"

# what no probe can be placed at: inside an instruction, at one that cannot be copied, at what is left by other ways
refuses 'pid$target:a.out:refused:2' \
	"[D_PROC_CREATEFAIL] failed to create probes at 'refused+0x2': no instruction begins there" "${work[@]}"
refuses 'pid$target:a.out:refused:6' \
	"[D_PROC_CREATEFAIL] failed to create probes at 'refused+0x6': the kernel cannot probe this instruction" "${work[@]}"
refuses 'pid$target:a.out:_start:return' \
	"[D_PROC_CREATEFAIL] failed to create return probe for '_start': it has no instruction that returns" "${work[@]}"

# no function of any module, or of those that a pattern matches, is the general complaint
refuses 'pid$target::nosuch:entry' \
	'[D_PDESC_ZERO] probe description pidN::nosuch:entry does not match any probes' "${work[@]}"
refuses 'pid$target:a*:nosuch:entry' \
	'[D_PDESC_ZERO] probe description pidN:a*:nosuch:entry does not match any probes' "${work[@]}"
refuses 'pid$target:a.out:nosuch*:entry' \
	'[D_PDESC_ZERO] probe description pidN:a.out:nosuch*:entry does not match any probes' "${work[@]}"
# every function of everything that runs is never meant
for d in 'pid*:::entry' 'pid*:*:main:entry' 'pid*:a.out:-:1a'; do
	refuses "$d" '[D_PROC_LIB] probes of all processes need a module, as in pid*:libc.so.6:malloc:entry'
done
refuses 'pid*:libc.so.6:nosuch:entry' "[D_PROC_FUNC] failed to lookup 'nosuch' in module 'libc.so.6'"
refuses 'pid*:/nosuch/file:main:entry' '[D_PDESC_ZERO] probe description pid*:/nosuch/file:main:entry does not match any probes'
refuses 'pid$target:nosuch::entry' '[D_PDESC_ZERO] probe description pidN:nosuch::entry does not match any probes' "${work[@]}"

# what a pattern means may be loaded later; with -Z any description may match nothing
try "$DTRACE" -qn 'pid$target:nosuch*::entry { printf("never"); } END { printf("end"); }' "${work[@]}"
expect_status 0
expect_out $'end\n'
expect_match stderr "$(sed 's/pid[0-9]*/pidN/' <<<"$err")" 'dtrace: probe description pidN:nosuch\*::entry did not match any probes'
try "$DTRACE" -Zqn 'pid$target::nosuch:entry { printf("never"); } END { printf("end"); }' "${work[@]}"
expect_status 0
expect_out $'end\n'
expect_match stderr "$(sed 's/pid[0-9]*/pidN/' <<<"$err")" 'dtrace: probe description pidN::nosuch:entry did not match any probes'

finish
