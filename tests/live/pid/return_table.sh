#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Nothing unwinds through the functions whose return addresses are exchanged: derived from the code of this libc.
# @needs objdump python3 readelf
# @vm no: it is about libc, not about the kernel
set -u
. "${0%/*}/lib.sh"

libc=$(ldd "$DTRACE" | sed -n 's/.*libc\.so\.6 => \([^ ]*\) .*/\1/p')
try python3 "$src/return_table.py" "$SRCDIR/src/prov/returns.def" "$libc"
expect_status 0
expect_out ""
expect_err ""

finish
