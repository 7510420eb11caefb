#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Kernel stacks as values: the frames of the tracing machinery do not count, so stacks of one place are equal whatever their
# probe, and the depth is that of the stack itself.
# @ref d-language 15 stack-values
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -q -c "$BUILD/tests/live/triggers/calls getppid 500" -n '
	BEGIN { st[0] = stack(); printf("BEGIN [%k]\n", st[0]); st[0] = NULL; }
	syscall::getppid:entry /pid == $target/ {
		self->s = stack();
		@equal[self->s == stack(), self->s == st[0], self->s == stack(1)] = count();
		@[self->s] = count();
		@[stack()] = count();
		@[stack(1)] = count();
		@[stack(500)] = count();
		st[0] = self->s;
	}
	syscall::getppid:return /self->s != 0/ { @other[self->s == stack()] = count(); self->s = 0; }
	ERROR { st[1] = stack(); printf("ERROR [%k]\n", st[1]); }
	END { st[1] = stack(); printf("END [%k]\n", st[1]); }
	END { trace(*(int *)8); }' >out.txt 2>err.txt || { cat err.txt; exit 1; }
status=0
expect() { # WHAT LINES
	grep -qxE "$2" out.txt || { echo "$1: no line like $2"; status=1; }
}
expect "the first" ' +1 +0 +0 +1'
expect "the others" ' +1 +1 +0 +499'
expect "another place" ' +0 +500'
# whole, as a variable and as a key; and cut
awk '
	/`/ { frames++; if ($0 !~ /^ +vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?$/) { print "frame: " $0; bad = 1 } }
	NF == 1 && $1 == 1500 && frames >= 3 { whole++ }
	NF == 1 && $1 == 500 && frames == 1 { one++ }
	NF == 1 && $1 ~ /^[0-9]+$/ { frames = 0 }
	END { if (whole != 1 || one != 1) { print whole + 0 " whole rows and " one + 0 " of one frame"; bad = 1 } exit bad }' out.txt || status=1
for probe in BEGIN ERROR END; do
	grep -A 1 "^$probe \[" out.txt | tr -d '\n' | grep -qx "$probe \[\]" || { echo "$probe has a stack"; status=1; }
done
[[ $status == 0 ]] || cat out.txt err.txt
exit $status
