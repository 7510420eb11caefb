#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -B: each piece of what the text output is made of, and what it belongs to; nothing else is printed.
# @ref cli 2.3 chunks
. "${0%/*}/lib.sh"

# shellcheck disable=SC2016
try "$DTRACE" -q -B -n 'BEGIN { printf("a\nb"); @["x"] = count(); @y = sum(3); printa("%@d\n", @y); }
	BEGIN { exit(0); }'
expect_status 0
expect_err ""
expect_out 'dtrace:             buffered => "a\nb"
dtrace:                probe => <non-NULL>
dtrace:              aggdata => <NULL>
dtrace:              recdesc => <non-NULL>
dtrace:                flags => 0x0
dtrace:             provider => dtrace
dtrace:               module => 
dtrace:             function => 
dtrace:                 name => BEGIN
dtrace:               action => printf
dtrace:             buffered => "3\n"
dtrace:                probe => <non-NULL>
dtrace:              aggdata => <non-NULL>
dtrace:              recdesc => <non-NULL>
dtrace:                flags => 0xd (AGGVAL | AGGFORMAT | AGGLAST)
dtrace:             provider => dtrace
dtrace:               module => 
dtrace:             function => 
dtrace:                 name => BEGIN
dtrace:               action => printa
dtrace:          aggregation => y
dtrace:       aggregation id => 2
dtrace:             buffered => "  x                                                                 1\n"
dtrace:                probe => <NULL>
dtrace:              aggdata => <non-NULL>
dtrace:              recdesc => <NULL>
dtrace:                flags => 0xb (AGGVAL | AGGKEY | AGGLAST)
dtrace:          aggregation => _
dtrace:       aggregation id => 1
'
try "$DTRACE" -B -n 'BEGIN { trace(1); exit(0); }'
expect_match stdout "$out" '^dtrace: +buffered => " +[0-9]+ +1 +:BEGIN "'
expect_match stdout "$out" 'buffered => " +1"'
expect_match stdout "$out" 'buffered => "\\n"'
finish
