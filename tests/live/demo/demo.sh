#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make demo's script shows a table and distributions with something in them.
# @vm no: a demonstration
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
"$SRCDIR/examples/demo" "$DTRACE" >out 2>&1 || { cat out; exit 1; }
status=0
need() { grep -qE "$1" out || { echo "no line like: $1"; status=1; }; }
need '^PROGRAM +SYSTEM CALL +CALLS$'
need '^(find|gzip|grep|cat) +[a-z_0-9]+ +[1-9][0-9]*$'
need '^  nanoseconds in a system call'
need '^  bytes that read\(2\) returned'
need '^ +[0-9]+ \|@@'
[[ $status == 0 ]] || cat out
exit $status
