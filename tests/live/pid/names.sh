#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which modules, functions and names a description means, as -l shows them.
# @ref providers 15 a.out-module real-name short-name empty-fields globs link-map row-shows-real-name aliases no-function offset-glob symbol-filters instruction-boundaries provider-globs
set -u
. "${0%/*}/lib.sh"

# What DESCRIPTION lists, a line each: MODULE FUNCTION NAME
lists() { # DESCRIPTION WANT
	try "$DTRACE" -ln "$1" -c "$here/work add 1"
	expect_err ""
	expect_text listed "$(awk 'NR > 1 { print $3, $4, $5 }' out.txt | sort)" "$2"
}

add=$'work add entry\nwork add return'
lists 'pid$target:a.out:add:entry,pid$target:a.out:add:return' "$add"
lists 'pid$target:work:add:[er]*' "$add"
lists 'pid$target::add:[er]*' "$add"
lists 'pid$target:*:add:[er]*' "$add"
lists 'pid$target:w?r[k]:a[a-d]d:e*y' 'work add entry'
lists 'pid$target:a.out:refused:' $'work refused 0\nwork refused 1\nwork refused 8\nwork refused entry\nwork refused return'
lists 'pid$target:a.out:refused:*' $'work refused 0\nwork refused 1\nwork refused 8\nwork refused entry\nwork refused return'
lists 'pid$target:a.out:loop:[0-9a-f]*' $'work loop 0\nwork loop 3\nwork loop 4\nwork loop 7\nwork loop 9'
lists 'pid$target:a.out:loop:?' $'work loop 0\nwork loop 3\nwork loop 4\nwork loop 7\nwork loop 9'
lists 'pid$target:a.out:loop:3,pid$target:a.out:loop:9' $'work loop 3\nwork loop 9'

# both names of one place by their names, one by a pattern for both, the matching one by a pattern for one
lists 'pid$target::real_name:entry,pid$target::other_name:entry' $'work other_name entry\nwork real_name entry'
lists 'pid$target:a.out:other_*:entry' 'work other_name entry'
lists 'pid$target:a.out:real_*:entry' 'work real_name entry'
try "$DTRACE" -ln 'pid$target:a.out:*_name:entry' -c "$here/work add 1"
expect_text "lines for both" "$(wc -l <out.txt)" 2

# a library by its file's name and what that begins with; LM0 is what the program was started with
for m in libc.so.6 libc libc.so 'libc.so*' 'l?bc' 'LM0`libc.so.6' ''; do
	lists 'pid$target:'"$m"':getppid:entry' 'libc.so.6 getppid entry'
done
lists 'pid$target:ld-linux-x86-64.so.2:_dl_allocate_tls:entry' 'ld-linux-x86-64.so.2 _dl_allocate_tls entry'

# all of a program: what is defined in it, nothing twice
try "$DTRACE" -ln 'pid$target:a.out::entry' -c "$here/work add 1"
expect_err ""
awk 'NR > 1 { print $4 }' out.txt | sort >listed
nm "$here/work" | awk '$2 ~ /[tT]/ { print $3 }' | sort >symbols
expect_text "listed and no symbol" "$(comm -23 listed symbols)" ""
expect_text "listed twice" "$(uniq -d listed)" ""
for f in _start main add hidden depth ten loop; do
	grep -qx "$f" listed || complain "$f is not listed"
done
# entry and return of everything: the program, libc, the dynamic linker; the vdso has no file
try "$DTRACE" -ln 'pid$target:::entry' -c "$here/work add 1"
expect_text modules "$(awk 'NR > 1 { print $3 }' out.txt | sort -u)" $'ld-linux-x86-64.so.2\nlibc.so.6\nwork'

# a provider with a wildcard means every process; with a number at its end, that one
"$here/work" sleep 20000 >/dev/null &
other=$!
for d in 'pid*:work:add:entry' "pid*:$(readlink -f "$here/work"):add:entry"; do
	try "$DTRACE" -ln "$d" -c "$here/work add 1"
	expect_match listed "$out" 'add entry'
	[[ $(awk -v p="pid$other" '$2 == p' out.txt | wc -l) == 1 ]] || complain "$d lists not $other: $out"
	[[ $(grep -c 'add entry' out.txt) -ge 2 ]] || complain "$d lists not the target: $out"
done
kill $other
wait $other 2>/dev/null
for p in 'p*d$target' '*$target' '?id$target'; do
	lists "$p:work:add:entry" 'work add entry'
done
lists "pid\$target:$(readlink -f "$here/work"):add:entry" 'work add entry'

# -v: attributes and types; what a firing costs depends on the compiler
try "$DTRACE" -lvvn 'pid$target:a.out:negative:entry,pid$target:a.out:negative:return' -c "$here/work add 1"
expect_text "-lvv" "$(tr -s '\n' <out.txt | sed -E '1d; /^\tCost$/{N; d}; s/^ *[0-9]+ +pid[0-9]+ +/ID pidN /; s/  +/ /g')" \
	'ID pidN work negative entry
	Probe Description Attributes
		Identifier Names: Private
		Data Semantics: Private
		Dependency Class: Unknown
	Argument Attributes
		Identifier Names: Private
		Data Semantics: Private
		Dependency Class: Unknown
	Argument Types
		args[0]: int
	Argument Names
		args[0]: n
ID pidN work negative return
	Probe Description Attributes
		Identifier Names: Private
		Data Semantics: Private
		Dependency Class: Unknown
	Argument Attributes
		Identifier Names: Private
		Data Semantics: Private
		Dependency Class: Unknown
	Argument Types
		args[0]: unsigned long
		args[1]: int'

finish
