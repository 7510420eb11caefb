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
# both have the source lines whose code remains: line 3 is folded
# @ref cli 2 S
# @ref cli 7.3 each-clause with-e
# @ref cli 3.3 bpflog
# @ref options 3 bpflog
# @ref options 4 verbose disasm tree
# @ref cli 7.3 disasm
# @ref cli 3.3 log-incomplete
# @ref options 3 bpflogsize
expect_text "line 4" "$(grep -c '; 4: .*trace(this->answer);' err.txt)" 2
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

# which listings: of the clauses, of the programs with the functions that they call
has() { # WORDS: of (tree, three-address code, instructions, functions that are called) what there is
	local got=""
	[[ $err == *'(clause BEGIN'* ]] && got+=tree,
	[[ $err == *$'\nprogram dtrace:::BEGIN'* ]] && got+=code,
	[[ $err == *$'\nDisassembly of dtrace:::BEGIN'* ]] && got+=instructions,
	[[ $err =~ dt_error:\ [0-9]+\ instructions ]] && got+=functions,
	expect_text listings "$got" "$1"
}
fails='BEGIN { trace(*(int *)arg0); exit(0); } ERROR { trace(arg4); }'
try "$DTRACE" -S -en "$fails"
has code,instructions,
try "$DTRACE" -S -x disasm=1 -en "$fails"
has code,instructions,
try "$DTRACE" -S -x disasm=2 -en "$fails"
has instructions,functions,
try "$DTRACE" -S -x disasm=3 -en "$fails"
has code,instructions,functions,
try "$DTRACE" -S -x disasm=0 -en "$fails"
has ''
try "$DTRACE" -x disasm=3 -en "$fails"
has ''
try "$DTRACE" -x tree=1 -en "$fails"
has tree,
for bits in 4 8 5 15; do
	try "$DTRACE" -S -x disasm=$bits -en "$fails"
	expect_status 1
	expect_err "dtrace: failed to set -x disasm: Option 'disasm=$bits' is not supported yet"$'\n'
done
for bits in 2 3 8; do
	try "$DTRACE" -x tree=$bits -en "$fails"
	expect_status 1
	expect_err "dtrace: failed to set -x tree: Option 'tree=$bits' is not supported yet"$'\n'
done
for bad in disasm=16 disasm=-1 disasm tree=0 tree=x tree; do
	try "$DTRACE" -x $bad -en "$fails"
	expect_status 1
	expect_err "dtrace: failed to set -x ${bad%=*}: Invalid value for specified option"$'\n'
done

# pragmas do the same, for all of the session
printf '#pragma D option verbose\n#pragma D option disasm=2\n%s\n' "$fails" >v.d
try "$DTRACE" -es v.d
has instructions,functions,
printf '#pragma D option dump=ir\n%s\n' "$fails" >v.d
try "$DTRACE" -es v.d
has code,
printf '#pragma D option tree=1\n%s\n' "$fails" >v.d
try "$DTRACE" -es v.d
has tree,

# what cannot be compiled is not dumped
try "$DTRACE" -S -e -n 'BEGIN { trace(nope); }'
expect_status 1
expect_match stderr "$err" $'^dtrace: invalid probe specifier [^\n]*\n$'

# the verifier's log is asked for by its own option
try "$DTRACE" -x bpflog -qs s.d 2
expect_status 0
expect_out $'42\n'
expect_match stderr "$err" $'BPF: dtrace:::BEGIN:\n'

try "$DTRACE" -x bpflog -x bpflogsize=100 -qs s.d 2
expect_status 0
expect_out $'42\n'
expect_err "BPF verifier log is incomplete and is not reported.
Set DTrace option 'bpflogsize' to some greater size for more output.
(Current size is 100.)
"
try "$DTRACE" -qs s.d 2
expect_err ""

finish
