#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The library that a program of root's names by its path, in a folder of another user, is a FIFO, or a link to it: it is
# not opened, and its writer still waits.
# @needs gcc
. "$(dirname "$0")/lib.sh"

hostile_folder
echo 'int hostile_function(int n) { return n + 1; }' >lib.c
gcc -shared -fPIC -o lib.so lib.c && mkfifo fifo || exit 1

# Searches for functions of lib.so; $status.
search() {
	status=0
	timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -ln "pid*:$PWD/lib.so:hostile_function:entry" >out.txt 2>&1 || status=$?
}

search
[[ $status == 0 ]] && grep -q hostile_function out.txt || complain "the library: status $status, $(<out.txt)"
(: >fifo; : >opened) &
writer=$!
for how in -f -sf; do
	ln $how fifo lib.so
	search
	[[ $status == 0 && ! -e opened ]] || complain "ln $how: status $status, $(ls opened 2>&1), $(<out.txt)"
done
kill "$writer" 2>/dev/null
wait "$writer" 2>/dev/null
hostile_done
