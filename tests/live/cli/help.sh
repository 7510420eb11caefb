#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --help, -?, --version and --examples print on stdout and succeed, with other flags as well; unknown names fail.
# @vm no: the command line, the kernel has no part in it
set -u
. "${0%/*}/lib.sh"

for flag in --help -? "-q --help"; do
	try "$DTRACE" $flag
	expect_status 0
	expect_err ""
	expect_match "first line" "$(head -n 1 <<<"$out")" '^Examples:$'
	expect_text "examples" "$(grep -c "^        dtrace -" <<<"$out")" 5
	expect_match usage "$out" 'Usage: dtrace '
	expect_match "a flag" "$out" $'\n\t--doctor  '
done

try "$DTRACE" --version
expect_status 0
expect_err ""
expect_match version "$out" '^dtrace: DTrace for Linux [0-9.]+, D [0-9.]+'
expect_match libraries "$out" 'libbpf [0-9.]+, elfutils [0-9.]+, zlib [0-9.]+'

try "$DTRACE" --help execname quantize
expect_status 0
expect_err ""
expect_match execname "$out" '^execname: built-in variable of type string'
expect_match quantize "$out" 'quantize\(any, \[any\]\): aggregating function'
try "$DTRACE" --help io:::start 'args[0]'
expect_status 0
expect_match "the argument" "$out" '^args\[0\] of io:vmlinux::start: bufinfo_t \*'
expect_match "its members" "$out" 'b_bcount'

try "$DTRACE" --help struct pid
expect_status 0
expect_match "a type of two words" "$out" '^struct pid: type, '

try "$DTRACE" --help quantise
expect_status 1
expect_out ""
expect_err $'dtrace: no help for \'quantise\': did you mean \'quantize\'?\n'

try "$DTRACE" --examples
expect_status 0
[[ $(grep -c "^    dtrace " <<<"$out") -ge 100 ]] || complain "fewer than 100 examples"
try "$DTRACE" --examples DISK zebra
expect_status 1
expect_err $'dtrace: no example has DISK and the other words\n'
try "$DTRACE" --examples READ file
expect_status 0
expect_match "title" "$out" 'Which process reads most bytes from which file\?'
expect_text "other titles" "$(grep -v '^    dtrace' <<<"$out" | grep -vi read)" ""

# unknown flags are still errors
try "$DTRACE" -y
expect_status 2
expect_out ""
try "$DTRACE" --helpful
expect_status 2
expect_out ""
finish
