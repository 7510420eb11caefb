#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Many functions by one program: the right probe fires for each, with its raw arguments and results; one clause on all
# and another on some of them; functions of a name without types (rawfbt) too.
# @ref providers 4 many raw-names one-program
# @needs kprobe
. "${0%/*}/../lib.sh"
# on one layer: the functions are called once for each that a file system has
[[ -z ${DTRACE_VM:-} ]] || export TMPDIR=/run

observe files 5 700 <<'EOD'
int64_t bytes;
fbt::vfs_*:entry /threadname == "filer"/ { @calls[probefunc] = count(); @mods[probemod] = count(); }
fbt::vfs_read:entry, fbt::vfs_write:entry /threadname == "filer"/ { self->size = arg2; }
fbt::vfs_*:return /self->size && (probefunc == "vfs_read" || probefunc == "vfs_write")/
{
	bytes += arg1 == self->size && arg0 == -1 ? arg1 : 0;
	self->size = 0;
}
rawfbt::vfs_rename:entry /threadname == "filer"/ { @raw[probeprov, probefunc, probename] = count(); }
END
{
	printa("call %s %@d\n", @calls);
	printa("module %s\n", @mods);
	printa("raw %s %s %s %@d\n", @raw);
	printf("bytes %d\n", bytes / 2);
}
EOD
grep -E '^call vfs_(read|write|rename|unlink) |^bytes|^module|^raw' events.txt | sort >events
{ grep -E '^(call|bytes)' facts.txt; echo module vmlinux; echo raw rawfbt vfs_rename entry 5; } | sort >facts
diff facts events || complain "facts <, events >"
exit $bad
