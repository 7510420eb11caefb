#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs on the command line: their parts, their levels, what stands for them in messages; several of them.
# @vm no: the command line, the kernel has no part in it
# @ref cli 1.2 line-after-last shared
# @ref cli 2 n s P m f i
# @ref cli 2.1 parts several-clauses level-of-each-description levels declarations macros default-action name-cropped
# @ref cli 2.4 notice-each fire-in-order
# @ref cli 3.1 pairs-counted singular
# @ref cli 5.2 begin-exits
# @ref cli 8 destructive destructive-compiles
# @ref cli 14 n-twice s-twice
set -u
. "${0%/*}/lib.sh"

# blanks between the parts; further clauses, declarations before and between
for program in 'BEGIN/1/{printf("a");exit(0);}' $'\tBEGIN\n /1/ \t{ printf("a"); exit(0); }\n' \
	'int x; BEGIN { x = 1; } BEGIN /x == 1/ { printf("a"); exit(0); }' \
	'inline int one = 1; BEGIN { this->x = one; } int y; BEGIN /y == 0/ { printf("a"); exit(0); }' \
	'dtrace:::BEGIN { exit(0); } :::END { printf("a"); }'; do
	try "$DTRACE" -qn "$program"
	expect_status 0
	expect_out $'a\n'
	expect_err ""
done

# a clause alone, a predicate alone, a description alone
try "$DTRACE" -n BEGIN -n 'END /0/ { }' -n 'tick-10 { exit(0); }'
expect_status 0
expect_text rows "$(grep -c ':BEGIN $' out.txt) $(grep -c :END out.txt)" '1 0'

# every bare description of a program is read at the flag's level, also in later clauses
level() { # FLAG PROGRAM PROBES: how many it matches
	try "$DTRACE" -l "$1" "$2"
	expect_status 0
	expect_text "$1 $2" "$(awk 'NR > 1 { print ($4 ~ /^(entry|return)$/ ? $2 ":" $3 ":" $4 : $2 ":" $3 ":" $4 ":" $5) }' out.txt | tr '\n' ' ')" "$3"
}
level -P 'dtrace { } dtrace { }' 'dtrace:BEGIN:: dtrace:END:: dtrace:ERROR:: '
level -f 'getppid { } getpid { }' 'syscall:vmlinux:getppid:entry syscall:vmlinux:getppid:return syscall:vmlinux:getpid:entry syscall:vmlinux:getpid:return '
level -f 'vmlinux:getppid,getpid' 'syscall:vmlinux:getppid:entry syscall:vmlinux:getppid:return syscall:vmlinux:getpid:entry syscall:vmlinux:getpid:return '
level -f syscall:vmlinux:getppid 'syscall:vmlinux:getppid:entry syscall:vmlinux:getppid:return '
level -n getppid:entry 'syscall:vmlinux:getppid:entry '
level -n vmlinux:getppid:entry 'syscall:vmlinux:getppid:entry '
level -n 'BEGIN { } END { }' 'dtrace:BEGIN:: dtrace:END:: '
level -i '1, 2' 'dtrace:BEGIN:: dtrace:END:: '
level -i '1 { } 2 { }' 'dtrace:BEGIN:: dtrace:END:: '
try "$DTRACE" -lm syscall:vmlinux
expect_text "modules" "$(awk 'NR > 1 { print $2, $3 }' out.txt | sort -u)" 'syscall vmlinux'

# macros in each part of a description
try "$DTRACE" -ln 'syscall:$$1:$$2:$$3' vmlinux getppid entry
expect_status 0
expect_text "of arguments" "$(awk 'NR > 1 { print $2, $3, $4, $5 }' out.txt)" 'syscall vmlinux getppid entry'
try "$DTRACE" -ln 'tick-$1s' 3
expect_text "part of a name" "$(awk 'NR > 1 { print $3 }' out.txt)" 'tick-3s'

# what a program is called: up to { / or ;, blanks kept; all of it where it fails
named() { # PROGRAM NAME
	try "$DTRACE" -n "$1"
	expect_err_line "dtrace: description '$2' matched 1 probe"
	try "$DTRACE" -n "${1/exit/nope(); exit}"
	expect_status 1
	expect_err "dtrace: invalid probe specifier ${1/exit/nope(); exit}: in action list: undefined function name: nope"$'\n'
}
named 'BEGIN{ exit(0); }' 'BEGIN'
named 'BEGIN  { exit(0); }' 'BEGIN  '
named 'dtrace:::BEGIN /1/ { exit(0); }' 'dtrace:::BEGIN '
named 'int x; BEGIN { exit(0); }' 'int x'

# pairs of clauses and probes
try "$DTRACE" -n 'BEGIN,END { } BEGIN { } END { exit(0); }' -n 'BEGIN { exit(0); }'
expect_err $'dtrace: description \'BEGIN,END \' matched 4 probes\ndtrace: description \'BEGIN \' matched 1 probe\n'

# the same program twice is two
try "$DTRACE" -q -n 'BEGIN { printf("%d", ++x); }' -n 'BEGIN { printf("%d", ++x); }' -n 'BEGIN { exit(0); }'
expect_out $'12\n'
printf 'BEGIN\n{\n\tprintf("%%s %%d,", $$0, $1);\n}\n' >a.d
printf 'BEGIN\n{\n\tprintf("%%s %%d", $$0, $1 + 1);\n\texit(0);\n}\n' >b.d
try "$DTRACE" -q -s a.d -s b.d 5
expect_status 0
expect_out $'a.d 5,b.d 6\n'
try "$DTRACE" -s a.d -s b.d 5
expect_err $'dtrace: script \'a.d\' matched 1 probe\ndtrace: script \'b.d\' matched 1 probe\n'

# one that has no use for the last argument: said of the line after its last
try "$DTRACE" -q -s a.d -s b.d 5 6
expect_status 1
expect_err $'dtrace: failed to compile script a.d: line 5: extraneous argument \'6\' ($2 is not referenced)\n'

# BEGIN ends it: nothing else fires, END does
try "$DTRACE" -qn 'BEGIN { printf("b"); exit(3); } syscall::: { printf("never"); } tick-5000 { printf("never"); } END { printf("e"); }'
expect_status 3
expect_out $'be\n'

# destructive: no error of compilation
try "$DTRACE" -en 'BEGIN { system("touch made"); }'
expect_status 0
expect_err ""
try "$DTRACE" -n 'BEGIN { system("touch made"); exit(0); }'
expect_status 1
expect_out ""
expect_err $'dtrace: description \'BEGIN \' matched 1 probe\ndtrace: could not enable tracing: Destructive actions not allowed\n'
[[ ! -e made ]] || complain "it was done"

finish
