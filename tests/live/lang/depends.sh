#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# depends_on: in a library what is absent skips it; in a program it is an error.
# @vm no: the compiler alone
# @ref d-language 18 depends-on depends-on-absent depends-on-library
# @ref cli 7 depends-reorders unmet-skipped unmet-library-skipped program-requires
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

mkdir libs
printf '#pragma D depends_on provider nosuch\ninline int FIRST = 1;\n' >libs/a.d
printf '#pragma D depends_on provider syscall\n#pragma D depends_on module vmlinux\ninline int SECOND = 2;\n' >libs/b.d
printf '#pragma D depends_on library z.d\ninline int THIRD = LAST + 1;\n' >libs/c.d
printf 'inline int LAST = 40;\n' >libs/z.d
printf '#pragma D depends_on library nosuch.d\ninline int FOURTH = 1;\n' >libs/d.d

try "$DTRACE" -L libs -qn 'BEGIN { printf("%d %d", SECOND, THIRD); exit(0); }'
expect_status 0
expect_err ""
expect_out $'2 41\n'
for skipped in FIRST FOURTH; do
	try "$DTRACE" -L libs -x errtags -qn "BEGIN { trace($skipped); exit(0); }"
	expect_status 1
	expect_match stderr "$err" '\[D_IDENT_UNDEF\]'
done

printf '#pragma D depends_on provider syscall\n#pragma D depends_on module vmlinux\nBEGIN\n{\n\ttrace(1);\n\texit(0);\n}\n' >p.d
try "$DTRACE" -qs p.d
expect_status 0
expect_out $'1\n'
for line in 'provider nosuch' 'module nosuch' 'library z.d'; do
	printf '#pragma D depends_on %s\nBEGIN\n{\n\texit(0);\n}\n' "$line" >p.d
	try "$DTRACE" -L libs -x errtags -qs p.d
	expect_status 1
	expect_match stderr "$err" '\[D_PRAGMA_DEPEND\] line 1: '
done
finish
