#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tree of the functions that a program calls between the return of mmap(2) and the munmap(2) of what it gave.
# @ref providers 15 empty-fields return-each-call; output 5 indent-printed
set -u
. "${0%/*}/lib.sh"
# without uprobe.multi all functions of libc are attached to one by one, and there for too long
[[ -z ${DTRACE_VM-} ]] || "$DTRACE" --doctor | grep -qE '^uprobe_multi +ok' || { echo "not in the virtual machine: it attaches one by one"; exit 77; }

# shellcheck disable=SC2016
try "$SRCDIR/tests/runner/one_cpu" "$DTRACE" -F -x switchrate=10hz -n '
syscall::mmap:return /pid == $target && !self->addr && arg1 > 0/ { self->addr = arg1; }
syscall::munmap:entry /self->addr && arg0 == self->addr/ { self->addr = 0; exit(0); }
pid$target:::entry, pid$target:::return /self->addr && probemod == "memory"/ { printf("%s`%s", probemod, probefunc); }
pid$target:::entry, pid$target:::return /self->addr && probemod != "memory"/ { others++; }' -c "$here/memory span"
expect_status 0
# without the CPU and the width of columns; the program calls syscall(3) itself, and that is libc's
expect_text tree "$(sed -nE 's/^ *[0-9]+( *(->|<-) .*)/\1/p' out.txt | sed -E 's/ {2,}(memory`)/ \1/')" \
'  -> grow memory`grow
    -> leaf memory`leaf
    <- leaf memory`leaf
    -> leaf memory`leaf
    <- leaf memory`leaf
  <- grow memory`grow'
finish
