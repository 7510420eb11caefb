#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What cannot be traced is refused with a reason, and lives on.
. "$SRCDIR/tests/live/java/java.inc"
refused() {
	"$DTRACE" -n "$1" -p "$2" >dt.out 2>&1 && die "not refused: $1"
	grep -qF -- "$3" dt.out || die "no message: $3"
	kill -0 "$2" || die "process $2 has ended"
}
sleep 1000 &
tracer=$!
refused 'java$target:Calls::entry' "$tracer" "is not a running Java VM"
start_vm java -XX:+DisableAttachMechanism -cp .
refused 'java$target:Calls::entry' "$vm" "was started with -XX:+DisableAttachMechanism"
exec 9>&-
wait "$vm"
rm in
start_vm java -cp .
refused 'java$target:Calls:nothing:entry' "$vm" "does not match any probes"
refused 'java$target:Calls:add:entry' "$vm" "add has overloads: name one as add("
exit 0
