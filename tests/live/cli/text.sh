#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Texts as other systems' editors write them: byte-order marks, UTF-16, NUL bytes, CRLF.
# @vm no: the command line, the kernel has no part in it
# @ref cli 2 s L
set -u
. "${0%/*}/lib.sh"

program='BEGIN { trace(5); exit(0); }'
mark=$'\xef\xbb\xbf'
mkdir lib

# a byte-order mark is skipped; with one, #! is still a first line
for flags in -qs -Cqs; do
	[[ $flags == -qs ]] || command -v cpp >/dev/null || continue
	printf '%s%s\n' "$mark" "$program" >s.d
	try "$DTRACE" $flags s.d
	expect_status 0
	expect_out $'5\n'
	printf '%s#!/usr/sbin/dtrace -s\n%s\n' "$mark" "$program" >s.d
	try "$DTRACE" $flags s.d
	expect_status 0
	expect_out $'5\n'
	printf '#!/usr/sbin/dtrace -s\r\n\r\nBEGIN\r\n/1 == 1/\r\n{\r\n\ttrace("a");\t/* b\r\n\t*/\r\n\texit(0);\r\n}\r\n' >s.d
	try "$DTRACE" $flags s.d
	expect_status 0
	expect_out $'a\n'
done
printf '%sinline int seven = 7;\n' "$mark" >lib/a.d
try "$DTRACE" -L lib -qn 'BEGIN { trace(seven); exit(0); }'
expect_status 0
expect_out $'7\n'
printf '%s' "$mark" >s.d
try "$DTRACE" -s s.d
expect_status 1
expect_match stderr "$err" 'empty D program'
# not elsewhere
printf '\n%s%s\n' "$mark" "$program" >s.d
try "$DTRACE" -s s.d
expect_status 1
expect_match stderr "$err" 'line 2: syntax error near'

# UTF-16, with and without a mark
for encoding in UTF-16 UTF-16LE UTF-16BE; do
	iconv -t $encoding <<<"$program" >s.d
	try "$DTRACE" -s s.d
	expect_status 1
	expect_err $'dtrace: failed to compile script s.d: line 1: the text is UTF-16: D programs are ASCII or UTF-8\n'
done
cp s.d lib/a.d
try "$DTRACE" -L lib -qn 'BEGIN { exit(0); }'
expect_status 1
expect_match stderr "$err" '"lib/a\.d", line 1: the text is UTF-16'

# NUL bytes, wherever they stand
for rest in '\0 { exit(0); }' '{ trace("a\0b"); }' '{ exit(0); /* \0 */ }' '{ exit(0); }\n\0'; do
	printf "BEGIN { }\nBEGIN $rest\n" >s.d
	try "$DTRACE" -s s.d
	expect_status 1
	line=2
	[[ $rest != *'\n'* ]] || line=3
	expect_err "dtrace: failed to compile script s.d: line $line: NUL byte in the text"$'\n'
done

finish
