#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The messages of new commits are as .ci/commit-msg wants them, and history is linear.
cd "$SRCDIR" || exit 1
since=dc45552da4373ebb1a22d42e28bddcc3f5436381 # older ones are not looked at
git rev-parse -q --verify "$since^{commit}" >/dev/null 2>&1 || { echo "the history is not here"; exit 77; }

check() { .ci/commit-msg <(printf '%b' "$1") 2>/dev/null; }
good='Say why\n\nBecause it was not said before.\n'
for text in "$good" 'fixup! Say why\n' "# comment\n$good"; do
	check "$text" || { echo "refused: $text"; bad=1; }
done
long=$(printf 'x%.0s' {1..73})
for text in '' 'Say why\n' 'Say why.\n\nBecause it was not said before.\n' 'Say why\nBecause it was not said before.\n' \
	"$long\n\nBecause it was not said before.\n" 'Say why\n\nTests.\n'; do
	! check "$text" || { echo "not refused: $text"; bad=1; }
done

for commit in $(git rev-list "$since..HEAD"); do
	.ci/commit-msg <(git log -1 --format=%B "$commit") 2>&1 || bad=1
	[[ $(git log -1 --format=%P "$commit" | wc -w) == 1 ]] || { echo "$commit is a merge"; bad=1; }
done
exit ${bad:-0}
