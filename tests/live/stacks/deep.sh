#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# User stacks are as deep as was asked for, far deeper than the kernel's limit; the limit of maxframes loads on each kernel.
# @ref output 6 maxframes
# @ref options 3 maxframes
. "$SRCDIR/tests/live/buffers/lib.sh"
deep() { # DEPTH OPTION...
	try "${@:2}" -c "$triggers/recursion $1" -n '
		syscall::getppid:entry /execname == "recursion" && pid == $target/ {
			printf("depth %d\n", ustackdepth); @[ustack(4096)] = count(); self->s = ustack(1200); }
		syscall::getppid:return /self->s != 0/ { printf("%k", self->s); trace(ustack(700)); self->s = 0; }'
}
frames() { # FIRST LAST: of a stack that ends in _start
	grep -c '^ *recursion`down+' out.txt
}
deep 500
expect "500: status" $status 0
quiet "500"
expect "500: depth" "$(awk '$1 == "depth" { print ($2 > 500 && $2 < 510) }' out.txt)" 1
expect "500: frames" "$(frames)" 1500
expect "500: whole" "$(grep -c '^ *\.\.\.$' out.txt)" 0
expect "500: roots" "$(grep -c '`_start+' out.txt)" 3
deep 1000
expect "1000: frames" "$(frames)" 2700
deep 5000
expect "5000: depth" "$(awk '$1 == "depth" { print $2 }' out.txt)" 2048
deep 3900 -x maxframes=4096
quiet "3900"
expect "3900: roots" "$(grep -c '`_start+' out.txt)" 1
expect "3900: depth" "$(awk '$1 == "depth" { print ($2 > 3900 && $2 < 3910) }' out.txt)" 1
deep 100 -x maxframes=10
expect "10: depth" "$(awk '$1 == "depth" { print $2 }' out.txt)" 10
exit $bad
