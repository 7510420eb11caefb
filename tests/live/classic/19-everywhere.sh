#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -Z: one script for Solaris, macOS and FreeBSD, whose clauses for what other systems have are left out.
# @ref cli 2 Z
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >everywhere.d <<'D'
#!/usr/sbin/dtrace -Zs

#pragma D option quiet

dtrace:::BEGIN
{
	entries = 0;
	printf("Tracing... Hit Ctrl-C to end.\n");
}

/* Solaris */
syscall::open64:entry,
syscall::open:entry
/pid == $target && args[0] != NULL/
{
	self->path = args[0];
}

fbt:ufs:ufs_read:entry,
fbt:zfs:zfs_read:entry
{
	self->vp = (vnode_t *)arg0;
	@reads[self->vp->v_path ? stringof(self->vp->v_path) : "<unknown>"] = count();
}

fsinfo:::read
{
	@fs[args[0]->fi_fs] = sum(arg1);
}

/* macOS */
mach_trap::semaphore_wait_trap:entry
{
	self->sem = args[0];
	@sems[execname, ustack(4)] = count();
}

objc$target:NSObject::entry
{
	@messages[probemod, probefunc] = count();
}

/* FreeBSD */
vfs:namei:lookup:entry
{
	printf("%s\n", stringof(args[1]));
	this->vp = args[0]->v_mount->mnt_stat.f_mntonname;
}

/* the virtual machine of a language */
hotspot*:::method-entry
{
	self->class = (char *)copyin(arg1, arg2 + 1);
	self->class[arg2] = '\0';
	@methods[stringof(self->class)] = count();
}

/* everywhere */
syscall::getppid:entry
/pid == $target/
{
	entries++;
	@calls[probefunc] = count();
}

dtrace:::END
{
	printf("%d of getppid, %d paths\n", entries, self->path != NULL);
	printa("%s %@d\n", @calls);
	printa("reads %s %@d\n", @reads);
}
D
"$DTRACE" -Z -s everywhere.d -c "$BUILD/tests/live/triggers/calls getppid 3" 2>err.txt
status=$?
sed 's/objc[0-9]*/objcPID/' err.txt | sort
"$DTRACE" -s everywhere.d -c "$BUILD/tests/live/triggers/calls getppid 3" >/dev/null 2>&1 && echo "without -Z it is accepted"
exit $status
