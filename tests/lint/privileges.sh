#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The first table of docs/SECURITY.md is that of src/base/privilege.def: what takes which capabilities.
cd "$SRCDIR" || exit 1
table=$(sed -nE 's/^PRIVILEGE\([A-Z_]+, (.*), (0|CAP\([A-Z_]*\)), "(.*)"\)$/\1: \3/p' src/base/privilege.def |
	sed -E 's/CAP\(([A-Z_]+)\)/CAP_\1/g; s/ \| / and /')
page=$(awk -F ' *[|] *' '/^## / { n++ } n == 1 && /^\| / && $2 != "for" { print $3 ": " $2 }' docs/SECURITY.md | sed 's/`//g' | head -n "$(wc -l <<<"$table")")
[[ $(wc -l <<<"$table") -ge 8 ]] || { echo "the table of src/base/privilege.def was not understood"; exit 1; }
diff <(echo "$table") <(echo "$page")
