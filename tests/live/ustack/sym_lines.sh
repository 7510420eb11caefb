#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Options demangle, ustackline and ustackinline, as text, JSON and folded stacks: of a C++ program
# with its debugging information inside it, in a separate file, in DWARF 4 and 5, and without any.
# @needs g++ objcopy
# @vm no: the compiler takes long there, and the kernel has no part in it
# @ref output 6 user-frame
set -eu
cat > p.cc <<'END'
#include <sys/syscall.h>
static volatile long keep;
namespace app {
static inline __attribute__((always_inline)) void deepest(long x)
{
	long r;
	asm volatile("syscall" : "=a"(r) : "0"((long)SYS_getppid) : "rcx", "r11", "memory");
	keep = r + x + (long)__builtin_frame_address(0);
}
static inline __attribute__((always_inline)) void middle(int x)
{
	deepest(x);
}
struct thing {
	template <typename T> __attribute__((noinline)) void run(T x)
	{
		middle(x);
		keep = keep + 1;
	}
};
}
int main()
{
	app::thing t;
	t.run(3);
	keep = keep + 1;
	return 0;
}
END
flags="-O1 -fno-omit-frame-pointer"
script='syscall::getppid:entry /pid == $target/ { ustack(2); }'

run() { # OPTION...
	echo "--- $*"
	"$DTRACE" -q "$@" -n "$script" -c ./p | sed -E 's/\+0x[0-9a-f]+/+OFF/; /^$/d'
}

g++ $flags -g -o p p.cc
run
run -x demangle=off
run -x ustackline
run -x ustackinline
run -x ustackline -x noresolve | sed 's/0x.*/ADDR/'
all="-x demangle -x ustackline -x ustackinline"
run $all
g++ $flags -gdwarf-4 -o p p.cc
run $all
g++ $flags -gsplit-dwarf -gdwarf-5 -o p p.cc
run $all
echo "--- JSON"
"$DTRACE" -q $all --output=json:out.json -n "$script" -c ./p > /dev/null
grep -o '"object":[^}]*' out.json | sed -E 's/"offset":[1-9][0-9]*/"offset":OFF/'
echo "--- folded"
"$DTRACE" -q $all --output=folded:out.folded -n "$script" -c ./p > /dev/null
cat out.folded
echo "--- separate"
g++ $flags -g -o p p.cc
objcopy --only-keep-debug p p.debug
objcopy -S --add-gnu-debuglink=p.debug p
run $all
rm p.debug
echo "--- none"
g++ $flags -o p p.cc
run $all
