#!/usr/sbin/dtrace -Cs
/*
 * Opens with their errors, by copyinstr(); -C for the names of the flags.
 * @trigger calls openat /nonexistent/file 2
 * @args -C
 * @ref d-language 1.2 definitions-and-includes; d-builtins 3.1 copyinstr
 */

#pragma D option quiet
#pragma D option switchrate=10hz

#define	AT_FDCWD	-100
#define	TAB		"%-6s %4s %-4s %s\n"
#define	IS_MINE		(pid == $target && (int)arg0 == AT_FDCWD)
#define	RDONLY(f)	(((f) & O_ACCMODE) == O_RDONLY)

dtrace:::BEGIN
{
	printf(TAB, "COMM", "FD", "ERR", "PATH");
}

syscall::openat:entry
/IS_MINE/
{
	self->pathp = arg1;
	self->ro = RDONLY(arg2);
}

syscall::openat:return
/self->pathp != NULL/
{
	self->err = errno == ENOENT ? "ENOE" : errno ? "?" : "0";
	printf("%-6.6s %4d %-4s %s%s\n", execname, (int)arg0 < 0 ? -1 : 3, self->err, copyinstr(self->pathp),
	    self->ro ? "" : " (rw)");
	self->pathp = NULL;
	self->err = NULL;
}
