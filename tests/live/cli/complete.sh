#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --complete prints what the last word of a command line can be, and what each of them is.
set -u
. "${0%/*}/lib.sh"

# completes WORDS... == LINE: one of the lines, which all begin with what was typed
completes() {
	what="--complete"
	local words=()

	while [[ $1 != == ]]; do words+=("$1"); shift; done
	"$DTRACE" --complete "${words[@]}" >out.txt 2>err.txt || complain "--complete ${words[*]}: status $?"
	grep -qxF -- "$2" out.txt || complain "--complete ${words[*]}: no line [$2] in:"$'\n'"$(head -20 out.txt)"
	[[ ! -s err.txt ]] || complain "--complete ${words[*]}: $(cat err.txt)"
	grep -vF -- "${words[-1]}" out.txt | grep -v $'^\t' | grep -q . && complain "--complete ${words[*]}: other words in the output"
}

completes -- == $'--doctor\tsay what this machine can trace, and what it lacks'
completes -q -l -n sys == $'syscall:\tprovider'
completes -n syscall::openat:e == $'syscall::openat:entry\tint, const char *, int, umode_t'
completes -qnsyscall::openat:r == $'-qnsyscall::openat:return\tlong'
completes -n 'BEGIN { trace(curthread->group_l' == $'BEGIN { trace(curthread->group_leader\tstruct task_struct *'
completes -n 'syscall::openat:entry { self->name = copyinstr(arg1) } syscall::openat:return { trace(self->n' == \
	$'syscall::openat:entry { self->name = copyinstr(arg1) } syscall::openat:return { trace(self->name\tstring'
completes -P sys == $'syscall\tprovider'
completes -m vmlin == $'vmlinux\tmodule'
completes -m syscall:vm == $'syscall:vmlinux\tmodule'
completes -f opena == $'openat\tfunction'
completes -f syscall::opena == $'syscall::openat\tfunction'
completes -x bufpolicy=r == $'bufpolicy=ring\t'
completes -xquie == $'-xquiet\tboolean  print only what actions print (-q)'
completes --output=jso == $'--output=json\tone JSON object a line, for programs'
completes --output jso == $'json\tone JSON object a line, for programs'
completes --output=json:/t == $'\tfile'
completes -s x == $'\tfile'
completes -n BEGIN x == $'\tfile'
completes -I x == $'\tdirectory'
completes -c x == $'\tcommand'
completes -p $$ == $$$'\t'"$(cat /proc/$$/comm)"

# names that others choose: nothing that ends a quote, begins a command or a line, or that a terminal obeys
{
	printf '\t.globl main\n\t.type main, @function\nmain:\n\tmov $34, %%eax\n\tsyscall\n\tret\n\t.size main, .-main\n'
	for name in evil_plain "evil';id;'" 'evil$(id)' $'evil\e[2J' 'evil`id`'; do
		printf '\t.type "%s", @function\n"%s":\n\tnop\n\tret\n\t.size "%s", .-"%s"\n' "$name" "$name" "$name" "$name"
	done
	printf '\t.section .note.GNU-stack,"",@progbits\n'
} >evil.s
cc -o $'e\e[2J' evil.s && mv $'e\e[2J' evil || complain "evil.s cannot be built"
cp evil $'odd\e[2J'
bash -c 'printf "c\e[2J\n" >/proc/self/comm; echo $$ >named; while :; do sleep 0.1; done' &
named=$!
for ((i = 0; i < 200; i++)); do
	[[ -s named ]] && break
	sleep 0.05
done
./evil &
evil=$!
"./"$'odd\e[2J' &
odd=$!
for pid in $evil $odd; do # they wait in main() when they have mapped the program
	for ((i = 0; i < 200; i++)); do
		[[ $(cut -d ' ' -f 1 /proc/$pid/syscall 2>/dev/null) == 34 ]] && break
		sleep 0.05
	done
done
"$DTRACE" --complete -n "pid$evil::evil" >out.txt
[[ $(<out.txt) == "pid$evil::evil_plain:"$'\tfunction' ]] || complain "hostile functions: $(cat -A out.txt)"
"$DTRACE" --complete -n "pid$odd:o" >out.txt
[[ ! -s out.txt ]] || complain "a hostile file: $(cat -A out.txt)"
"$DTRACE" --complete -p "$named" >out.txt
[[ $(<out.txt) == "$named"$'\tc?[2J' ]] || complain "a hostile process: $(cat -A out.txt)"
kill $named $evil $odd
wait $named $evil $odd 2>/dev/null
completes --pid-namespace=$$ == "--pid-namespace=$$"$'\t'"$(cat /proc/$$/comm)"

# libraries of the command line count
mkdir lib
echo 'inline int from_the_library = 1;' >lib/a.d
completes -L lib -n 'BEGIN { trace(from_' == $'BEGIN { trace(from_the_library\tint'
# a script with parameters has its own options
cat >tool.d <<'X'
#pragma tool usage "tool: an example"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param name string "only these"
inline string name = "";
BEGIN { exit(p); }
X
completes -s tool.d -- - == $'-p\tonly this process'
completes -s tool.d --n == $'--name\tonly these'
completes -s tool.d --out == $'--output=\twrite in this format: json, csv and others'
completes -s tool.d -p $$ == $$$'\t'"$(cat /proc/$$/comm)"
completes -s tool.d --name x -p$$ == -p$$$'\t'"$(cat /proc/$$/comm)"

# what cannot be completed is no error
for word in 'BEGIN { printf("' 'BEGIN { nosuch->' 'a:b:c:d:e'; do
	"$DTRACE" --complete -n "$word" >out.txt 2>&1 || complain "$word: status $?"
	[[ ! -s out.txt ]] || complain "$word: $(head -3 out.txt)"
done
try "$DTRACE" --complete
expect_status 2
expect_err $'dtrace: --complete requires the words of a command line\n'

# each flag with a line in the usage text is completed
"$DTRACE" 2>&1 | sed -nE 's/^\t(--?[a-zA-Z-]+).*  [a-z].*/\1/p' | sort >flags.txt
"$DTRACE" --complete - | sed -E 's/=?\t.*//' | sort | cmp - flags.txt || complain "other flags than in the usage text"
finish
