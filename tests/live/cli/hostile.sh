#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A sample of "make check-hostile": requests fail, and dtrace ends with a message and a status, not by a signal, and without
# leaks; reads and writes of a part, and interrupted calls, change nothing.
# @timeout 300
# @vm no: it does not depend on the kernel
# @slow
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v openssl >/dev/null || { echo "needs openssl"; exit 77; }
# one of each of some fifty system calls
COMMANDS=2 MOST=1 SEED=$RANDOM "$SRCDIR/tests/stress/hostile" syscall || exit 1
COMMANDS=3 MOST=2 SEED=$RANDOM exec "$SRCDIR/tests/stress/hostile" alloc limit partial signal
