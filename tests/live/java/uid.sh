#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A VM of another user is traced by root.
. "$SRCDIR/tests/live/java/java.inc"
command -v setpriv >/dev/null || { echo "no setpriv"; exit 77; }
open=$(mktemp -d /tmp/java-uid-XXXXXX)
trap 'cleanup; rm -rf "$open"' EXIT
chmod 755 "$open"
install -m 644 Calls.class "$open"
start_vm setpriv --reuid 65534 --regid 65534 --clear-groups java -cp "$open"
trace 'java$target:Calls:keep:entry { @[uid] = count(); }'
calls 10
finish
expect "65534 10"
exit 0
