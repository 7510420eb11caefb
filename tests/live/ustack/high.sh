#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code beyond 47 bits of addresses, where page tables of five levels allow it, is walked as other code without a table is.
# @ref output 6 user-frame
bare=$BUILD/tests/live/ustack/bare
"$bare" high || { echo "needs page tables of five levels"; exit 77; }
# wait: dtrace reads what the process maps; then the code is new
for modes in "high" "wait high"; do
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$bare $modes" >out || exit 1
	sed -E 's/^ +//; s/\+0x[0-9a-f]+$//; s/^0x40000000000[0-9a-f]{3}$/(code)/; /^$/d' out >frames
	grep -A4 '`inner$' frames | diff - <(printf '%s\n' 'bare`inner' '(code)' '(code)' 'bare`high' 'bare`main') || { cat out; exit 1; }
done
