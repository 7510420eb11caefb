#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a description matches: components from the right, any of them left out, globs, their case.
# @ref d-language 4 name-only-any-provider glob-escape glob-sets glob-star glob-question
# @ref d-language 4 case-sensitive empty-component one-component two-components
# @ref d-language 4 three-components four-components begin-id end-error-ids
# @ref cli 2.1 empty-fields globs levels
set -u
. "${0%/*}/lib.sh"

listed() { # DESCRIPTION: the probes, as ID PROVIDER:MODULE:FUNCTION:NAME of those three that always exist
	try "$DTRACE" -ln "$1"
	got=$(awk 'NR > 1 && $2 == "dtrace" { print $1, $3 }' out.txt | tr '\n' ' ')
}

same() { # DESCRIPTION EXPECTED
	listed "$1"
	expect_text "$1" "$got" "$2"
}

all='1 BEGIN 2 END 3 ERROR '
same 'dtrace:::' "$all"
same 'dtrace:::*' "$all"
same '*:::*[ND]*' '1 BEGIN 2 END '
same 'dtrace::' ''
same 'BEGIN' '1 BEGIN '
same ':BEGIN' '1 BEGIN '
same '::BEGIN' '1 BEGIN '
same ':::BEGIN' '1 BEGIN '
same 'dtrace:::BEGIN' '1 BEGIN '
same '???' '2 END '
same 'dtrace:::E*' '2 END 3 ERROR '
same 'dtrace:::[A-B]EGIN' '1 BEGIN '
same 'dtrace:::[!B]*' '2 END 3 ERROR '
same 'dtrace:::BEGI\N' '1 BEGIN '
same 'dtrace:::\*' ''
same 'dtrace:::begin' ''
same 'DTRACE:::BEGIN' ''
same 'trace:::BEGIN' ''
same 'dtrace:::EGIN' ''
same 'dtrace:vmlinux::BEGIN' ''

# a name alone is that of any provider
try "$DTRACE" -ln 'tick-10,BEGIN'
expect_text "providers" "$(awk 'NR > 1 { print $2 }' out.txt | tr '\n' ' ')" 'profile dtrace '
try "$DTRACE" -ln entry
awk 'NR > 1 && $2 == "syscall" && $4 == "getppid" && $5 == "entry" { found = 1 } NR > 1 && $NF != "entry" { bad = 1 }
	END { exit !found || bad }' out.txt || complain "$(head -n 5 out.txt)"

finish
