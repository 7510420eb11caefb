#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Libraries that the target loads, calls and leaves, one after the other, and ends.
# @needs cc
# @timeout 60
# @ref output 6 user-frame
set -eu
cat > lib.c <<'END'
#include <sys/syscall.h>
volatile long keep;
void NAME(void)
{
	long r;
	__asm__ volatile("syscall" : "=a"(r) : "0"(SYS_getppid) : "rcx", "r11", "memory");
	keep = r + (long)__builtin_frame_address(0);
}
END
# what was one library's place is kept free, so that the next gets another
cat > main.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i += 2) {
		void *lib = dlopen(argv[i], RTLD_NOW);
		char *base = (char *)((struct link_map *)lib)->l_addr;
		((void (*)(void))dlsym(lib, argv[i + 1]))();
		dlclose(lib);
		mmap(base, 16384, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	}
	_exit(0);
}
END
flags="-O1 -fno-omit-frame-pointer"
for l in one two three; do
	cc $flags -shared -fPIC -DNAME=in_$l -o $l.so lib.c
done
cc $flags -o loader main.c
"$DTRACE" -q -x ustackframes=2 -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' \
	-c "./loader ./one.so in_one ./two.so in_two ./three.so in_three" |
	# "..." is said of a library whose table was not read before it called
	sed -e 's/+0x[0-9a-f]*//' -e '/^ *\.\.\.$/d'
