/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -m32 -static -nostdlib -fno-pie -no-pie -fno-stack-protector */
/* stages of a 32-bit program without a library: one getpgrp(2) before main(), two getppid(2) in it.
 */

static int call(int number, int arg)
{
	int r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(number), "b"(arg) : "memory");
	return r;
}

int main(void)
{
	call(64, 0);
	call(64, 0);
	return 0;
}

void _start(void)
{
	call(65, 0);
	call(1, main());
	__builtin_unreachable();
}
