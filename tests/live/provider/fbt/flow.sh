#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The flow of open(2) through the kernel, as the classic script has it; of the functions those that have to do with
# opening, for a guest that interprets takes long with all of them.
# @ref providers 4 flow
# @needs kprobe
. "${0%/*}/../lib.sh"
# on one layer: the functions are called once for each that a file system has
[[ -z ${DTRACE_VM:-} ]] || export TMPDIR=/run

"$DTRACE" -F -o flow.txt -c "$triggers/files 1" -n 'syscall::open*:entry /execname == "filer"/ { self->t = 1; }
	syscall::open*:return /self->t/ { self->t = 0; }
	fbt::do_filp_open:, fbt::path_openat:, fbt::vfs_open: /self->t/ { }' >out.txt 2>&1 || complain "status $?: $(<out.txt)"
awk '$2 ~ /[<=]?[-=]>?/ { print $2, $3 }' flow.txt | sed 's/:.*//' >calls.txt
cat >want.txt <<'EOD'
=> openat
-> do_filp_open
-> path_openat
-> vfs_open
<- vfs_open
<- path_openat
<- do_filp_open
<= openat
EOD
grep -qF "$(head -n 4 want.txt)" calls.txt || complain "calls: $(head -n 12 calls.txt)"
# the file may be opened in layers: what is deepest is not asked for
for line in '<- do_filp_open' '<= openat'; do
	grep -qxF -e "$line" calls.txt || complain "no $line: $(head -n 20 flow.txt)"
done
grep -qE '^ *[0-9]+ {1,3}=> openat' flow.txt && grep -qE '^ *[0-9]+ {3,6}-> do_filp_open' flow.txt ||
	complain "indentation: $(head -n 8 flow.txt)"
exit $bad
