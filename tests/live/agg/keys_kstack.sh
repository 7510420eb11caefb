#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Kernel stacks and kernel symbols as keys: all calls on one path are one row.
# @ref d-language 15 stack-and-symbol-keys
# @ref output 6.1 reduced-kernel
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -q -c "$BUILD/tests/live/triggers/calls getppid 500" -n '
	syscall::getppid:entry /pid == $target/ { @[stack()] = count(); @two["two", stack(2)] = count(); }
	BEGIN { @none[stack()] = count(); }' >out.txt 2>err.txt || { cat err.txt; exit 1; }
# all rows of @ and @two, their counts
awk '
	NF == 1 && $1 ~ /^[0-9]+$/ { n[++rows] = $1 }
	NF == 1 && $1 ~ /`/ && $1 !~ /^vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?$/ { print "frame: " $0; bad = 1 }
	/`/ { frames++ }
	END {
		if (rows != 3 || n[1] != 500 || n[2] != 500 || n[3] != 1) {
			print rows " rows: " n[1] " " n[2] " " n[3] ", expected 500 500 1"
			bad = 1
		}
		if (frames < 5) {
			print "only " frames " frames"
			bad = 1
		}
		exit bad
	}' out.txt || { cat out.txt; exit 1; }
