#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @alone
# Real programs' own tests end as if they were not traced: the sample of make check-unchanged, whose sources are downloaded once.
# @timeout 300
# @vm no: make check-unchanged runs it there
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
"$SRCDIR/tests/unchanged/run" -s | tee out.txt
status=${PIPESTATUS[0]}
[[ $(tail -n 1 out.txt) != "0 passed, 0 failed,"* ]] || { echo "no suite can be had: $(head -n 1 out.txt)"; exit 77; }
exit "$status"
