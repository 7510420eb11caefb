#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A sample of "make check-races": no races are found while user stacks are prepared and progress is shown.  It takes the build
# with ThreadSanitizer as "make check-races" or "make SAN=thread" has left it, and makes none: that is all of dtrace again.
# @timeout 120
# @vm no: it does not depend on the kernel
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
tsan=$SRCDIR/build-tsan
[[ -x $tsan/dtrace ]] || { echo "needs build-tsan/dtrace (make SAN=thread)"; exit 77; }
newer=$(find "$SRCDIR/src" "$SRCDIR/cmd" "$SRCDIR/include" -name '*.[ch]' -newer "$tsan/dtrace" -print -quit)
[[ -z $newer ]] || { echo "build-tsan/dtrace is older than ${newer#"$SRCDIR/"} (make SAN=thread)"; exit 77; }
BUILD=$tsan COMMANDS=3 exec "$SRCDIR/tests/stress/races"
