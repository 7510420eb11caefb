#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every path of this repository that a document names exists, and so does the target of every link.
# A pattern (src/load/attach*.c) must match a file.  A word in capitals (src/prov/NAME.c) is a placeholder: the path
# before it must exist.  A program of bench/ or examples/ can be named without its suffix.
# docs/README.md leads to every page.
# A page lists the paths of its worked examples in a comment: <!-- elsewhere: PATH ... -->
cd "$SRCDIR" || exit 1
status=0 seen=0

exists() { # PATH
	local path=${1%/}
	while [[ $path =~ ^(.*)/[A-Z]+(\.[a-z.]+|/.*)?$ && ! -e $path ]]; do path=${BASH_REMATCH[1]}; done
	compgen -G "$path" >/dev/null || { [[ $path == bench/* || $path == examples/* ]] && [[ -e $path.c ]]; }
}

for page in *.md docs/*.md docs/*/*.md docs/*.[578] docs/*.3.in; do
	elsewhere=$(sed -n 's/^<!-- elsewhere: \(.*\) -->$/\1/p' "$page")
	# paths in the text, from the top folder
	while read -r path; do
		seen=$((seen + 1))
		exists "$path" || [[ " $elsewhere " == *" $path "* ]] || { echo "$page names $path"; status=1; }
	done < <(grep -oE '(^|[^A-Za-z0-9_/.$}-])(src|tests|docs|include|cmd|dlib|bench|examples|tools)/[A-Za-z0-9_./*-]*[A-Za-z0-9_/*]' "$page" |
		sed -E 's/^[^a-z]//' | sort -u)
	# links, from the page's own folder
	while read -r link; do
		seen=$((seen + 1))
		[[ -e ${page%/*}/$link || ( $page != */* && -e $link ) ]] || { echo "$page links to $link"; status=1; }
	done < <(grep -oE '\]\([^)# ]+' "$page" | cut -c3- | grep -v '://' | sort -u)
done
# the index, and the index pages that it links to, link to every page
for page in docs/*.md; do
	[[ $page == docs/README.md ]] || grep -qF "](${page##*/}" docs/README.md docs/programs.md docs/internals.md ||
		{ echo "docs/README.md does not lead to $page"; status=1; }
done
[[ $seen -ge 100 ]] || { echo "only $seen paths found"; exit 1; }
exit $status
