#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where a provider has no types for arguments there is no args[], and argN is a number.
# @ref providers 0.3 untyped
. "${0%/*}/lib.sh"

for probe in dtrace:::BEGIN profile:::profile-97 sysinfo:vmlinux::readch; do
	"$DTRACE" -e -n "$probe { trace(args[0]); }" >out.txt 2>err.txt && complain "$probe: args[0] compiles"
	grep -qF "index 0 is out of range for $probe args[ ]" err.txt || complain "$probe: $(<err.txt)"
done
observe files 3 50 <<'EOD'
sysinfo:::readch /pid == $target && threadname == "filer"/ { printf("%d %d\n", arg0, sizeof (arg0)); }
EOD
[[ $(sort -u events.txt | sed '/^$/d') == "50 8" ]] || complain "arg0: $(<events.txt)"
exit $bad
