#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fbt:::entry and return of a few functions: each call once, arguments and results typed by the kernel's type
# information, raw ones the same, arg0 of a return -1, the stack begins with the function.
# @ref providers 4 entry return arg0-of-return typed
# @needs kprobe fentry
. "${0%/*}/../lib.sh"
# on one layer: the functions are called once for each that a file system has
[[ -z ${DTRACE_VM:-} ]] || export TMPDIR=/run

OPTIONS='-x stackframes=1' observe files 20 300 <<'EOD'
int writes, reads, renames, unlinks, returned;
int64_t bytes, raw;
fbt::vfs_write:entry /threadname == "filer"/ { writes++; self->size = args[2]; self->raw = arg2; }
fbt::vfs_write:return /self->size/
{
	bytes += args[1];
	raw += arg1;
	returned += arg0 == -1 && self->raw == self->size && self->size == arg1;
	self->size = 0;
}
fbt::vfs_read:entry /threadname == "filer"/ { reads++; printf("name %s\n", stringof(args[0]->f_path.dentry->d_name.name)); }
fbt:vmlinux:vfs_rename:entry /threadname == "filer"/ { renames++; }
fbt:vmlinux:vfs_unlink:entry /threadname == "filer"/ { unlinks++; @top[stack()] = count(); }
END
{
	printf("call vfs_write %d\ncall vfs_read %d\ncall vfs_rename %d\ncall vfs_unlink %d\nbytes %d\n", writes,
		reads, renames, unlinks, bytes);
	printf("returned %d raw %d\n", returned, raw);
	printa(@top);
}
EOD
same 5 call bytes
grep -qx 'returned 20 raw 6000' events.txt || complain "results: $(grep returned events.txt)"
[[ $(grep -c '^name old$' events.txt) == 20 ]] || complain "names: $(grep ^name events.txt | sort | uniq -c)"
grep -q 'vmlinux`vfs_unlink+0x' events.txt || complain "stack: $(tail -n 4 events.txt)"
exit $bad
