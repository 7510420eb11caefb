#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# The fuzzers over their corpus, and some mutations of it; more where a sanitizer watches.
runs=300
[[ $BUILD == *-san ]] && runs=4000
cd "$SRCDIR/tests/fuzz" || exit 1
status=0
unlisted=$(comm -3 <(printf '%s\n' fuzz_*.c | sed 's/fuzz_\(.*\)\.c/\1/' | sort) <(awk '/^[a-z]/ { print $1 }' stages | sort))
[[ -z $unlisted ]] || { echo "only a program or only a line in tests/fuzz/stages:" $unlisted; status=1; }
while read -r stage folder _; do
	[[ -n $stage && $stage != \#* ]] || continue
	"$BUILD/tests/fuzz/fuzz_$stage" -r "$runs" "corpus/$folder" || { echo "fuzz_$stage: status $?"; status=1; }
done <stages
exit $status
