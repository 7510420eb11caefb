#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The flow of open(2) through the kernel, as the classic script has it; of the functions those that have to do with
# opening, for a guest that interprets takes long with all of them.
# @ref providers 4 flow
# @needs kprobe
. "${0%/*}/../lib.sh"
# on one layer: the functions are called once for each that a file system has
[[ -z ${DTRACE_VM:-} ]] || export TMPDIR=/run

# its name before Linux 7.0, and since
grep -q ' do_filp_open$' /proc/kallsyms && first=do_filp_open || first=do_file_open
"$SRCDIR/tests/runner/one_cpu" "$DTRACE" -F -o flow.txt -c "$triggers/files 1" -n 'syscall::open*:entry /threadname == "filer"/ { self->t = 1; }
	syscall::open*:return /self->t/ { self->t = 0; }
	fbt::'$first':, fbt::path_openat:, fbt::vfs_open: /self->t/ { }' >out.txt 2>&1 || complain "status $?: $(<out.txt)"
awk '$2 == "->" || $2 == "<-" { print $2, $3 }' flow.txt >calls.txt
# a file may be opened in layers: what is in the middle is not asked for. The clauses on open(2) itself say nothing.
[[ $(head -n 2 calls.txt) ==  "-> $first"$'\n-> path_openat' ]] || complain "calls: $(head -n 12 flow.txt)"
for line in '-> vfs_open' '<- vfs_open' '<- path_openat' "<- $first"; do
	grep -qxF -e "$line" calls.txt || complain "no $line: $(head -n 20 flow.txt)"
done
! grep -q '[=]> open' flow.txt || complain "open(2) is shown: $(head -n 8 flow.txt)"
grep -qE "^ *[0-9]+  -> $first" flow.txt && grep -qE '^ *[0-9]+    -> path_openat' flow.txt ||
	complain "indentation: $(head -n 8 flow.txt)"
exit $bad
