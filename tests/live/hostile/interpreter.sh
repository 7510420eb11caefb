#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program of another user passes for Python 3.11: its interpreter's memory points at itself, is all ones, or random.
# jstack() of it neither hangs nor crashes, the stack has the frames of the program, and dtrace stays small.
# @timeout 120
# @needs gcc setpriv
# @slow
. "$(dirname "$0")/lib.sh"

hostile_folder
cat >fake.c <<'END'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define WORDS (1 << 17)
uint64_t _PyRuntime[WORDS], PyCode_Type[64], PyUnicode_Type[64], PyBytes_Type[64];
const unsigned long Py_Version = 0x030b02f0;
__attribute__((noinline)) void *_PyEval_EvalFrameDefault(int n)
{
	if (n)
		_PyEval_EvalFrameDefault(n - 1);
	getppid();
	usleep(1000);
	return NULL;
}
int main(int argc, char **argv)
{
	int mode = atoi(argv[1]);

	srandom(mode);
	for (int i = 0; i < WORDS; i++)
		_PyRuntime[i] = mode == 0 ? (uint64_t)_PyRuntime
			: mode == 1	  ? ~0ull
			: mode == 2	  ? (uint64_t)&_PyRuntime[random() % WORDS]
					  : (uint64_t)random() << 32 | random();
	for (int i = 0; i < 64; i++)
		PyCode_Type[i] = PyUnicode_Type[i] = PyBytes_Type[i] = (uint64_t)_PyRuntime;
	for (;;)
		_PyEval_EvalFrameDefault(5);
}
END
gcc -O1 -rdynamic -o python3.11 fake.c || exit 1
for mode in 0 1 2 3; do
	as_other ./python3.11 $mode &
	victim=$!
	started "$victim" python3.11
	status=0
	(
		ulimit -v 4000000
		exec timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -p "$victim" -qn '
			syscall::getppid:entry /pid == $target/ { @[jstack(20)] = count(); n++; }
			syscall::getppid:entry /pid == $target && n > 50/ { exit(0); }'
	) >out.txt 2>err.txt || status=$?
	[[ $status == 0 ]] && grep -q '_PyEval_EvalFrameDefault' out.txt ||
		complain "memory $mode: status $status, $(<err.txt) $(head -20 out.txt)"
	kill "$victim"
	wait "$victim" 2>/dev/null
done
hostile_done
