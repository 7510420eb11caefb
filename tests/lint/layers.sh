#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A folder of src/ uses only folders before it in the table of docs/ARCHITECTURE.md: it includes no
# header of a later folder and needs no symbol that only later folders define.  cmd/ includes only
# the public API.
cd "$SRCDIR" || exit 1
order=$(sed -n 's/^| `src\/\([a-z]*\)\/`.*/\1/p' docs/ARCHITECTURE.md | tr '\n' ' ')

# Prints each include in folder $1 that breaks the order.
check_includes() {
	(cd "$1" && find src cmd -name '*.[ch]' -o -name '*.def') | sort |
		(cd "$1" && xargs grep -Hn '^[ \t]*#[ \t]*include[ \t]*["<]') |
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
			why = "cmd includes only include/dtrace"
		else if (!(from in rank))
			why = "folder " from " is not in the table of docs/ARCHITECTURE.md"
		else if (!(to in rank))
			why = "no folder " to
		else if (rank[to] > rank[from])
			why = from " comes before " to
		else
			next
		print $0 "   (" why ")"
	}'
}

# Prints each symbol that an object in $1/src/ needs and only later folders define.  Objects whose
# source is not in $2/src/ are left over from another build; rt/*.bpf.o are linked by libbpf.
check_symbols() {
	local obj name objects=()

	for obj in "$1"/src/*/*.o "$1"/src/*/*/*.o; do
		name=${obj#"$1"/}
		[[ -e $2/${name%.o}.c && $name != *.bpf.o ]] && objects+=("$obj")
	done
	[[ ${#objects[@]} == 0 ]] && return
	nm -A -P "${objects[@]}" | awk -v order="$order" -v root="$1/" '
	BEGIN { n = split(order, o, " "); for (i = 1; i <= n; i++) rank[o[i]] = i }
	{
		file = substr($1, length(root) + 1)
		sub(/:$/, "", file)
		split(file, dir, "/")
		from = dir[2]
		symbol = $2
		if ($3 ~ /^[Uvw]$/)
			needs[file, symbol] = from
		else if ($3 ~ /^[A-Z]$/ && (!(symbol in home) || rank[from] < rank[home[symbol]]))
			home[symbol] = from
	}
	END {
		for (k in needs) {
			split(k, part, SUBSEP)
			to = home[part[2]]
			if (to == "" || rank[to] <= rank[needs[k]])
				continue
			sub(/\.o$/, ".c", part[1])
			print part[1] " uses " part[2] "   (" needs[k] " comes before " to ")"
		}
	}' | sort
}

# Prints the folders that are in only one of src/ and the table.
check_folders() {
	for dir in src/*/; do
		[[ " $order " == *" $(basename "$dir") "* ]] || echo "$dir is not in the table of docs/ARCHITECTURE.md"
	done
	for dir in $order; do
		[[ -d src/$dir ]] || echo "src/$dir is in the table of docs/ARCHITECTURE.md, but does not exist"
	done
}

# The checks must find what is planted for them: base includes a header of prov and calls into it.
check_planted() {
	local dir found

	dir=$(mktemp -d) || return
	mkdir -p "$dir"/src/{base,prov} "$dir"/cmd
	echo 'int planted_up(void);' >"$dir"/src/prov/up.h
	printf '#include "prov/up.h"\nint planted_up(void) { return 0; }\n' >"$dir"/src/prov/up.c
	printf '#include "prov/up.h"\nint planted_down(void) { return planted_up(); }\n' >"$dir"/src/base/down.c
	for c in prov/up base/down; do
		cc -I"$dir"/src -c -o "$dir/src/$c.o" "$dir/src/$c.c" || echo "cannot compile the planted $c.c"
	done
	found=$(check_includes "$dir"; check_symbols "$dir" "$dir")
	[[ $found == *'src/base/down.c:1:'*'(base comes before prov)'* ]] || echo "a planted include is not found"
	[[ $found == *'src/base/down.c uses planted_up '*'(base comes before prov)'* ]] ||
		echo "a planted call is not found"
	[[ $(wc -l <<<"$found") == 2 ]] || echo "more than the planted violations is found: $found"
	rm -rf "$dir"
}

wrong=$(check_folders; check_includes .; check_symbols "$BUILD" .; check_planted)
echo -n "$wrong${wrong:+$'\n'}"
[[ -z $wrong ]]
