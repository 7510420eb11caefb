#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions of C++: by their names in the symbol table, args[0] being what "this" points to; references are pointers.
# @needs g++
# @vm no: compilers take long there
# @ref providers 15 typed-args
# @ref d-errors 2.6 D_ARGS_TYPE D_ARGS_IDX
set -u
. "${0%/*}/lib.sh"

g++ -g -O1 -o cplus "$src/cplus.cc" || exit 1

try "$DTRACE" -qn 'pid$target:a.out:_ZN4shop4Cart3putERKNS_4ItemEj:entry
	{
		printf("%d %d %s %d %d\n", args[0]->limit_, args[0]->used_, stringof(args[1]->label), args[1]->price, args[2]);
		self->cart = args[0];
	}
	pid$target:a.out:_ZN4shop4Cart3putERKNS_4ItemEj:return
	{
		printf("%d %s\n", args[1], stringof(self->cart->last_.label));
		print(self->cart->last_.price);
	}
	pid$target::_ZN4shop4Cart5countEl:entry { printf("%d\n", args[0]); }
	pid$target::_ZN4shop4Cart5countEl:return { printf("%d\n", args[1]); }
	pid$target:a.out:*twice*:entry { printf("%s %d\n", probefunc, args[0]); }
	pid$target::plain:entry { printf("%s\n", stringof(args[0]->label)); }' -c ./cplus
expect_status 0
expect_err ""
expect_text stdout "$(sed -E 's/^ +//' out.txt)" '10 0 apple 3 1
9 apple
(int)3,
10 1 pear 4 2
7 pear
(int)4,
1
2
int shop::twice<int>(int) 4
apple'

# values in vector registers, in two registers or in memory are no args[]
for f in mixed by_value big_value; do
	try "$DTRACE" -x errtags -n 'pid$target::'$f':entry { trace(args[0]); }' -c "$here/types"
	expect_status 1
	expect_match stderr "$err" "\\[D_ARGS_TYPE\\] in action list: failed to resolve the type of args\\[0\\] of pid[0-9]+:types:$f:entry"
done
try "$DTRACE" -x errtags -n 'pid$target::mixed:return { trace(args[1]); }' -c "$here/types"
expect_status 1
expect_match stderr "$err" "\\[D_ARGS_TYPE\\] in action list: failed to resolve the type of args\\[1\\] of pid[0-9]+:types:mixed:return"

# what isn't there
try "$DTRACE" -x errtags -n 'pid$target::nothing:return { trace(args[1]); }' -c "$here/types"
expect_status 1
expect_match stderr "$err" '\[D_ARGS_IDX\] in action list: index 1 is out of range for pid[0-9]+:types:nothing:return args\[ \]'
try "$DTRACE" -x errtags -n 'pid$target::handle:entry { trace(args[0]->nosuch); }' -c "$here/types"
expect_status 1
expect_match stderr "$err" '\[D_TYPE_MEMBER\] in action list: nosuch is not a member of struct outer'

# no debug information, no args[]; arg0 is what it was
objcopy -g "$here/types" plain
try "$DTRACE" -x errtags -n 'pid$target:a.out:handle:entry { trace(args[2]); }' -c ./plain
expect_status 1
expect_match stderr "$err" '\[D_ARGS_IDX\] in action list: '
try "$DTRACE" -qn 'pid$target:a.out:handle:entry { printf("%s %d\n", copyinstr(arg1), arg2); }' -c ./plain
expect_out $'passed 5\n\n'

finish
