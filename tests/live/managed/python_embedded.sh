#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A C program that embeds Python, linked with its library or with the archive of it, has Python's functions in its stacks, in the
# main thread and in others. It makes 40 keys of threads first, so Python's own is not among the 32 that each thread has at hand.
# @timeout 120
[[ -z ${DTRACE_VM-} ]] || { echo "not in the virtual machine: nothing of it is the kernel's"; exit 77; }
config=$(type -P /usr/bin/python3-config python3-config | head -n 1)
[[ $config ]] || { echo "needs python3-config (Debian: python3-dev)"; exit 77; }
cd "$TMPDIR" || exit 1

cat >embeds.c <<'C'
#include <Python.h>
#include <pthread.h>

int main(void)
{
	pthread_key_t key;

	for (int i = 0; i < 40; i++)
		pthread_key_create(&key, NULL);
	if (key < 32)
		return 3;
	Py_InitializeEx(0);
	return PyRun_SimpleString("import os, threading\n"
				  "def asker():\n"
				  "    os.getppid()\n"
				  "def between():\n"
				  "    asker()\n"
				  "between()\n"
				  "t = threading.Thread(target=between)\n"
				  "t.start()\n"
				  "t.join()\n");
}
C

# Prints what the first three frames of Python are, of each stack.
managed() { sed -n 's/^ *python`\(.*\)/\1/p' "$1" | grep -v '^Thread\.' | tr '\n' ' '; }

# embedded NAME LIBRARY...: the program NAME, linked like this, has both stacks
embedded() {
	local name=$1
	shift
	# shellcheck disable=SC2046
	cc -o "$name" embeds.c $("$config" --includes) "$@" >cc.out 2>&1 || { echo "$name: not linked"; tail -n 3 cc.out; return 77; }
	rm -f out
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { jstack(); }' -o out -c "./$name" || return 1
	[[ $(managed out) == "asker (<string>:3) between (<string>:5) <module> (<string>:6) asker (<string>:3) between (<string>:5) " ]] ||
		{ echo "$name:"; cat out; return 1; }
}

mapfile -t flags < <("$config" --embed --ldflags | tr ' ' '\n' | grep .)
status=0
embedded shared "${flags[@]}" || status=$?
[[ $status != 77 ]] || exit 77
archive=$(find "$("$config" --prefix)/lib" -name "lib$("$config" --embed --libs | grep -o 'python3\.[0-9]*' | head -n 1).a" | head -n 1)
if [[ $archive ]]; then
	embedded static -no-pie -rdynamic "$archive" -lm -lz -lexpat -lutil -ldl || { [[ $? == 77 ]] || status=1; }
fi
exit $status
