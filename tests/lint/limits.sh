#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs/SECURITY.md and docs/dtrace.conf.5 have the rows of src/session/limits.def: each limit, its value and its default; the second
# one has those of src/agent/agent.def as well.
cd "$SRCDIR" || exit 1
table=$(sed -nE 's/^LIMIT\(([a-z]+), [A-Z_]+, "(.*)", "(.*)", "(.*)"\)$/\1: \2: \3: \4/p' src/session/limits.def)
[[ $(wc -l <<<"$table") -ge 4 ]] || { echo "the table of src/session/limits.def was not understood"; exit 1; }
status=0
page=$(awk -F ' *[|] *' '/^\| limit / { on = 1; next } !/^\|/ { on = 0 } on && !/^\|-/ { print $2 ": " $3 ": " $4 ": " $5 }' docs/SECURITY.md |
	sed 's/`//g')
diff <(echo "$table") <(echo "$page") || status=1
page=$(sed -nE 's/^\.It Ic ([a-z]+) No = Ar (.*)$/\1: \2/p' docs/dtrace.conf.5)
diff <(cut -d: -f1,2 <<<"$table") <(echo "$page") || status=1

# the keys of [agent] and [instrument NAME], and the limits that hold there
keys=$(sed -nE 's/^(AGENT\(([a-z0-9]+), [A-Z]+|INSTRUMENT\(([a-z0-9]+)), "([^"]*)", .*/\2\3: \4/p' src/agent/agent.def)
[[ $(wc -l <<<"$keys") -ge 11 ]] || { echo "the table of src/agent/agent.def was not understood"; exit 1; }
page=$(sed -nE 's/^\.It Cm ([a-z0-9]+) No = Ar (.*)$/\1: \2/p' docs/dtrace.conf.5)
diff <(echo "$keys") <(echo "$page") || status=1
while read -r name value; do
	grep -qE "^\.Cm $name = $value [,.]\$" docs/dtrace.conf.5 || { echo "docs/dtrace.conf.5 has not: $name = $value"; status=1; }
	grep -q "^LIMIT($name," src/session/limits.def || { echo "LIMITED($name) is no limit"; status=1; }
done < <(sed -nE 's/^LIMITED\(([a-z]+), "(.*)"\)$/\1 \2/p' src/agent/agent.def)
for word in $(sed -nE 's/^AGENT\([a-z0-9]+, TIME, "time", "([^"]+)".*/\1/p; s/^AGENT\([a-z0-9]+, TEXT, "folder", "([^"]+)".*/\1/p' src/agent/agent.def); do
	grep -qF "$word" docs/dtrace.conf.5 || { echo "docs/dtrace.conf.5 has no default $word"; status=1; }
done
exit $status
