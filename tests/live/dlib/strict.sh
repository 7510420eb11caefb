#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Of the libraries nothing is left out because this kernel's types do not have what it names: as the user's own,
# they would be refused.
# @ref d-language 18.1 libraries
mkdir "$TMPDIR/none" || exit 1
for lib in "$SRCDIR"/dlib/*.d; do
	name=$(sed -nE 's/^inline [a-z0-9_]+ ([A-Z][A-Z0-9_]*) =.*/\1/p' "$lib" | tail -n 1)
	got=$("$DTRACE" -x syslibdir="$TMPDIR/none" -L "$SRCDIR/dlib" -e -n "BEGIN { trace(${name:-ENOENT}); }" 2>&1) ||
		{ echo "$lib: $name: $got"; exit 1; }
done
! "$DTRACE" -x syslibdir="$TMPDIR/none" -e -n "BEGIN { trace(ENOENT); }" 2>/dev/null ||
	{ echo "it compiles without the libraries"; exit 1; }
