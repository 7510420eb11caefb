/*
 * rw_*(): of a lock of the kernel that nobody holds; mutex_owner() of one that somebody may.
 * @ref d-builtins 3.4 rw_held mutex_owner
 */
#pragma D option quiet

BEGIN
{
	this->l = (rwlock_t *)alloca(sizeof(rwlock_t));
	this->q = (uint64_t *)this->l;
	this->q[0] = 0;
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	/* two readers; then a writer, whose byte is that of the queue's state */
	this->q[0] = 0x400;
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	this->q[0] = 0xff;
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	exit(0);
}
