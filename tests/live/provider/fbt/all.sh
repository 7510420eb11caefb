#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function of the kernel at once, by one program; detached again, nothing is left; the flow of one system call
# through all of them; what BPF programs run through themselves is left out.
# @ref providers 4
# @needs kprobe_multi
. "${0%/*}/../lib.sh"

observe files 1 <<'EOD'
fbt:::entry { @mods[probemod] = count(); }
fbt:::entry /execname == "filer"/ { @calls[probefunc] = count(); }
END { printa("module %s\n", @mods); printa("call %s %@d\n", @calls); }
EOD
sed -i '/missed firings/d' err.txt
same_calls=$(grep -cE '^call vfs_(read|write|rename|unlink) 1$' events.txt)
[[ $same_calls == 4 ]] || complain "calls: $(grep '^call vfs_' events.txt)"
grep -qx 'module vmlinux' events.txt || complain "modules: $(grep ^module events.txt)"
! grep -qE '^call (bpf_|__bpf_|htab_|ftrace_)' events.txt || complain "its own: $(grep -E '^call (bpf|htab)' events.txt)"
links=$(find /proc/[0-9]*/fd -lname 'anon_inode:bpf*link*' 2>/dev/null | wc -l)
[[ $links == 0 ]] || complain "$links links are left"

# the flow of open(2), as the classic script has it
"$DTRACE" -F -o flow.txt -c "$triggers/files 1" -n 'syscall::open*:entry /execname == "filer"/ { self->t = 1; }
	syscall::open*:return /self->t/ { self->t = 0; } fbt::: /self->t/ { }' >/dev/null 2>&1 || complain "flow: status $?"
awk '/-> do_sys_openat2|=> openat|-> do_filp_open|<- do_filp_open/ { n[$3]++ }
	END { exit !(n["do_filp_open"] >= 2) }' flow.txt || complain "flow: $(head -n 30 flow.txt)"
exit $bad
