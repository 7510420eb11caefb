#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Of the libraries nothing is left out because this kernel's types do not have what it names: as the user's own,
# they would be refused. Of alternatives, which have one name, the last may be what this kernel has.
# @ref d-language 18.1 libraries
mkdir "$TMPDIR/none" libs || exit 1
compiles() { "$DTRACE" -x syslibdir="$TMPDIR/none" -L "$PWD/libs" -e -n "BEGIN { trace(${1:-ENOENT}); }" 2>&1; }
for lib in "$SRCDIR"/dlib/*.d; do
	cp "$lib" libs
done
for lib in "$SRCDIR"/dlib/*.d; do
	name=$(sed -nE 's/^inline [a-z0-9_]+ ([A-Z][A-Z0-9_]*) =.*/\1/p' "$lib" | tail -n 1)
	until got=$(compiles "$name"); do
		[[ $got =~ \"([^\"]*)\",\ line\ ([0-9]+): ]] && at=${BASH_REMATCH[1]} n=${BASH_REMATCH[2]} &&
			what=$(sed -nE "$n"'s/^(inline [^=]*=).*/\1/p' "$at") && [[ $what ]] &&
			tail -n +$((n + 1)) "$at" | grep -qF "$what" || { echo "$lib: $name: $got"; exit 1; }
		sed -i "${n}s/.*//" "$at"
	done
done
! "$DTRACE" -x syslibdir="$TMPDIR/none" -e -n "BEGIN { trace(ENOENT); }" 2>/dev/null ||
	{ echo "it compiles without the libraries"; exit 1; }
