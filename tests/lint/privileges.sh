#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tables of docs/SECURITY.md are those of src/confine/privilege.def, what takes which capabilities, and src/session/running.def, what
# needs them while it traces.
cd "$SRCDIR" || exit 1
table=$(sed -nE 's/^PRIVILEGE\([A-Z_]+, (.*), (0|CAP\([A-Z_]*\)), "(.*)"\)$/\1: \3/p' src/confine/privilege.def |
	sed -E 's/CAP\(([A-Z_]+)\)/CAP_\1/g; s/ \| / and /')
page=$(awk -F ' *[|] *' '/^## / { n++ } n == 1 && /^\| / && $2 != "for" { print $3 ": " $2 }' docs/SECURITY.md | sed 's/`//g' | head -n "$(wc -l <<<"$table")")
[[ $(wc -l <<<"$table") -ge 8 ]] || { echo "the table of src/confine/privilege.def was not understood"; exit 1; }
status=0
diff <(echo "$table") <(echo "$page") || status=1

# LOOKING and WRITING are names of confine.c
sets=$(sed -nE 's/^#define (LOOKING|WRITING)[ \t]+\((.*)\)$/s@\1@\2@/p' src/session/confine.c)
table=$(sed -nE 's/^RUNNING\([A-Z_]+, (.*), (CALLS_[A-Z_ |]*), "(.*)"\)$/\3: \1: \L\2/p' src/session/running.def | sed -E "$sets" |
	sed -E 's/CAP\(([A-Z_]+)\)/CAP_\1/g; s/calls_//g; s/ \| /, /g; s/ALL_CAPS/all/; s/: 0:/: none:/')
rows() { # HEAD-OF-TABLE
	awk -F ' *[|] *' -v head="$1" 'index($0, head) == 1 { on = 1; next } !/^\|/ { on = 0 } on && !/^\|-/ { print $2 ": " $3 (NF > 4 ? ": " $4 : "") }' docs/SECURITY.md
}
page=$(rows '| while this is in use | `dtrace` keeps |')
[[ $(wc -l <<<"$table") -ge 7 ]] || { echo "the table of src/session/running.def was not understood"; exit 1; }
diff <(echo "$table") <(echo "$page") || status=1

table=$(sed -nE 's/^DEPUTY\([A-Z_]+, (.*), "(.*)"\)$/\2: \1/p' src/session/running.def | sed -E "$sets" |
	sed -E 's/CAP\(([A-Z_]+)\)/CAP_\1/g; s/ \| /, /g')
[[ $(wc -l <<<"$table") -ge 2 ]] || { echo "the deputy's rows of src/session/running.def were not understood"; exit 1; }
diff <(echo "$table") <(rows '| while this is in use | the deputy keeps |') || status=1

# Messages take the names of capabilities from the table by privilege_lacking() and privilege_caps(); that of named.c is constant.
grep -rnE '"[^"]*CAP_[A-Z]' src --include='*.c' | grep -vE '^src/(confine/privilege|sym/named)[.]c:|"CapEff' && status=1
exit $status
