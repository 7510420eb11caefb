#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names as rustc makes them, in both of its ways, in all the actions that show user functions.
# @needs cc
# @vm no: the compiler takes long there, and the kernel has no part in it
# @ref output 6.1 usym uaddr
set -eu
cat > p.c <<'END'
#include <sys/syscall.h>
static volatile long keep;
__attribute__((noinline)) static void inner(void (*fn)(void))
{
	long r;
	__asm__ volatile("syscall" : "=a"(r) : "0"(SYS_getppid), "D"(fn) : "rcx", "r11", "memory");
	keep = r + (long)__builtin_frame_address(0);
}
__attribute__((noinline)) void _ZN5crate6module4task17h0123456789abcdefE(void)
{
	inner(_ZN5crate6module4task17h0123456789abcdefE);
	keep++;
}
__attribute__((noinline)) void _RNvNtCs1234_5crate6module3run(void)
{
	_ZN5crate6module4task17h0123456789abcdefE();
	keep++;
}
/* looks mangled, and isn't */
__attribute__((noinline)) void _Zebra(void)
{
	_RNvNtCs1234_5crate6module3run();
	keep++;
}
int main(void)
{
	_Zebra();
	keep++;
	return 0;
}
END
cc -O1 -fno-omit-frame-pointer -o p p.c
for option in demangle=off demangle; do
	"$DTRACE" -q -x $option -n 'syscall::getppid:entry /pid == $target/ {
		ustack(5);
		printf("%A\n", arg0);
		usym(arg0);
		uaddr(arg0);
		umod(arg0);
		@[usym(arg0)] = count();
	}' -c ./p | sed -E 's/\+0x[0-9a-f]+//; s/ +$//'
done
