#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function of the kernel at once, by one program; what BPF programs run through themselves is left out; detached
# again, nothing is left.
# @ref providers 4 one-program own-functions modules
# @needs kprobe_multi
. "${0%/*}/../lib.sh"
# on one layer: the functions are called once for each that a file system has
[[ -z ${DTRACE_VM:-} ]] || export TMPDIR=/run

observe files 1 <<'EOD'
fbt:::entry { @mods[probemod] = count(); @calls[probefunc] = count(); }
END { printa("module %s\n", @mods); printa("call %s %@d\n", @calls); }
EOD
# a guest that interprets is busy enough with it to lose some
bad=0
grep -qx 'module vmlinux' events.txt || complain "modules: $(grep ^module events.txt)"
for f in vfs_read vfs_write vfs_rename vfs_unlink; do
	grep -q "^call $f " events.txt || complain "no $f: $(tail -n 3 events.txt)"
done
! grep -qE '^call (bpf_|__bpf_|htab_|ftrace_)' events.txt || complain "its own: $(grep -E '^call (bpf|htab)' events.txt)"
links=$(find /proc/[0-9]*/fd -lname 'anon_inode:bpf*link*' 2>/dev/null | wc -l)
[[ $links == 0 ]] || complain "$links links are left"
exit $bad
