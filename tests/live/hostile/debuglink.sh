#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A .gnu_debuglink of another user's program names what must not be opened or read to its end: a FIFO, which somebody
# waits for; a link to it; a sparse file of terabytes.  dtrace as root opens none and ends at once.
# @timeout 90
# @needs gcc objcopy strip setpriv
# @slow
. "$(dirname "$0")/lib.sh"

hostile_folder
cat >prog.c <<'END'
#include <unistd.h>
void hostile_function(void)
{
	getppid();
	usleep(1000);
}
int main(void)
{
	for (;;)
		hostile_function();
}
END
gcc -g -O0 -Wl,--build-id=none -o prog prog.c &&
	objcopy --only-keep-debug prog prog.debug &&
	objcopy --add-gnu-debuglink=prog.debug prog &&
	strip -R .comment prog || exit 1
# strip keeps the section
readelf -S prog | grep -q gnu_debuglink || { echo "no .gnu_debuglink"; exit 1; }
cp prog.debug whole.debug
as_other ./prog &
victim=$!
started "$victim" prog

# Looks the function's name up in the debug file; its output, and the status.
names() { # MOST_SECONDS
	timeout -k 5 $(($1 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -p "$victim" -qn '
		syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }
		syscall::getppid:entry /pid == $target && n++ == 10/ { exit(0); }' >names.txt 2>&1
	status=$?
}

names 30
[[ $status == 0 ]] && grep -q hostile_function names.txt ||
	complain "without a trap: status $status, $(<names.txt)"

# opening the FIFO for reading lets its writer go on
rm prog.debug
mkfifo fifo
for name in fifo link; do
	rm -f prog.debug
	if [[ $name == fifo ]]; then mkfifo prog.debug; else ln -s "$PWD/fifo" prog.debug; fi
	(: >prog.debug; : >opened) &
	writer=$!
	names 30
	[[ $status == 0 && ! -e opened ]] || complain "$name: status $status, opened: $(ls opened 2>&1)"
	kill "$writer" 2>/dev/null
	wait "$writer" 2>/dev/null
done

# all of the debug file, and terabytes of nothing
rm -f prog.debug
cp whole.debug prog.debug
truncate -s 8T prog.debug 2>/dev/null || truncate -s 15T prog.debug 2>/dev/null || truncate -s 1T prog.debug || exit 1
names 30
[[ $status == 0 ]] || complain "8 TB: status $status"
rm -f prog.debug

kill "$victim"
wait "$victim" 2>/dev/null
hostile_done
