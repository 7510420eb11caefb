#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -c of a program without main() whose entry point jumps, as Go's does: it is held there, and all of it is traced.
# @needs gcc
cat >"$TMPDIR/jumps.S" <<'ASM'
	.globl _start
_start:	jmp begin
	call begin		/* never run */
begin:	mov $110, %eax		/* getppid */
	syscall
	mov $231, %eax		/* exit_group */
	xor %edi, %edi
	syscall
ASM
gcc -nostdlib -static -o "$TMPDIR/jumps" "$TMPDIR/jumps.S" || exit 1
got=$("$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa("%@d", @); }' -c "$TMPDIR/jumps") || exit 1
[[ $got == 1 ]] || { echo "getppid: '$got', not 1"; exit 1; }
