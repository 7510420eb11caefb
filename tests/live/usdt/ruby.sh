#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Probes for whose arguments Ruby 3.1 itself fails, with any tracer: they are left out, counted and refused by name.
# @needs ruby
# @timeout 90
# @ref providers 15 create-failed
set -u
. "${0%/*}/lib.sh"
ruby=$(readlink -f "$(command -v ruby)")
for f in "$ruby" $(ldd "$ruby" | awk '/libruby/ { print $3 }'); do
	readelf -n "$f" 2>/dev/null | grep -q 'Name: cmethod__entry' && noted=$f
done
[[ ${noted-} ]] || { echo "this ruby has no static probes of methods in C"; exit 77; }

# It defines classes. With these probes a run in ten ends by SIGABRT: so the kernel must not count their semaphores.
why='what the program itself does for this probe can end it \(-x force enables it nevertheless\)'
try "$DTRACE" -qn 'ruby$target::: { @[probename] = count(); } END { printa("%s\n", @); }' -c "ruby -rset -roptparse -e 'puts 42'"
expect_status 0
expect_match stdout "$out" '^42
'
expect_match stdout "$out" '
string-create
'
[[ $out != *cmethod-* ]] || complain "cmethod-entry fires"
expect_match stderr "$err" "of the probes are not enabled: $why"
try "$DTRACE" -x errtags -n 'ruby$target:::cmethod-return' -c "ruby -e 0"
expect_status 1
expect_match stderr "$err" "\\[D_PROC_CREATEFAIL\\] failed to create static probe 'ruby:cmethod-return': $why"
try "$DTRACE" -qx force -n 'ruby$target:::cmethod-entry { @ = count(); } END { printa("%@d\n", @); }' -c "ruby --disable=gems -e '42.to_s'"
expect_match stdout "$out" '^[0-9]+
'
finish
