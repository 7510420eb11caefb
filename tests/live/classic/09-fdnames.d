#!/usr/sbin/dtrace -s
/*
 * What is behind a descriptor: fds[] as a fileinfo_t, by file name, directory and file system.
 * @trigger calls read 3 64 4096
 * @ref providers 18.4 fi_name fi_pathname fi_dirname fi_oflags
 */

#pragma D option quiet
#pragma D option aggsortrev

syscall::read:entry
/pid == $target && arg0 > 2/
{
	self->file = fds[arg0].fi_pathname;
	self->name = fds[arg0].fi_name;
	self->ro = (fds[arg0].fi_oflags & O_ACCMODE) == O_RDONLY;
	self->here = 1;
}

syscall::read:return
/self->here && fds[3].fi_dirname != NULL/
{
	@bytes[self->file, self->name, self->ro ? "ro" : "rw"] = sum(arg0);
	@calls[self->file, self->name, self->ro ? "ro" : "rw"] = count();
	self->here = 0;
	self->file = NULL;
	self->name = 0;
}

dtrace:::END
{
	printf("%10s %6s  %s\n", "BYTES", "CALLS", "FILE");
	printa("%@10d %@6d  %s (%s, %s)\n", @bytes, @calls);
	printf("%s, %s\n", fds[100].fi_name, fds[-1].fi_pathname);
}
