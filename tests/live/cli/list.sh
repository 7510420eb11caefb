#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -l: the table, what is listed for which program, and that nothing runs.
set -u
. "${0%/*}/lib.sh"

header='   ID   PROVIDER            MODULE                          FUNCTION NAME'
begin='    1     dtrace                                                     BEGIN'
end='    2     dtrace                                                     END'

try "$DTRACE" -l
expect_status 0
expect_err ""
expect_text "first line" "${out%%$'\n'*}" "$header"
expect_text BEGIN "$(sed -n 2p out.txt)" "$begin"
expect_text "ascending ids" "$(awk 'NR > 1 { print $1 }' out.txt | sort -nuc 2>&1)" ""
expect_text "openat" "$(awk '$2 == "syscall" && $4 == "openat" { print $3, $5 }' out.txt)" \
	$'vmlinux entry\nvmlinux return'

try "$DTRACE" -l -n BEGIN
expect_out "$header"$'\n'"$begin"$'\n'

try "$DTRACE" -l -P syscall
expect_status 0
expect_text "providers" "$(awk 'NR > 1 { print $2 }' out.txt | sort -u)" syscall

try "$DTRACE" -l -f openat
expect_text "functions" "$(awk 'NR > 1 { print $4, $5 }' out.txt)" $'openat entry\nopenat return'

# for each description in turn; quiet changes nothing; predicates and actions are checked, not run
try "$DTRACE" -lq -n 'dtrace:::END,dtrace:::BEGIN /1/ { printf("ran"); }'
expect_out "$header"$'\n'"$end"$'\n'"$begin"$'\n'
expect_err ""
try "$DTRACE" -l -n 'BEGIN { trace(nope); }'
expect_status 1
expect_out ""

# consecutive clauses with one description are listed once
try "$DTRACE" -l -n 'BEGIN { } BEGIN { } END { } BEGIN { }'
expect_out "$header"$'\n'"$begin"$'\n'"$end"$'\n'"$begin"$'\n'

try "$DTRACE" -l -n foo:::bar -n BEGIN
expect_status 0
expect_out "$header"$'\n'"$begin"$'\n'
expect_err $'dtrace: failed to match foo:::bar: No probe matches description\n'

try "$DTRACE" -lv -i 1
expect_out "$header
$begin

	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Types
		None

"

# appended to a file
echo before >list
try "$DTRACE" -l -n BEGIN -o list
expect_out ""
expect_text file "$(cat list)" $'before\n'"$header"$'\n'"$begin"

finish
