#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The .dwo file that another user's program names is a FIFO, a link to one, a link to a device, a file that is exchanged
# for a FIFO all the time, and one whose sections unpack to far more than they take.  dtrace as root opens none of them,
# ends in time and stays small; without traps, it reads the names of inlined functions there.
# @timeout 120
# @needs gcc objcopy setpriv
. "$(dirname "$0")/lib.sh"

hostile_folder
cat >prog.c <<'END'
#include <unistd.h>
struct s { int a; };
static inline __attribute__((always_inline)) int inlined(struct s *p)
{
	return getppid() + p->a;
}
__attribute__((noinline)) int outer(struct s *p)
{
	return inlined(p) + 1;
}
int main(void)
{
	struct s s = {1};
	for (;;) {
		outer(&s);
		usleep(1000);
	}
}
END
gcc -gdwarf-5 -gsplit-dwarf -O1 -c -o prog.o prog.c && gcc -o prog prog.o && mv prog.dwo good || exit 1
cat >swap.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
int main(void)
{
	for (;;)
		renameat2(AT_FDCWD, "prog.dwo", AT_FDCWD, "fifo", RENAME_EXCHANGE);
}
END
gcc -O1 -o swap swap.c || exit 1
as_other ./prog &
victim=$!
started "$victim" prog

# Looks for lines of the program in the .dwo file; $status, and output in out.txt.
lines() {
	status=0
	(
		ulimit -v 4000000
		exec timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -x ustackline -x ustackinline -p "$victim" -qn '
			syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }
			syscall::getppid:entry /pid == $target && n++ == 5/ { exit(0); }'
	) >out.txt 2>&1 || status=$?
}

# The same with types.
types() {
	status=0
	(
		ulimit -v 4000000
		exec timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -p "$victim" -qn '
			pid$target:a.out:outer:entry { print(*args[0]); exit(0); }'
	) >out.txt 2>&1 || status=$?
}

# Both, with a trap; its writer must still wait.
trapped() { # NAME MESSAGE
	rm -f opened
	(: >"${fifo:-fifo}"; : >opened) &
	writer=$!
	lines
	[[ $status == 0 && ! -e opened ]] && grep -q 'outer' out.txt ||
		complain "$1: lines: status $status, $(ls opened 2>&1), $(<out.txt)"
	types
	[[ $status == 1 && ! -e opened ]] && grep -q "$2" out.txt ||
		complain "$1: types: status $status, $(ls opened 2>&1), $(<out.txt)"
	kill "$writer" 2>/dev/null
	wait "$writer" 2>/dev/null
}

cp good prog.dwo
lines
[[ $status == 0 ]] && grep -q '`inlined' out.txt || complain "lines without a trap: status $status, $(<out.txt)"
types
[[ $status == 0 ]] && grep -q 'a = (int)1' out.txt || complain "types without a trap: status $status, $(<out.txt)"

rm prog.dwo
mkfifo prog.dwo
fifo=prog.dwo
trapped fifo 'not a regular file'
fifo=
mkfifo fifo
for to in "$PWD/fifo" /dev/ptmx; do
	rm -f prog.dwo
	ln -s "$to" prog.dwo
	trapped "link to $to" 'not a regular file'
done

# 512 MB of nothing, which half a megabyte unpacks to
rm prog.dwo
truncate -s 512M zeros
objcopy --add-section .debug_macro.dwo=zeros good large.dwo &&
	objcopy --compress-debug-sections=zlib large.dwo prog.dwo || exit 1
rm zeros large.dwo
fifo=fifo
trapped bomb 'too large'

# A look and an opening have different files between them, sooner or later.
cp good prog.dwo
ln fifo same
rm -f opened
(: >same; : >opened) &
writer=$!
./swap &
swap=$!
for ((i = 0; i < 30; i++)); do
	lines
	[[ $status == 0 && ! -e opened ]] || { complain "exchanged: status $status, $(ls opened 2>&1), $(<out.txt)"; break; }
done
kill "$swap" "$writer" "$victim" 2>/dev/null
wait 2>/dev/null
hostile_done
