#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A stripped program's stacks are as deep as those of the program with its symbols, and ucaller is in the program.
# @ref output 6 user-frame
# @ref d-builtins 1 ustackdepth ucaller
# @needs strip
bare=$BUILD/tests/live/ustack/bare
modes="calls aligned signal altstack restorer trap thread jit"
strip -o "$TMPDIR/bare" "$bare" || exit 1

depths() { # PROGRAM
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { printf("%d %d\n", ustackdepth, ucaller != 0); }' -c "$1 $modes"
}
full=$(depths "$bare") && bare=$(depths "$TMPDIR/bare") || exit 1
printf '%s\n' "$full"
[[ $full == "$bare" ]] || { echo "stripped:"; printf '%s\n' "$bare"; exit 1; }
[[ $(wc -l <<<"$full") == 8 ]] || exit 1
# getppid, inner, middle, outer, main, two of libc, _start
[[ ${full%%$'\n'*} == "8 1" ]]
