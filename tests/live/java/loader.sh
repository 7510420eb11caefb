#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A class whose loader does not find the helper of the agent is left as it is: its methods would throw NoClassDefFoundError.
. "$SRCDIR/tests/live/java/java.inc"
javac -d . "$SRCDIR/tests/live/java/Hiding.java" || exit 1
start_vm java -cp . Hiding
"$DTRACE" -qn 'java$target:Calls:keep:entry { @ = count(); }' -p "$vm" >dt.out 2>&1 && die "it is traced"
grep -q "^dtrace: .*cannot probe methods of process $vm: class Calls: its loader does not find package dtrace" dt.out || die "another message"
calls 10
exit 0
