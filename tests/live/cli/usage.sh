#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong with the command line itself: message and status 2.
# @vm no: the command line, the kernel has no part in it
# @ref d-errors 1.3 unknown-flag several-modes background header-without-script
# @ref d-errors 1.5 usage
# @ref cli 1 one-mode no-arguments unknown-option missing-argument
# @ref cli 2 32 data-model-suffix a A
# @ref cli 2.3 combinations
# @ref cli 3 prefix
# @ref cli 5.3 usage
# @ref cli 11 refused
# @ref cli 12 line
# @ref cli 13 synopsis flags
# @ref cli 2 64 V
# @ref cli 12 verbose
# @ref cli 14 two-modes
set -u
. "${0%/*}/lib.sh"

try "$DTRACE"
expect_status 2
expect_out ""
expect_err_line 'Usage: dtrace [-32|-64] [-CeFHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]'
expect_text synopsis "$(sed -n '2,13p' err.txt)" $'\t[-I path] [-L path] [-o output] [-p pid] [-s script] [-U name]
\t[-x opt[=val]] [-X a|c|s|t]

\t[-P provider [[ predicate ] action ]]
\t[-m [ provider: ] module [[ predicate ] action ]]
\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]
\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]
\t[-i probe-id [[ predicate ] action ]] [ args ... ]

\tpredicate -> \'/\' D-expression \'/\'
\t   action -> \'{\' D-statements \'}\''
# a line for each letter there is
letters=$(sed -n 's/^\t-\([a-zA-Z]\)  [a-z].*/\1/p' err.txt | tr -d '\n')
expect_text letters "$letters" bcCDefFGhHiIlLmnopPqsSUvVwxXZ
expect_text words "$(sed -nE 's/^\t(--[a-z-]+).*  [a-z].*/\1/p' err.txt)" $'--follow\n--cgroup\n--pid-namespace\n--limit\n--output\n--schema\n--agent\n--top\n--web\n--fleet\n--view\n--diff\n--tool\n--shell\n--doctor\n--help\n--examples\n--version\n--fail-on-drops'

try "$DTRACE" -y
expect_status 2
expect_err_line "dtrace: invalid option -- 'y'"
expect_match stderr "$err" 'Usage: dtrace'

try "$DTRACE" -n
expect_status 2
expect_err_line "dtrace: option requires an argument -- 'n'"

for combination in "-l -V" "-l -l" "-V -V" "-G -h" "-lh"; do
	try "$DTRACE" $combination -n BEGIN
	expect_status 2
	expect_out ""
	expect_err $'dtrace: only one of the [-GhlV] options can be specified at a time\n'
done

try "$DTRACE" -B -l
expect_status 2
expect_err $'dtrace: -B not valid in combination with [-Gl] options\n'
try "$DTRACE" -B -o out -n BEGIN
expect_status 2
expect_err $'dtrace: -B not valid in combination with -o option\n'
try "$DTRACE" -B --output=json -n BEGIN
expect_status 2
expect_err $'dtrace: -B not valid in combination with --output option\n'
for letter in -h -G; do
	try "$DTRACE" $letter
	expect_status 2
	expect_err "dtrace: $letter requires one or more scripts or enabling options"$'\n'
done

try "$DTRACE" -33 -n BEGIN
expect_status 2
expect_err_line 'dtrace: illegal option -- 33'

# what does not exist is said to be so, not ignored
for letter in -A -a -32; do
	try "$DTRACE" $letter -n BEGIN
	expect_status 2
	expect_match stderr "$err" "^dtrace: $letter \(.*\) is not supported yet"
done

# messages begin with the name that the command was called by
ln -s "$DTRACE" other
try ./other -l -V
expect_err $'other: only one of the [-GhlV] options can be specified at a time\n'

try "$DTRACE" -V
expect_status 0
expect_err ""
expect_match stdout "$out" $'^dtrace: Linux D [0-9]+\.[0-9]+\n$'
try "$DTRACE" -V -v
expect_status 0
expect_match stdout "$out" $'^dtrace: Linux D [^\n]*\nThis is DTrace for Linux [0-9][^\n]*\n$'
# -32 is for -h and -G; the header is the same for both data models, unless the script asks which it is
printf 'provider shop { probe sold(long, char *); };\n' >shop.d
"$DTRACE" -h -s shop.d && mv shop.h long.h
try "$DTRACE" -32 -h -s shop.d
expect_status 0
expect_err ""
cmp -s shop.h long.h || complain "the header of -32 differs"
grep -q SHOP_SOLD shop.h || complain "no probe in the header of -32"
if command -v cpp >/dev/null; then
	printf '#ifdef __SUNW_D_64\nprovider big { probe x(); };\n#endif\n#ifdef __SUNW_D_32\nprovider small { probe x(); };\n#endif\n' >model.d
	for model in 32:SMALL:BIG 64:BIG:SMALL; do
		IFS=: read -r bits this other <<<"$model"
		try "$DTRACE" "-$bits" -C -h -s model.d -o model.h
		expect_status 0
		grep -q "${this}_X" model.h || complain "-$bits: no ${this}_X"
		grep -q "${other}_X" model.h && complain "-$bits: ${other}_X"
	done
fi
try "$DTRACE" -32 -l
expect_status 2
expect_err $'dtrace: -32 (32-bit data model) is not supported yet\n'
try "$DTRACE" -64 -qn 'BEGIN { printf("%d", sizeof(long)); exit(0); }'
expect_status 0
expect_out $'8\n'

finish
