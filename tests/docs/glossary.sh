#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each word of docs/glossary.md is used in the files that it names, and they exist; the words are in order.
cd "$SRCDIR" || exit 1
failed=0
complain() { echo "$*"; failed=1; }
words=$(sed -nE 's/^\| ([a-z]+) \|.*/\1/p' docs/glossary.md | tail -n +2)
[[ $(wc -l <<<"$words") -ge 15 ]] || complain "docs/glossary.md has $(wc -l <<<"$words") words"
sort -cu <<<"$words" 2>/dev/null || complain "the words are not in order"
while IFS='|' read -r _ word meaning where _; do
	word=${word// /}
	[[ $meaning == *[a-z]* ]] || complain "$word has no meaning"
	files=$(grep -oE '`(src|include)/[^`]+`' <<<"$where" | tr -d '`')
	[[ -n $files ]] || complain "$word names no file"
	for file in $files; do
		[[ -e $file ]] || complain "$word: there is no $file"
	done
	# shellcheck disable=SC2086 # paths without blanks
	grep -rqi "$word" $files || complain "$word is not used in ${files//$'\n'/, }"
done < <(grep -E '^\| [a-z]+ \| ' docs/glossary.md | tail -n +2)
exit $failed
