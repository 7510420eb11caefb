#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -S and -x dump: on stderr, beside the D lines; stdout is the program's alone.
set -u
. "${0%/*}/lib.sh"

printf 'BEGIN\n{\n\tthis->answer = 40 + $1;\n\ttrace(this->answer);\n\texit(0);\n}\n' >s.d

try "$DTRACE" -S -e -s s.d 2
expect_status 0
expect_out ""
expect_match stderr "$err" $'\nprogram dtrace:::BEGIN\n'
expect_match stderr "$err" $'\nDisassembly of dtrace:::BEGIN\n'
# the source lines stand in both
expect_text "line 3" "$(grep -c '; 3: .*this->answer = 40 + \$1;' err.txt)" 2
expect_match stderr "$err" $'\n +[0-9]+: exit\n'

# each program of the session; the order of the command line
try "$DTRACE" -S -e -n 'syscall::getppid:entry { @ = count(); }' -n 'tick-1s { }'
expect_status 0
expect_text "programs" "$(grep '^Disassembly of' err.txt | sort)" "$(printf '%s\n' \
	'Disassembly of profile:::tick-1s' 'Disassembly of syscall:vmlinux:getppid:entry')"

# a run with it is a run
try "$DTRACE" -S -qs s.d 2
expect_status 0
expect_out $'42\n'
expect_match stderr "$err" 'Disassembly of'
try "$DTRACE" -x verbose -qs s.d 2
expect_out $'42\n'
expect_match stderr "$err" 'Disassembly of'

# one stage alone
try "$DTRACE" -x dump=ast -e -s s.d 2
expect_status 0
expect_out ""
expect_match stderr "$err" '^\(clause BEGIN'
[[ $err != *Disassembly* && $err != *$'\nprogram '* ]] || complain "more than the tree: $err"
try "$DTRACE" -x dump=bpf -e -s s.d 2
expect_match stderr "$err" 'Disassembly of'
[[ $err != *'(clause'* && $err != *$'\nprogram '* ]] || complain "more than instructions: $err"
try "$DTRACE" -x dump=ir,ast -e -s s.d 2
expect_match stderr "$err" '\(clause BEGIN'
expect_match stderr "$err" $'\nprogram dtrace:::BEGIN'

# what cannot be compiled is not dumped
try "$DTRACE" -S -e -n 'BEGIN { trace(nope); }'
expect_status 1
expect_match stderr "$err" $'^dtrace: invalid probe specifier [^\n]*\n$'

# the verifier's log is asked for by its own option
try "$DTRACE" -x bpflog -qs s.d 2
expect_status 0
expect_out $'42\n'
expect_match stderr "$err" $'BPF: dtrace:::BEGIN:\n'

finish
