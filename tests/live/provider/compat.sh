#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls of 32-bit programs have other numbers and are not reported.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

cat >calls32.c <<'END'
void _start(void)
{
	int ret;

	/* getppid(2) is 64 for them, exit(2) 1 */
	for (int i = 0; i < 10; i++)
		__asm__ volatile("int $0x80" : "=a"(ret) : "0"(64) : "memory");
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
END
cc -m32 -static -nostdlib -o calls32 calls32.c 2>cc.log || { echo "no compiler for 32-bit programs"; exit 77; }
./calls32 2>/dev/null || { echo "32-bit programs do not run here"; exit 77; }

"$DTRACE" -q -c ./calls32 -n '
	syscall:::entry,syscall:::return /pid == $target && execname == "calls32"/ { @[probefunc] = count(); }
	syscall::execve:return,syscall::semget:entry /pid == $target/ { printf("%s\n", probefunc); }' \
	>out.txt 2>err.txt || { cat err.txt; exit 1; }
# the execve that started it is a 64-bit one and may be seen to return
sed -E '/^$/d; /^ +execve +[0-9]+$/d; /^execve$/d' out.txt >seen.txt
[[ ! -s seen.txt ]] || { echo "reported:"; cat seen.txt; exit 1; }
