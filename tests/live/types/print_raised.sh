#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setopt("printsize") with a value that is known only at run time may raise it, too; JSON has the same members. A value that
# is none changes nothing.
# @ref d-builtins 6 setopt-printsize
set -u

cat >raise.d <<'D'
struct s { long a, b, c; } s;
BEGIN
{
	s.a = 1;
	s.b = 2;
	s.c = 3;
	print(s);
	n = "2";
	setopt("printsize", strjoin(n, "4"));
	print(s);
	setopt("printsize", "none");
	print(s);
	exit(0);
}
D
"$DTRACE" -q -x printsize=8 -s raise.d >out 2>err
[[ $(grep -c '\.b = (long)2' out) == 2 && $(grep -c '\.\.\.' out) == 1 ]] || { cat out err; exit 1; }
grep -q "couldn't set option \"printsize\" to \"none\"" err || { cat err; exit 1; }
"$DTRACE" -q -x printsize=8 -x oformat=json -s raise.d >out 2>err
[[ $(grep -o '"member-name":"b","value":2' out | wc -l) == 2 ]] || { cat out err; exit 1; }
