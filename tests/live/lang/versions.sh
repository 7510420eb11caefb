#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Option version: what is newer is not there, libraries included; which versions there are.
# @vm no: the compiler alone
# @ref d-language 20 recognised identifiers-unavailable library-fails only-lowered malformed unknown encoding version-line
# @ref d-language 21 unavailable-by-version
# @ref options 4 version version-conflict
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

for v in 1.0 1.1 1.2 1.2.1 1.2.2 1.3 1.4 1.4.1 1.5 1.6 1.6.1 1.6.2 1.6.3 1.6.4 2.0 2.0.1; do
	try "$DTRACE" -x nolibs -x version=$v -qn 'BEGIN { trace(1); exit(0); }'
	expect_status 0
	expect_out $'1\n'
done
for v in 1.7 2.1 3.0 0.9; do
	try "$DTRACE" -x nolibs -x version=$v -n 'BEGIN { exit(0); }'
	expect_status 1
	expect_out ""
	expect_match stderr "$err" "^dtrace: failed to set -x version: .*not supported"
done
for v in x 1 1. 1.x 1.2.3.4 999999999.1; do
	try "$DTRACE" -x nolibs -x version=$v -n 'BEGIN { exit(0); }'
	expect_status 1
	expect_match stderr "$err" "^dtrace: failed to set -x version: .*not properly formatted"
done

# a lower one, then a higher one
try "$DTRACE" -x nolibs -x version=1.2 -x version=1.5 -n 'BEGIN { exit(0); }'
expect_status 1
expect_match stderr "$err" 'conflicts'
try "$DTRACE" -x nolibs -x version=1.5 -x version=1.2 -qn 'BEGIN { exit(0); }'
expect_status 0

missing() { # VERSION-BEFORE VERSION PROGRAM
	try "$DTRACE" -x nolibs -x errtags -x version=$1 -en "$3"
	expect_status 1
	expect_match "$3 stderr" "$err" '\[D_(FUNC|IDENT)_UNDEF\]'
	try "$DTRACE" -x nolibs -x version=$2 -en "$3"
	expect_status 0
}
missing 1.0 1.1 'BEGIN { trace(strtok("a", "b")); }'
missing 1.0 1.1 'BEGIN { trace(substr("abc", 1)); }'
missing 1.1 1.2 'BEGIN { trace(ustackdepth); }'
missing 1.1 1.2 'BEGIN { setopt("quiet"); }'
missing 1.2.2 1.3 'BEGIN { trace(htons(1)); }'
missing 1.4.1 1.5 'BEGIN { trace(link_ntop(1, alloca(8))); }'
missing 1.5 1.6 'BEGIN { @ = stddev(1); }'
missing 1.6.3 1.6.4 'BEGIN { @ = llquantize(1, 10, 0, 3, 10); }'
missing 1.6.4 2.0 'BEGIN { print(curthread); }'

# the pragma says the same
printf '#pragma D option version=1.5\nBEGIN\n{\n\t@ = stddev(1);\n}\n' >p.d
try "$DTRACE" -x nolibs -x errtags -es p.d
expect_status 1
expect_match stderr "$err" '\[D_FUNC_UNDEF\]'

# what D is spoken
try "$DTRACE" -V
expect_match stdout "$out" '^dtrace: .* D 2\.0'$'\n$'
printf 'BEGIN\n{\n\tprintf("%%x", __SUNW_D_VERSION);\n\texit(0);\n}\n' >c.d
if command -v cpp >/dev/null; then
	try "$DTRACE" -C -qs c.d
	expect_match stdout "$out" $'^2000001\n'
	# what a program binds to
	try "$DTRACE" -x version=1.6.4 -C -qs c.d
	expect_match stdout "$out" $'^1006004\n'
fi
finish
