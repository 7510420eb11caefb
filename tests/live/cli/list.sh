#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -l: the table, what is listed for which program, and that nothing runs.
# @ref d-language 4 command-line-levels begin-id end-error-ids bad-id
# @ref d-language 19 probe-report
# @ref cli 2 l f m P n i
# @ref cli 2.1 levels
# @ref cli 2.2 list
# @ref cli 3.2 no-match-in-list
# @ref cli 4.1 header layout header-always all-probes programs-checked each-clause consecutive-once ascending comma-list no-match enables-nothing status
# @ref cli 4.2 layout types no-arguments
# @ref cli 5.1 sigpipe
# @ref cli 14 o-l l-inert
set -u
. "${0%/*}/lib.sh"

header='   ID   PROVIDER            MODULE                          FUNCTION NAME'
begin='    1     dtrace                                                     BEGIN'
end='    2     dtrace                                                     END'

try "$DTRACE" -l
expect_status 0
expect_only_lacking
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
expect_err ""

# the ids are those that -i takes
id=$(awk '$4 == "openat" && $5 == "return" { print $1 }' out.txt)
try "$DTRACE" -l -i "$id"
expect_text "by id" "$(awk 'NR > 1 { print $2, $4, $5 }' out.txt)" 'syscall openat return'
try "$DTRACE" -qn 'BEGIN { exit(0); }' -i "$id /0/ { }"
expect_status 0

# each letter's level, flags clustered, globs, macro arguments
for args in '-lf vmlinux:openat' '-lf syscall:vmlinux:openat' '-lP syscall -f openat' '-ln syscall::openat:' \
	'-lm vmlinux' '-lm syscall:vmlinux' '-ln openat:' '-ln syscall::op[!q]nat:*' '-ln syscall::$$1: openat'; do
	try "$DTRACE" $args
	expect_status 0
	expect_match "$args" "$out" "syscall +vmlinux +openat entry"
	expect_match "$args" "$out" "syscall +vmlinux +openat return"
done
try "$DTRACE" -l -n 'getp*:entry,profile:::tick-100'
expect_match stdout "$(awk '{ print $4, $5 }' out.txt)" $'getpid entry\n.*getppid entry\n'
expect_text "last line" "$(tail -n 1 out.txt | awk '{ print $2, $3 }')" 'profile tick-100'

# a probe that exists once it is named
try "$DTRACE" -l -n 'tick-7s'
expect_status 0
expect_text "tick-7s" "$(awk 'NR > 1 { print $2, $3 }' out.txt)" 'profile tick-7s'
for name in tick- tick-0 profile-0 tick-1x profile-6000; do
	try "$DTRACE" -ln $name
	expect_status 0
	expect_out "$header"$'\n'
	expect_match stderr "$err" "^dtrace: failed to match :::$name: "
done

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

# arguments of system calls, as the kernel declares them
try "$DTRACE" -lvvn syscall::openat:entry
expect_match stdout "$out" $'\n\tArgument Types\n\t\targs\\[0]: int\n\t\targs\\[1]: const char \\*\n\t\targs\\[2]: int\n\t\targs\\[3]: umode_t\n(\n\tArgument Names\n\t\targs\\[0]: dfd\n\t\targs\\[1]: filename\n\t\targs\\[2]: flags\n\t\targs\\[3]: mode\n)?\n$'
# what DTrace prints, for those who read it from a file: nothing more
try "$DTRACE" -lvn syscall::openat:entry
expect_match stdout "$out" $'\n\tArgument Types\n\t\targs\\[0]: int\n\t\targs\\[1]: const char \\*\n\t\targs\\[2]: int\n\t\targs\\[3]: umode_t\n\n$'
try "$DTRACE" -e -v -n sdt:sched::sched_switch
expect_text "no names" "$(grep -c 'Argument Names' out.txt)" 0
if command -v script >/dev/null; then
	script -qc "'$DTRACE' -lvn sdt:sched::sched_switch" /dev/null >out.txt </dev/null
	expect_text "names on a terminal" "$(grep -c 'Argument Names' out.txt)" 1
fi
# names of arguments and members: of translated types, of the kernel's structs, of tracepoints, of a program
try "$DTRACE" -lvvn io:::start
expect_match "translated" "$out" $'\n\t\targs\\[2]: fileinfo_t \\*\n\n\tMembers of args\\[0]\n\t\tb_flags: int\n\t\tb_bcount: size_t\n.*\n\tMembers of args\\[1]\n\t\tdev_major: int\n'
try "$DTRACE" -lvvn sdt:sched::sched_switch
expect_match "a tracepoint" "$out" $'\n\tArgument Names\n\t\targs\\[0]: prev_comm\n\t\targs\\[1]: prev_pid\n'
try "$DTRACE" -lvvn rawtp:::sched_switch
expect_match "a raw tracepoint" "$out" $'\n\t\targs\\[1]: prev\n\t\targs\\[2]: next\n'
expect_match "the kernel's structs" "$out" $'\n\tMembers of args\\[1], args\\[2]\n.*\n\t\t__state: unsigned int\n.*\n\t\tand [0-9]+ more\n\n$'
expect_text "members shown" "$(sed -n '/Members of/,/and .* more/p' out.txt | grep -c ': ')" 32
if command -v cc >/dev/null; then
	printf 'struct item { int price; union { int a; char b; }; };\nint buy(struct item *item, long count) { return item->price + count; }\nint main(void) { return 0; }\n' >buy.c
	cc -g -o buy buy.c
	try "$DTRACE" -lvvn 'pid$target:buy:buy:entry' -c ./buy
	expect_match "a program" "$out" $'\n\tArgument Names\n\t\targs\\[0]: item\n\t\targs\\[1]: count\n\n\tMembers of args\\[0]\n\t\tprice: int\n\t\ta: int\n\t\tb: char\n\n$'
fi
try "$DTRACE" -e -vv -n 'rawtp:::sched_wakeup*'
expect_match "names common to several" "$out" $'\n\tArgument Names\n\t\targs\\[0]: p\n\n\tMembers of args\\[0]\n'

# nothing matches at all; a provider that does not exist
try "$DTRACE" -lP nosuch
expect_status 0
expect_out "$header"$'\n'
expect_err $'dtrace: failed to match nosuch:::: No probe matches description\n'
for args in '-lf openaat' '-lm nosuch' '-ln syscall:::entri'; do
	try "$DTRACE" $args
	expect_status 0
	expect_out "$header"$'\n'
	expect_match stderr "$err" '^dtrace: failed to match [^ ]*: No probe matches description'
done
try "$DTRACE" -li 99999999
expect_status 1
expect_err $'dtrace: invalid probe specifier 99999999: invalid probe identifier 99999999: Unknown probe identifier\n'

# the reader of a list may go away
to_gone() { "$@" >&7; }
exec 7> >(exit)
wait $!
try to_gone "$DTRACE" -l
exec 7>&-
expect_status 141
expect_err ""

# appended to a file
echo before >list
try "$DTRACE" -l -n BEGIN -o list
expect_out ""
expect_text file "$(cat list)" $'before\n'"$header"$'\n'"$begin"

finish
