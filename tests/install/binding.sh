#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A language binding's way in: binding.py, which knows nothing but the classic names and layouts.
[[ $(id -u) == 0 ]] || { echo "skip: needs root"; exit 77; }
[[ $BUILD != *-san ]] || { echo "skip: Python can't load a library with sanitizers"; exit 77; }
command -v python3 >/dev/null || { echo "skip: no python3"; exit 77; }
exec python3 "$SRCDIR/tests/install/binding.py" "$BUILD/libdtrace.so" \
	"$BUILD/tests/live/triggers/calls" getppid 7
