/*
 * getmajor(), getminor(), progenyof(), d_path(), mutex_*(), rw_*(): of what hangs off curthread.
 * @ref d-builtins 3.4 getmajor-getminor progenyof d_path mutex_owned mutex_owner mutex_type
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", getmajor(0x10300002), getminor(0x10300002), getmajor(0xfffff), getminor(0xfffff));
	printf("%d %d %d %d\n", progenyof(pid), progenyof(ppid), progenyof(1), progenyof(pid + 1000000));
	printf("[%s]\n", d_path(&curthread->fs->root));
	this->m = &curthread->signal->cred_guard_mutex;
	printf("%d %d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL, mutex_type_adaptive(this->m));
	printf("%d\n", mutex_type_spin(this->m));
	exit(0);
}
