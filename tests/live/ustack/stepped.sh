#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The stack of a thread whose instruction is being single-stepped begins where that instruction is, not at the kernel's copy of it.
# @needs gcc
# @ref output 6 user-frame
set -u
. "${0%/*}/../cli/lib.sh"

cat >stepped.c <<'END'
volatile unsigned long x;
__attribute__((noinline)) void leaf(void) { x++; __asm__ volatile("add $1,%%rcx" ::: "rcx"); }
__attribute__((noinline)) void middle(void) { for (;;) { leaf(); x += 2; } }
int main(void) { middle(); }
END
gcc -O1 -o stepped stepped.c || exit 1
# each instruction but jumps and no-operations is stepped; the sample that is the 300th ends it
try "$DTRACE" -qn 'pid$target:a.out:leaf: { probed++; }
	profile-499 /pid == $target && probed > 100/ { @[ustack(1)] = count(); n++; } profile-499 /n >= 300/ { exit(0); }' -c ./stepped
expect_status 0
expect_err ""
expect_match stdout "$out" 'stepped`leaf\+0x'
[[ $out != *'[uprobes]'* ]] || complain "at a copy: $out"
finish
