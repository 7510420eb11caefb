#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# clang-format has nothing to change. Versions differ in taste: the one of Debian 12 decides.
cd "$SRCDIR" || exit 1
tool=$(command -v clang-format-14 || command -v clang-format) || { echo "skip: no clang-format"; exit 77; }
version=$("$tool" --version | sed -nE 's/.*version ([0-9]+).*/\1/p')
[[ $version == 14 ]] || { echo "skip: clang-format is version $version, not 14"; exit 77; }
find include src cmd tests bench -name '*.[ch]' -print0 | xargs -0 "$tool" --dry-run --Werror 2>&1 |
	awk -F: '/error:/ { n[$1]++ } END { for (f in n) { print f ": clang-format would change " n[f] " places"; bad = 1 } exit bad }'
