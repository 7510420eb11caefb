#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One program built in every way, its functions found in each: optimised, with and without frame pointers, static,
# static PIE, at a fixed address, stripped, with a mini-debuginfo, with its debug file elsewhere.
# @needs xz
# @vm no: compilers take long there, and the files make no difference to the kernel
# @ref providers 15 static-executables no-function aliases symbol-filters file-offset
set -u
. "${0%/*}/lib.sh"

build() { # FILE FLAG...
	local file=$1
	shift
	"$CC" -std=gnu11 -g -pthread "$@" -o "$file" "$src/work.c" || exit 1
}

# add() and what comes of it, and a recursion, in FILE.
traces() { # FILE
	try "$DTRACE" -qn 'pid$target:a.out:add:entry { printf("%d %d,", arg0, arg1); }
		pid$target:a.out:add:return { printf("%d\n", arg1); }
		pid$target:a.out:depth:return { @ = count(); }
		pid$target:a.out:negative:return { printf("%d\n", (int)arg1); }
		END { printa("%@d\n", @); }' -c "./$1 add 4 depth 9 negative 6"
	expect_status 0
	expect_err ""
	expect_prints $'4 -4,0\n-6\n9\n'
}

# its debug information too
typed() { # FILE
	try "$DTRACE" -qn 'pid$target:a.out:negative:entry { printf("%d ", args[0]); }
		pid$target:a.out:negative:return { printf("%d\n", args[1]); }
		pid$target:a.out:hidden:entry { printf("%d\n", args[0]); } END { }' -c "./$1 negative -3 hidden 8"
	expect_status 0
	expect_err ""
	expect_prints $'-3 3\n8\n'
}

build fast -O2 -fomit-frame-pointer
traces fast
typed fast
build framed -O2 -fno-omit-frame-pointer -no-pie
traces framed
typed framed
build static -O1 -static
traces static
typed static
build static-pie -O1 -static-pie
traces static-pie
typed static-pie

# two probes at absolute addresses, in a program whose addresses are what its file says; the second is no function's start
addr=$(nm framed | awk '$3 == "loop" { print $1 }')
inside=$(printf %x $((16#$addr + 3)))
addr=$(printf %x $((16#$addr)))
try "$DTRACE" -qn 'pid$target:a.out:-:'"$addr"' { @[1, probemod, probefunc] = count(); }
	pid$target::-:'"$inside"' { @[2, probemod, probefunc] = count(); }
	END { printa("%d %s %s %@d\n", @); }' -c './framed loop 7 loop 2'
expect_status 0
expect_err ""
expect_prints $'1 framed - 2\n2 framed - 9\n'

# stripped: what the dynamic symbols have, and no static functions
build dynamic -O1 -rdynamic
addr=$(printf %x $((16#$(nm dynamic | awk '$3 == "loop" { print $1 }'))))
strip dynamic
# "-" takes an address of the file, of any module and without symbols
libc=$(ldd ./dynamic | awk '/libc\.so/ { print $3 }')
exit=$(nm -D "$libc" | awk '$3 ~ /^exit(@|$)/ { sub(/^0*/, "", $1); print $1 }')
try "$DTRACE" -qn 'pid$target:a.out:-:'"$addr"',pid$target:dynamic:-:'"$addr"' { @[probemod, probefunc] = count(); }
	pid$target:libc:-:'"$exit"' { @[probemod, probefunc] = count(); }
	END { printa("%s %s %@d\n", @); }' -c './dynamic loop 7 loop 2'
expect_status 0
expect_err ""
expect_prints $'libc.so.6 - 1\ndynamic - 4\n'
traces dynamic
try "$DTRACE" -n 'pid$target:a.out:hidden:entry' -c './dynamic add 1'
expect_status 1
expect_match stderr "$err" "failed to lookup 'hidden' in module 'a.out'"
build stripped -O1
strip stripped
try "$DTRACE" -n 'pid$target:a.out:add:entry' -c './stripped add 1'
expect_status 1
expect_match stderr "$err" "failed to lookup 'add' in module 'a.out'"

# a symbol table in section .gnu_debugdata, as Fedora's programs have it
build mini -O1
objcopy --only-keep-debug mini mini.debug
nm mini.debug | awk '$2 ~ /[tT]/ { print $3 }' >names
objcopy -S --remove-section .comment --keep-symbols=names mini.debug mini.symbols || exit 1
xz mini.symbols
strip mini
objcopy --add-section .gnu_debugdata=mini.symbols.xz mini
traces mini

# a debug file of the name that section .gnu_debuglink has, beside the program and in .debug
build linked -O1
objcopy --only-keep-debug linked linked.debug
strip linked
objcopy --add-gnu-debuglink=linked.debug linked
traces linked
typed linked
mkdir .debug
mv linked.debug .debug
traces linked
typed linked
# one that belongs to another build is none
build other -O0
objcopy --only-keep-debug other .debug/linked.debug
try "$DTRACE" -n 'pid$target:a.out:hidden:entry' -c './linked add 1'
expect_status 1
expect_match stderr "$err" "failed to lookup 'hidden' in module 'a.out'"

# local symbols that are parts of functions, or are none, aren't listed
try "$DTRACE" -ln 'pid$target:a.out::entry' -c './fast add 1'
expect_match stdout "$out" ' add entry'
[[ $out != *@* && $out != *.* ]] || complain "names with . or @: $out"
[[ $(grep -c -E '(real|other)_name' out.txt) == 1 ]] || complain "aliases twice: $out"

finish
