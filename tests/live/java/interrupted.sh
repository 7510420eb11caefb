#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A tracer that ends while it waits for a VM leaves no file there.
. "$SRCDIR/tests/live/java/java.inc"

# Our files in the VM's /tmp; LIKE: their names
ours() { find "/proc/$vm/root/tmp" -maxdepth 1 \( -name '.dtrace-*' -o -name ".attach_pid$vm" \) -printf '%f\n' | grep "$1"; }
others=$(ours . 2>/dev/null | grep -v "$vm")
some() { ours "$1" | grep -vqxF -- "${others:--}"; }
none() { ! some .; }

# interrupt LIKE: by each signal, once a file like it is there
interrupt() {
	for signal in INT TERM KILL; do
		kill -STOP "$vm"
		env --default-signal=INT "$DTRACE" -qn 'java$target:Calls:keep:entry { @ = count(); }' -p "$vm" >dt.out 2>&1 &
		tracer=$!
		until_true some "$1"
		kill -"$signal" "$tracer"
		wait "$tracer" 2>/dev/null
		tracer=
		until_true none
		kill -CONT "$vm"
	done
}

start_vm java -cp .
interrupt '\.attach_pid' # the VM does not listen yet
trace 'java$target:Calls:keep:entry { @[probefunc] = count(); }'
calls 10
finish
expect "keep 10"
interrupt '\.sock$'
trace 'java$target:Calls:keep:entry { @[probefunc] = count(); }'
calls 10
finish
expect "keep 10"
none || die "files are left: $(ours .)"
exit 0
