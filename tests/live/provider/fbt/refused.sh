#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A function that the kernel does not let be traced by its type, here the return of one that never returns, does not
# refuse the program and the other functions: kprobes are used.
# @needs kprobe fexit
set -u
. "${0%/*}/../../cli/lib.sh"
try "$DTRACE" -xnolibs -qn 'fbt::do_exit:return, fbt::vfs_read:return { @[probefunc] = count(); } tick-300ms { exit(0); }
	END { printa("%s\n", @); }' -c "sleep 1"
expect_status 0
[[ $'\n'$out == *$'\nvfs_read\n'* && $out != *do_exit* ]] || complain "$out"
expect_err ""
finish
