#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The examples of docs/where.md: each diff changes the file that the page names, applies, builds, and passes its test.
# The page lists every diff of docs/where. Arguments: only these ("new-option").
# @timeout 420
# @alone
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
git=(git -C "$SRCDIR" -c safe.directory="$SRCDIR")
"${git[@]}" rev-parse HEAD >/dev/null 2>&1 || { echo "needs git and its files"; exit 77; }
B=${BUILD##*/}
scratch=$TMPDIR/where
make=(make --no-print-directory -j"$(nproc)" WERROR=1)
[[ $B != *-san ]] || make+=(SAN=1)
failed=0

complain() {
	failed=1
	echo "$*"
}

# ---- the page: "| question | file, file | [diff](where/NAME.diff) |"

names=()
while IFS='|' read -r _ question files link _; do
	name=$(sed -nE 's|.*\(where/([a-z-]+)\.diff\).*|\1|p' <<<"$link")
	[[ -n $name ]] || { complain "docs/where.md has no diff for:$question"; continue; }
	names+=("$name")
	diff=$SRCDIR/docs/where/$name.diff
	[[ -e $diff ]] || { complain "docs/where/$name.diff does not exist"; continue; }
	changed=$(sed -nE 's|^\+\+\+ b/||p' "$diff")
	for file in $(grep -oE '`[^`]+`' <<<"$files" | tr -d '`'); do
		grep -qxF "$file" <<<"$changed" || complain "docs/where.md names $file, which $name.diff does not change"
	done
	for header in Subject Test; do
		sed '/^diff /q' "$diff" | grep -q "^$header: ." || complain "docs/where/$name.diff has no line '$header: ...'"
	done
done < <(grep -E '^\|.*\|$' "$SRCDIR/docs/where.md" | tail -n +3)
[[ ${#names[@]} -ge 8 ]] || complain "docs/where.md has ${#names[@]} examples, not 8 or more"
for diff in "$SRCDIR"/docs/where/*.diff; do
	name=${diff##*/}
	[[ " ${names[*]} " == *" ${name%.diff} "* ]] || complain "docs/where.md does not list $name"
done

# ---- a copy of the sources and of what was built, for each diff a copy of that

copy_tree() {
	local part
	mkdir -p "$scratch/tree/$B/tests"
	"${git[@]}" ls-files -z -co --exclude-standard | (cd "$SRCDIR" && tar --null -T - -cf - --ignore-failed-read 2>"$scratch/tar.err") |
		tar -C "$scratch/tree" -xf -
	for part in src checked cmd objs internal.a checked.a libdtrace.a libdtrace.o dtrace tests/runner tests/live; do
		cp -a "$BUILD/$part" "$scratch/tree/$B/$part" || return 1
	done
	ln -sfn "$scratch/work/dlib" "$scratch/tree/$B/dlib"
	# once for all, if the sources are newer
	(cd "$scratch/tree" && "${make[@]}" "$B/dtrace") >make.log 2>&1 || { tail -n 30 make.log; return 1; }
}

# Apply, build what the test needs, test. In the copy.
try() { # DIFF TEST
	local test=$2 source
	local -a targets=("$B/dtrace")
	git apply --whitespace=nowarn "$1" || return 1
	case $test in
	tests/unit/*) targets+=("$B/${test%.c}") ;;
	tests/golden/output/*) targets+=("$B/tests/golden/output/records") ;;
	esac
	for source in $(sed -nE 's|^\+\+\+ b/(tests/live/.*)\.c$|\1|p' "$1"); do
		targets+=("$B/$source")
	done
	"${make[@]}" "${targets[@]}" >make.log 2>&1 || { tail -n 30 make.log; return 1; }
	env -u DTRACE BUILD="$PWD/$B" tests/run "$test" >run.log 2>&1
	cat run.log
	grep -qE '^(1 passed, 0 failed, 0|0 passed, 0 failed, 1) skipped$' run.log
}

mkdir -p "$scratch"
cd "$scratch" || exit 1
copy_tree || { echo "cannot copy the tree"; exit 1; }
for name in "${@:-${names[@]}}"; do
	diff=$SRCDIR/docs/where/$name.diff
	test=$(sed -nE '/^diff /q; s/^Test: *//p' "$diff")
	start=$SECONDS
	rm -rf work && cp -a tree work
	(cd work && try "$diff" "$test") >log 2>&1 || complain "docs/where/$name.diff, $test: $(<log)"
	echo "$name: $test, $((SECONDS - start)) s"
done
cd / && rm -rf "$scratch"
exit $failed
