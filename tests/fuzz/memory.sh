#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: valgrind
# Inputs that fuzzers have found to read memory that is nobody's: without sanitizers only valgrind sees that.
set -u

command -v valgrind >/dev/null || { echo "needs valgrind"; exit 77; }
[[ $BUILD != *-san ]] || { echo "sanitizers and valgrind exclude each other"; exit 77; }
valgrind -q --error-exitcode=9 "$BUILD/tests/fuzz/fuzz_dwarf" "$SRCDIR"/tests/fuzz/corpus/dwarf/{name_at_the_end,open_str,strx_end,unit_too_long}
