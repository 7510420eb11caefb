#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A file includes a project header only if it uses a name of it, and includes each header whose names
# it uses itself, not through another header.  includes.awk says what counts as a use.
cd "$SRCDIR" || exit 1
lint=$PWD/tests/lint/includes.awk
tool=$(command -v ctags-universal || command -v ctags) && "$tool" --version 2>&1 | grep -q Universal ||
	{ echo "skip: no universal-ctags"; exit 77; }

# Prints what the files in folder $1 declare, one name per line: path, name, kind, and the tag of
# the struct that the name has as its type or points to.
declarations() {
	(cd "$1" && find include src cmd -name '*.[ch]' | sort |
		"$tool" -L - --languages=C,C++ --map-C++=-.h --map-C=+.h --kinds-C=+defglmpstuvxz \
			--fields=Kt --sort=no -I DTRACE_API -f - |
		awk -F '\t' '{
			tag = ""
			for (i = 4; i <= NF; i++)
				if ($i ~ /^[a-z]+$/)
					kind = $i
				else if (sub(/^typeref:.*(struct|union)[: ]/, "", $i))
					tag = $i
			sub(/[^A-Za-z_0-9].*/, "", tag)
			sub(/^src\/arch\/[a-z0-9_]+\/machine\.h$/, "src/arch/arch.h", $2) # which includes it
			sub(/^src\/arch\/[a-z0-9_]+\/arch\.bpf\.h$/, "src/arch/arch.bpf.h", $2)
			print $2, $1, kind, tag
		}')
}

# Prints what is wrong in folder $1.
check() {
	local list

	list=$(mktemp) || return
	declarations "$1" >"$list"
	(cd "$1" && find src cmd -name '*.[ch]' ! -path 'src/arch/*/machine.h' ! -path 'src/arch/*/arch.bpf.h' -o -name '*.def' | sort | xargs awk -v list="$list" -f "$lint" | sort)
	rm -f "$list"
}

# The check must find what is planted for it, and nothing else.
check_planted() {
	local dir found

	dir=$(mktemp -d) || return
	mkdir -p "$dir"/{include,cmd,src/planted}
	echo 'struct one { int field; }; int one_get(void);' >"$dir"/src/planted/one.h
	printf '#include "planted/one.h"\nint two_get(struct one *o);\n' >"$dir"/src/planted/two.h
	echo '#define THREE_ROOM 3' >"$dir"/src/planted/three.h
	printf '#include "planted/%s.h"\n' two three >"$dir"/src/planted/four.c
	echo 'int four(void) { return two_get(NULL) + one_get() /* THREE_ROOM */; }' >>"$dir"/src/planted/four.c
	printf '#include "planted/%s.h"\n' one three >"$dir"/src/planted/five.c
	echo 'int five[THREE_ROOM]; int get(struct one *o) { return o->field; }' >>"$dir"/src/planted/five.c
	found=$(check "$dir")
	diff - <(echo "$found") <<-END || echo "the planted violations (<) are not those that were found (>)"
	src/planted/four.c: uses one_get, but does not include src/planted/one.h
	src/planted/four.c:2: planted/three.h: no name of it is used
	src/planted/two.h:1: planted/one.h: no name of it is used
	END
	rm -rf "$dir"
}

wrong=$(check .; check_planted)
echo -n "$wrong${wrong:+$'\n'}"
[[ -z $wrong ]]
