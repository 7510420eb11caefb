#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# The fuzzers over their corpus, and some mutations of it; more where a sanitizer watches.
runs=300
[[ $BUILD == *-san ]] && runs=4000
cd "$SRCDIR/tests/fuzz" || exit 1
status=0
while read -r stage folder _; do
	[[ -n $stage && $stage != \#* ]] || continue
	"$BUILD/tests/fuzz/fuzz_$stage" -r "$runs" "corpus/$folder" || { echo "fuzz_$stage: status $?"; status=1; }
done <stages
exit $status
