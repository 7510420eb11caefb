#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Samples anywhere: in the vDSO, in libcrypto's assembler code.
# @ref output 6 user-frame
# @timeout 40
# @vm no: the samples of a slow machine are too few
. "$SRCDIR/tests/live/ustack/whole.sh"
samples=$BUILD/tests/live/ustack/samples
whole '\[?vdso' "$samples" vdso 1 || exit 1
ldconfig -p | grep -q libcrypto.so.3 || exit 0
whole 'libcrypto' "$samples" crypto 3
