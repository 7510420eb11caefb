#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# freopen(): what is printed later goes to the end of that file, "" brings the first output back, a file that cannot be opened
# leaves the present one in force with a message but no ERROR; ftruncate() empties the file of the moment. In the order of the
# records.
# @ref d-builtins 4 freopen freopen-fails freopen-restores ftruncate
# @ref output 7 system-freopen-format; output 14 freopen-failure; output 15 freopen-appends freopen-restores freopen-failure ftruncate ftruncate-no-file
# @ref d-builtins 6 record-order ftruncate messages no-error-probe
# @ref d-errors 4 library
# @ref cli 2.2 freopen

fail() { echo "$1:"; head -n 20 out err a b one-2 2>/dev/null; exit 1; }
run() { rm -f a b out err; "$DTRACE" -w "$@" >out 2>err || fail "status $?"; }
is() { printf "$2" | cmp -s - "$1"; } # FILE TEXT

# there and back, to several files, also from END
run -q -n '
BEGIN { printf("1 out\n"); freopen("a"); printf("2 a\n"); freopen("b"); printf("3 b\n"); freopen("a"); printf("4 a\n"); }
BEGIN { printf("5 a\n"); freopen(""); printf("6 out\n"); freopen("b"); exit(0); }
END { printf("7 b\n"); freopen(""); printf("8 out\n"); }'
is out '1 out\n6 out\n8 out\n\n' && is a '2 a\n4 a\n5 a\n' && is b '3 b\n7 b\n' && [[ ! -s err ]] || fail "there and back"

# the last newline and the aggregations go where output goes; what the file held stays
rm -f a b
echo old >b
"$DTRACE" -w -q -n 'BEGIN { @["k"] = count(); printf("out\n"); freopen("b"); printf("new\n"); exit(0); }' >out 2>err || fail agg
is out 'out\n' && [[ $(<b) == $'old\nnew\n\n  k                                                                 1' ]] || fail "appended"

# "" without a freopen() before, and twice
run -q -n 'BEGIN { freopen(""); printf("1\n"); freopen("a"); freopen(""); freopen(""); printf("2\n"); exit(0); }'
is out '1\n2\n\n' && [[ -e a && ! -s a && ! -s err ]] || fail "nothing to bring back"

# a formatted name, and a name that is empty when it is known
run -q -n 'BEGIN { i = 2; s = "one"; e = ""; freopen("%s-%d", s, i); printf("x"); freopen("%s", e); printf("y"); exit(0); }'
is one-2 'x' && is out 'y\n' || fail "formatted"
rm -f one-2

# with -o the file of -o is the first output
rm -f o
run -q -o o -n 'BEGIN { printf("1"); freopen("a"); printf("2"); freopen(""); printf("3"); exit(0); }'
is o '13\n' && is a 2 && [[ ! -s out ]] || fail "-o"

# it cannot be opened: output stays where it is, from an earlier freopen() too
run -q -n '
BEGIN { printf("1\n"); freopen("no/such"); printf("2\n"); freopen("a"); printf("3\n"); }
BEGIN { freopen("/"); printf("4\n"); freopen("%s", "."); printf("5\n"); exit(0); }
ERROR { printf("not reached\n"); }'
is out '1\n2\n' && is a '3\n4\n5\n\n' || fail "not opened"
grep . err | diff - <(cat <<'E2'
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): couldn't freopen() "no/such": No such file or directory in action #2 at line 2
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): couldn't freopen() "/": Is a directory in action #1 at line 3
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): couldn't freopen() ".": Is a directory in action #3 at line 3
E2
) || fail "messages"

# not quiet: the columns of a record go where its start goes
run -n 'BEGIN { trace(1); freopen("a"); } BEGIN { trace(2); exit(0); }'
grep -Eq ':BEGIN +1 *$' out && ! grep -Eq ':BEGIN +2' out && grep -Eq ':BEGIN +2 *$' a || fail "columns"

# ftruncate() of the file of the moment
run -q -n 'BEGIN { printf("1"); ftruncate(); printf("2"); freopen("a"); printf("3"); freopen("b"); printf("4"); ftruncate(); printf("5");
	freopen("a"); printf("6"); freopen(""); printf("7"); exit(0); }'
is out '27\n' && is a 36 && is b 5 || fail "ftruncate"

# a pipe cannot be emptied
[[ $("$DTRACE" -q -n 'BEGIN { printf("1"); ftruncate(); printf("2"); exit(0); }' 2>err | cat) == 12 && ! -s err ]] ||
	fail "ftruncate of a pipe"
