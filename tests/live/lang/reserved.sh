#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No word of the language names a variable; after -> each is a name like others.
# @vm no: the compiler alone
# @ref d-language 1.4 reserved-not-variables reserved-as-members
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

for word in auto break case char const continue counter default do double else enum extern float for goto if import \
	inline int long offsetof probe provider register restrict return self short signed sizeof static string stringof \
	struct switch this translator typedef union unsigned void volatile while xlate; do
	try "$DTRACE" -x errtags -en "BEGIN { $word = 1; }"
	expect_status 1
	expect_match stderr "$err" '\[D_SYNTAX\]'
	try "$DTRACE" -x errtags -en "BEGIN { trace(curthread->$word); }"
	expect_status 1
	expect_match stderr "$err" "\[D_TYPE_MEMBER\] .*$word is not a member of struct task_struct"
done
finish
