#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong with the command line itself: message and status 2.
# @ref d-errors 1.3 unknown-flag several-modes background header-without-script
# @ref d-errors 1.5 usage
set -u
. "${0%/*}/lib.sh"

try "$DTRACE"
expect_status 2
expect_out ""
expect_err_line 'Usage: dtrace [-CeFHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]'

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
for letter in -h -G; do
	try "$DTRACE" $letter
	expect_status 2
	expect_err "dtrace: $letter requires one or more scripts or enabling options"$'\n'
done

try "$DTRACE" -33 -n BEGIN
expect_status 2
expect_err_line 'dtrace: illegal option -- 33'

# what does not exist is said to be so, not ignored
for letter in -h -G -A -a -B -32; do
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
expect_match stdout "$out" $'^dtrace: D [0-9]+\.[0-9]+ for Linux [0-9]+\.[0-9]+[^\n]*\n$'

finish
