#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/coverage itself, on a small tree: rows, tags of every kind of test, tags that name nothing, rows without a test.
set -u
: "${TMPDIR:?}" "${SRCDIR:?}"
T=$(mktemp -d "$TMPDIR/tree.XXXXXX") || exit 1
cd "$T" || exit 1
mkdir -p tests/{live,golden,unit}
cp "$SRCDIR/tests/coverage" tests/

failed=0
expect() { # WHAT GOT WANT
	[[ $2 == "$3" ]] && return
	failed=1
	printf '%s, got:\n%s\nexpected:\n%s\n' "$1" "$2" "$3"
}
run() {
	out=$(tests/coverage "$@" 2>err)
	status=$?
	err=$(<err)
}
row() { grep "^| $1 " <<<"$page"; }

cat >tests/reference.txt <<'END'
# a comment
+ other
= one 1 The first
one 1 a P
one 1 b
= one 2.1 The second
one 2.1 a
= two 2 Another file
two 2 c P
END
printf '/*\n * Text.\n * @ref one 1 a b\n * @ref other 7.1 x\n */\nBEGIN { }\n' >tests/live/x.d
printf '#!/bin/sh\n# Text.\n# @ref one 1 b; one 2 ; two 2\necho "@ref one 9"\n' >tests/live/y.sh
printf '// SPDX\n/*\n * Text.\n * @ref two 2 c\n */\nint main(void) { return 0; }\n' >tests/unit/test_z.c
run
page=$out
expect status $status 0
expect counts "$err" '4 rows, 1 without a test; of 2 marked P, 0'
expect 'one test' "$(row a | head -n 1)" '| a | P | live/x.d |'
expect 'two tests' "$(row b)" '| b |  | live/x.d, live/y.sh |'
expect 'no test' "$(row a | tail -n 1)" '| a |  | (none) |'
expect 'unit test' "$(row c)" '| c | P | unit/test_z.c |'
expect 'a section' "$(grep '^As a whole' <<<"$page")" 'As a whole: live/y.sh'
run -n
expect 'rows without' "$out" 'one 2.1 a '
run -c
expect 'a row without a test' $status 1
expect 'a row without a test' "$out$err" 'tests/reference.txt: one 2.1 a has no test
4 rows, 1 without a test; of 2 marked P, 0'
sed -i 's/^one 2.1 a$/& N/' tests/reference.txt
run -c
expect 'a row marked N' $status 0
run -n
expect 'rows without' "$out" 'one 2.1 a N'

# on the line that ends the comment, several there
printf '/*\n * Text.\n * @ref one 2.1 a; one 1 b */\n' >tests/golden/w.d
run -c
expect 'a row marked N with a test' $status 1
[[ $err == *'one 2.1 a is marked N and has a test: golden/w.d'* ]] || expect message "$err" 'is marked N'
sed -i 's/^one 2.1 a N$/one 2.1 a/' tests/reference.txt
run -c
expect 'every row has a test' $status 0
expect counts "$err" '4 rows, 0 without a test; of 2 marked P, 0'

# what names nothing
for tag in 'one 1 nosuch' 'one 3' 'three 1' 'one' 'one 2.2 a'; do
	printf '/*\n * @ref %s\n */\n' "$tag" >tests/live/bad.d
	run
	expect "$tag" $status 1
	[[ $err == *tests/live/bad.d:2:* ]] || expect "$tag, message" "$err" 'tests/live/bad.d:2: ...'
done
rm tests/live/bad.d
echo 'one 1 a' >>tests/reference.txt
run
expect 'a row twice' $status 1
exit $failed
