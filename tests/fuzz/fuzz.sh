#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# The fuzzers over their corpus, and some mutations of it; more where a sanitizer watches.
runs=300
[[ $BUILD == *-san ]] && runs=4000
cd "$SRCDIR/tests/fuzz/corpus" || exit 1
status=0
for f in dwarf:dwarf parse:d compile:d record:record format:format notes:notes view:view; do
	"$BUILD/tests/fuzz/fuzz_${f%:*}" -r "$runs" "${f#*:}" || { echo "fuzz_${f%:*}: status $?"; status=1; }
done
exit $status
