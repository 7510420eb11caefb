/*
 * d_path() says of every kind of file what /proc does.
 * @trigger d_path
 * @args -x strsize=1024
 * @ref d-builtins 3.4 d_path
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	this->path = d_path(&curthread->files->fdt->fd[arg0]->f_path);
	printf("%s: %s\n", copyinstr(arg1), this->path == copyinstr(arg2) ? "as in /proc" :
		strjoin(this->path, strjoin(", not ", copyinstr(arg2))));
}

syscall::getppid:entry
/pid == $target && d_path(&curthread->files->fdt->fd[arg0]->f_path) == "/dev/null"/
{
	printf("in a predicate\n");
	@[basename(d_path(&curthread->files->fdt->fd[arg0]->f_path))] = count();
}

BEGIN
{
	printf("the program: %s\n", basename(d_path(&curthread->mm->exe_file->f_path)));
	printf("the root: %s\n", d_path(&curthread->fs->root));
	here = d_path(&curthread->fs->pwd);
	printf("the folder: %c %d\n", here[0], here == d_path(&curthread->fs->pwd));
}

END
{
	printa("%s %@d\n", @);
}
