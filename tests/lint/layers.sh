#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A folder includes only folders above it in this list (docs/ARCHITECTURE.md); cmd/ only the public API.
cd "$SRCDIR" || exit 1
order="base abi elf types lang probe sema ir bpf rt sym usdt prov load consume out target compile session classic"

find src cmd -name '*.[ch]' -o -name '*.def' | sort | xargs grep -Hn '^[ \t]*#[ \t]*include[ \t]*["<]' |
	awk -v order="$order" '
	BEGIN { n = split(order, o, " "); for (i = 1; i <= n; i++) rank[o[i]] = i }
	{
		split($0, part, ":")
		file = part[1]
		split(file, dir, "/")
		from = dir[2]
		match($0, /["<][^">]*[">]/)
		what = substr($0, RSTART + 1, RLENGTH - 2)
		quoted = substr($0, RSTART, 1) == "\""
		to = what
		if (what !~ /\// || !quoted || index(what, "dtrace/") == 1)
			next		# its own folder, the system or the public header
		sub(/\/.*/, "", to)
		if (dir[1] == "cmd")
			bad[$0] = "cmd includes only include/dtrace"
		else if (!(from in rank))
			bad[$0] = "folder " from " is not in the list of tests/lint/layers.sh"
		else if (!(to in rank))
			bad[$0] = "no folder " to
		else if (rank[to] > rank[from])
			bad[$0] = from " comes before " to
	}
	END { for (line in bad) { print line "   (" bad[line] ")"; failed = 1 } exit failed }'
