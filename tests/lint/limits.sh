#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs/SECURITY.md and docs/dtrace.conf.5 have the rows of src/session/limits.def: each limit, its value and its default.
cd "$SRCDIR" || exit 1
table=$(sed -nE 's/^LIMIT\(([a-z]+), [A-Z_]+, "(.*)", "(.*)", "(.*)"\)$/\1: \2: \3: \4/p' src/session/limits.def)
[[ $(wc -l <<<"$table") -ge 4 ]] || { echo "the table of src/session/limits.def was not understood"; exit 1; }
status=0
page=$(awk -F ' *[|] *' '/^\| limit / { on = 1; next } !/^\|/ { on = 0 } on && !/^\|-/ { print $2 ": " $3 ": " $4 ": " $5 }' docs/SECURITY.md |
	sed 's/`//g')
diff <(echo "$table") <(echo "$page") || status=1
page=$(sed -nE 's/^\.It Ic ([a-z]+) No = Ar (.*)$/\1: \2/p' docs/dtrace.conf.5)
diff <(cut -d: -f1,2 <<<"$table") <(echo "$page") || status=1
exit $status
