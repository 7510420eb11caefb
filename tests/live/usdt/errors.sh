#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is refused when a program's probes are named or their arguments used, and what -l -v says of them.
# @ref providers 16.1 name probe-name mismatch redeclared
# @ref providers 16.4 description
set -u
. "${0%/*}/lib.sh"
operands=$BUILD/tests/live/usdt/operands

refused() { # TEXT PROGRAM
	try "$DTRACE" -c "$operands" -n "$2"
	expect_status 1
	err=$(sed -E 's/operands[0-9]+/operandsPID/g' err.txt)
	expect_match stderr "$err" "$1"
}
refused 'does not match any probes' 'operands$target:::nowhere'
refused 'does not match any probes' 'operand$target:::base'
refused 'does not match any probes' 'operands1:::base'
refused 'failed to resolve the type of args\[2\] of operandsPID:operands:main:unreadable' 'operands$target:::unreadable { trace(args[2]); }'
refused 'index 4 is out of range for operandsPID:operands:main:unreadable args\[ \]' 'operands$target:::unreadable { trace(args[4]); }'
refused 'provider name may not end with a digit: shop7' 'provider shop7 { probe a(); }; BEGIN { exit(0); }'
refused 'probe redeclared: shop:a' 'provider shop { probe a(); probe a(int); }; BEGIN { exit(0); }'
refused 'provider interface mismatch: shop' 'provider shop { probe a(int); }; provider shop { probe a(char *); }; BEGIN { exit(0); }'
long=$(printf 'x%.0s' {1..64})
refused "provider name may not exceed 63 characters: $long" "provider $long { probe a(); }; BEGIN { exit(0); }"
refused "probe name may not exceed 63 characters: $long" "provider shop { probe $long(); }; BEGIN { exit(0); }"

# neither pid nor the kernel's providers are looked for in programs
try "$DTRACE" -l -n 'pid1:::base'
expect_text "pid1" "$(grep -c operands out.txt)" 0

# sizes of the note are the types
try "$DTRACE" -lv -c "$operands" -n 'operands$target:::base'
expect_status 0
expect_match "arguments" "$out" 'args\[0\]: (unsigned long|uint64_t).*args\[1\]: (long|int64_t).*args\[2\]: (int|int32_t).*args\[3\]: (unsigned int|uint32_t).*args\[4\]: (short|int16_t)'
finish
