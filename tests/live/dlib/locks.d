/*
 * State of Linux's locks: made ones in every state, and one of the kernel's own that is free.
 * @ref d-builtins 3.4 mutex_owned mutex_owner mutex_type rw_held
 */
#pragma D option quiet

BEGIN
{
	this->m = (struct mutex *)alloca(sizeof (struct mutex));
	this->m->owner.counter = 0;
	printf("free: %d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL);
	this->m->owner.counter = 1; /* somebody waits, nobody holds it */
	printf("handed over: %d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL);
	this->m->owner.counter = (long)curthread;
	printf("held: %d %d\n", mutex_owned(this->m), mutex_owner(this->m) == curthread);
	this->m->owner.counter = (long)curthread | 7;
	printf("waited for: %d %d %d\n", mutex_owned(this->m), mutex_owner(this->m) == curthread,
		mutex_owner(this->m)->pid == tid);
	printf("types: %d %d\n", mutex_type_adaptive(this->m), mutex_type_spin(this->m));
}

BEGIN
{
	this->k = &curthread->signal->cred_guard_mutex;
	printf("the kernel's: %d %d %d %d\n", mutex_owned(this->k), mutex_owner(this->k) == NULL,
		mutex_type_adaptive(this->k), mutex_type_spin(this->k));
}

BEGIN
{
	this->l = (rwlock_t *)alloca(sizeof (rwlock_t));
	this->l->raw_lock.cnts.counter = 0;
	printf("free: %d %d %d\n", rw_iswriter(this->l), rw_write_held(this->l),
		rw_read_held(this->l));
	this->l->raw_lock.cnts.counter = 0xff;
	printf("writer: %d %d %d\n", rw_iswriter(this->l), rw_write_held(this->l),
		rw_read_held(this->l));
	this->l->raw_lock.cnts.counter = 0x2ff;
	printf("writer, a reader waits: %d %d %d\n", rw_iswriter(this->l), rw_write_held(this->l),
		rw_read_held(this->l));
	this->l->raw_lock.cnts.counter = 0x1ff;
	printf("writer, another waits: %d %d %d\n", rw_iswriter(this->l), rw_write_held(this->l),
		rw_read_held(this->l));
	this->l->raw_lock.cnts.counter = 0x400;
	printf("two readers: %d %d %d\n", rw_iswriter(this->l), rw_write_held(this->l),
		rw_read_held(this->l));
	this->l->raw_lock.cnts.counter = 0x300;
	printf("reader, a writer waits: %d %d %d\n", rw_iswriter(this->l), rw_write_held(this->l),
		rw_read_held(this->l));
}

/* in a predicate, and in an expression */
BEGIN
/!mutex_owned(&curthread->signal->cred_guard_mutex)/
{
	x = mutex_owner(&curthread->signal->cred_guard_mutex) ? 1 : 2;
	printf("predicate %d\n", x);
	exit(0);
}
