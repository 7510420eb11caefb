#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Python whose structures are not known is refused by name, and has native frames only: of versions before and after those that
# are known, free-threaded, with --with-pydebug, with another layout than its version has.
# @timeout 60
# @needs cc
cat >fake.c <<'C'
#include <unistd.h>
#define DATA __attribute__((used, visibility("default")))
DATA long PyCode_Type, PyUnicode_Type, PyBytes_Type, PyEval_EvalFrameEx;
#ifdef VERSION
DATA const long Py_Version = VERSION;
#endif
#ifdef NEWEST
DATA long NEWEST;
#endif
#ifdef DEBUG
DATA long _Py_NegativeRefcount;
#endif
#ifndef WORDS
#define WORDS 0
#endif
long interp[1000] = {[2] = (long)&interp, [5] = 1};
DATA long _PyRuntime[100] = {WORDS};
int DATA _PyEval_EvalFrameDefault(void) { return getppid(); }
int main(void)
{
	for (int i = 0; i < 3; i++)
		_PyEval_EvalFrameDefault();
}
C

refused() { # NAME WANTED CC-OPTIONS
	local name=$1 want=$2
	shift 2
	cc -O0 -rdynamic -w -o "$name" fake.c "$@" || exit 1
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { jstack(); }' -o out -c "./$name" 2>err || exit 1
	sed -E 's/process [0-9]+/process N/' err | diff - <(echo "dtrace: process N: jstack() does not know its Python, $want; it knows 3.9 to 3.13") || exit 1
	grep -q '`_PyEval_EvalFrameDefault' out && ! grep -q 'python`' out || { cat out; exit 1; }
	rm out
}

table=$(printf xdebugpy | od -An -tx8 | tr -d ' \n')
refused python2.7 "older than 3.8"
refused python3.8 3.8 -DNEWEST=PyCode_NewWithPosOnlyArgs
refused python3.14 3.14 -DVERSION=0x030e00f0
refused python4.0 4.0 -DVERSION=0x040000f0
refused python3.11d "a build with --with-pydebug" -DVERSION=0x030b02f0 -DDEBUG
refused python3.13t "a free-threaded build" -DVERSION=0x030d00f0 "-DWORDS=0x$table,0x030d00f0,1"
refused python3.13 "whose table of offsets is not where it should be" -DVERSION=0x030d00f0
refused python3.13 "whose table of offsets has others than can be" -DVERSION=0x030d00f0 "-DWORDS=0x$table,0x030d00f0,0,[5]=70000"
refused libpython3.11.so.1.0 "whose structures are not those of its version" -DVERSION=0x030b02f0 "-DWORDS=[5]=(long)&interp"
# a program by another name, with Python in it
refused server 3.14 -DVERSION=0x030e00f0
