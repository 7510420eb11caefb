#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where the kernel lacks function tracing, the description and -l say so; with -Z it is no error.
# @ref providers 4 lacking
. "${0%/*}/../lib.sh"

"$BUILD/tests/runner/has" kprobe >/dev/null && { echo "the kernel has function tracing"; exit 77; }
"$DTRACE" -n 'fbt::vfs_read:entry { }' >out.txt 2>err.txt && complain "enabled"
grep -q 'fbt::vfs_read:entry does not match any probes: the kernel has no function tracing' err.txt || complain "$(<err.txt)"
"$DTRACE" -lP fbt >out.txt 2>err.txt
grep -q 'the kernel has no function tracing' err.txt || complain "$(<err.txt)"
"$DTRACE" -qZn 'fbt::vfs_read:entry { } BEGIN { exit(0); }' >out.txt 2>err.txt || complain "-Z: $(<err.txt)"
exit $bad
