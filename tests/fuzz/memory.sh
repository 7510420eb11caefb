#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: valgrind
# @timeout 180
# The corpora, and in them the inputs that fuzzers have found to read memory that is nobody's: without sanitizers only
# valgrind sees that.
# @slow
set -u

command -v valgrind >/dev/null || { echo "needs valgrind"; exit 77; }
[[ $BUILD != *-san ]] || { echo "sanitizers and valgrind exclude each other"; exit 77; }
bad=0
while read -r stage folder _; do
	[[ -n $stage && $stage != \#* ]] || continue
	valgrind -q --error-exitcode=9 "$BUILD/tests/fuzz/fuzz_$stage" "$SRCDIR/tests/fuzz/corpus/$folder"/* || { echo "stage $stage"; bad=1; }
done <"$SRCDIR/tests/fuzz/stages"
exit $bad
