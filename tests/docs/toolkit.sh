#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the D programs of docs/toolkit.md: see coming_from.sh. Each row has a program or a reason, and each tool that it
# names exists. toolkit.sh -u names the tools that exist.
set -u
page=${SRCDIR:=$(realpath "${0%/*}/../..")}/docs/toolkit.md

# The page with the names of the first two columns for which there is a tool in the last one.
update() {
	awk -F'|' -v OFS='|' -v tools=" $(cd "$SRCDIR/tools" 2>/dev/null && echo *.d) " '
		/^\|/ && !/^\|---/ && $2 != " DTraceToolkit " {
			text = ""
			n = split($2 "," $3, name, /,/)
			for (i = 1; i <= n; i++) {
				gsub(/ |\.d *$/, "", name[i])
				if (name[i] != "" && index(tools, " " name[i] ".d ") && index(" " text ",", " " name[i] ",") == 0)
					text = text (text == "" ? "" : ", ") name[i]
			}
			sub(/\|[^|]*\|$/, "| " text " |")
			sub(/\|  \|$/, "| |")
		}
		{ print }' "$page"
}
if [[ ${1:-} == -u ]]; then
	update >"$page.tmp" && mv "$page.tmp" "$page"
	exit
fi
empty=$(awk -F'|' '/^\|/ && !/^\|---/ && $4 !~ /`[^`]+`|none, because|^ here $/' "$page")
[[ -z $empty ]] || { echo "no counterpart: $empty"; exit 1; }
for tool in $(awk -F'|' '/^\|/ && !/^\|---/ && $2 != " DTraceToolkit " { print $(NF - 1) }' "$page" | tr ',' ' '); do
	[[ -e $SRCDIR/tools/$tool.d ]] || { echo "there is no tool $tool: toolkit.sh -u"; exit 1; }
done
# the tools are complete when they have a page
[[ ! -e $SRCDIR/docs/tools.md ]] || update | diff - "$page" || { echo "toolkit.sh -u names the tools"; exit 1; }
PAGE=toolkit.md COLUMN=3 LEAST=80 exec "${0%/*}/coming_from.sh"
