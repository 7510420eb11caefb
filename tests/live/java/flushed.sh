#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A traced VM whose C code flushes all streams of stdio, and which then ends, as exit(3) flushes them too, does not wait
# for the agent's thread, which waits for dtrace.
# @needs gcc
main=Flushed
. "$SRCDIR/tests/live/java/java.inc"
echo 'void Java_Flushed_all(void *env, void *class) { fflush(0); }' | gcc -include stdio.h -shared -fPIC -x c -o libflushed.so - || exit 1
start_vm java -Djava.library.path=. -cp .
calls 0
trace 'java$target:Flushed:twice:entry { @ = count(); }'
calls 0
calls 0
echo end >&9
has_ended() { ! kill -0 "$vm" 2>/dev/null; }
until_true has_ended
wait "$vm" || die "the VM ends with $?"
vm=
wait "$tracer" || die "dtrace fails"
tracer=
expect 2
