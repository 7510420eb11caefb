#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each C compiler that is installed builds everything without a warning, and what it built passes the unit tests and those of the
# compiler: clang, each version of gcc and of clang, besides the one that all was built with.
# @timeout 900
# @slow
# @alone
# @needs make
# @vm no: compilers take long there
cd "$(mktemp -d "$BUILD/compilers.XXXXXX")" || exit 1
trap 'rm -rf "$PWD"' EXIT
version() { "$1" -v 2>&1 | sed -nE 's/.*\b(gcc|clang) version ([0-9]+).*/\1-\2/p' | head -n 1; }

seen=" $(version "${CC:-cc}") " bad=0 n=0
for cc in clang gcc $(compgen -c | grep -xE '(clang|gcc)-[0-9]+' | sort -u); do
	command -v "$cc" >/dev/null && v=$(version "$cc") || continue
	[[ $seen != *" $v "* ]] || continue
	seen+="$v "
	# the unit tests look for leaks; clang's library for that is in a package of its own
	echo 'int main(void) { return 0; }' | "$cc" -fsanitize=leak -o /dev/null -x c - 2>/dev/null || continue
	n=$((n + 1))
	rm -rf build
	if ! make -s -j2 -C "$SRCDIR" B="$PWD/build" CC="$cc" WERROR=1 all tests >make.txt 2>&1; then
		grep -E 'error|warning' make.txt | head -20
		echo "$cc does not build it"
		bad=1
		continue
	fi
	(cd "$SRCDIR" && env -u MAKEFLAGS BUILD="$OLDPWD/build" CC="$cc" tests/run tests/unit tests/golden) >out.txt 2>&1 || {
		echo "$cc:"
		grep -A 8 '^FAIL' out.txt | head -40
		tail -n 1 out.txt
		bad=1
	}
done
[[ $n != 0 || $bad != 0 ]] || { echo "no other compiler"; exit 77; }
exit $bad
