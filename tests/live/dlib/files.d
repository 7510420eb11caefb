/*
 * fds[], and fileinfo_t of a struct file, say of every kind of file what /proc does; cwd and root.
 * @trigger files
 * @stderr
 * @args -x strsize=512
 * @ref d-builtins 1
 * @ref providers 0.4 cwd root; providers 18.4 deleted special-files; providers 18.4 fi_name fi_dirname fi_pathname fi_offset fi_fs fi_mount fi_oflags fds
 * @ref providers 0.4; providers 18.4
 */
#pragma D option quiet

struct numbers {
	long pos, flags;
};

string here;

inline string EXPECT[uintptr_t e, size_t at] = copyinstr(e + at);

syscall::getppid:entry
/pid == $target && (int)arg0 != -2/
{
	this->e = arg1;
	printf("%s:", EXPECT[this->e, 0]);
	printf("%s%s", fds[arg0].fi_pathname == EXPECT[this->e, 256] ? "" : " path ",
		fds[arg0].fi_pathname == EXPECT[this->e, 256] ? "" : fds[arg0].fi_pathname);
	printf("%s%s", fds[arg0].fi_name == EXPECT[this->e, 512] ? "" : " name ",
		fds[arg0].fi_name == EXPECT[this->e, 512] ? "" : fds[arg0].fi_name);
	printf("%s%s", fds[arg0].fi_dirname == EXPECT[this->e, 768] ? "" : " dir ",
		fds[arg0].fi_dirname == EXPECT[this->e, 768] ? "" : fds[arg0].fi_dirname);
}

syscall::getppid:entry
/pid == $target && (int)arg0 != -2/
{
	this->e = arg1;
	this->n = (struct numbers *)copyin(arg1 + 1536, sizeof (struct numbers));
	printf("%s%s", fds[arg0].fi_fs == EXPECT[this->e, 1024] ? "" : " fs ",
		fds[arg0].fi_fs == EXPECT[this->e, 1024] ? "" : fds[arg0].fi_fs);
	printf("%s%s", fds[arg0].fi_mount == EXPECT[this->e, 1280] ? "" : " mount ",
		fds[arg0].fi_mount == EXPECT[this->e, 1280] ? "" : fds[arg0].fi_mount);
	printf(" %d %d\n", fds[arg0].fi_offset == this->n->pos,
		fds[arg0].fi_oflags == this->n->flags);
}

/* The descriptor's own number, and the pointer spelling. */
syscall::getppid:entry
/pid == $target && arg0 == 1000/
{
	this->f = curthread->files->fdt->fd[1000];
	printf("%s %s %d %d\n", fds[1000].fi_name, xlate <fileinfo_t *>(this->f)->fi_name,
		(fds[1000].fi_oflags & O_ACCMODE) == O_RDWR, fds[999].fi_oflags);
	printf("%s\n", xlate <fileinfo_t>((struct file *)NULL).fi_mount);
}

/* Behind a chroot(2) cwd is as the process sees it, root as it is. */
syscall::getppid:entry
/pid == $target && (int)arg0 == -2/
{
	this->whole = here == "/" ? copyinstr(arg1) : strjoin(here, copyinstr(arg1));
	printf("cwd %s root %s\n", cwd, root == this->whole ? "as it is" : root);
}

BEGIN
{
	here = cwd;
	printf("%d %s\n", here == d_path(&curthread->fs->pwd), root);
}
