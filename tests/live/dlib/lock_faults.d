/*
 * Bad addresses of locks: each function faults, also those that could tell without looking.
 * @stderr
 * @ref d-builtins 3.4 mutex_owned mutex_owner mutex_type rw_held bad-pointer
 */
#pragma D option quiet

ERROR
{
	printf("%d %x, ", arg4, arg5);
	n++;
}

BEGIN { trace(mutex_owned(NULL)); }
BEGIN { trace(mutex_owner(NULL)); }
BEGIN { trace(mutex_type_adaptive(NULL)); }
BEGIN { trace(mutex_type_spin(NULL)); }
BEGIN { trace(rw_iswriter(NULL)); }
BEGIN { trace(rw_read_held(NULL)); }
BEGIN { trace(rw_write_held(NULL)); }
BEGIN { trace(mutex_owned((struct mutex *)0x10)); }
BEGIN { trace(mutex_owner((struct mutex *)0x20)); }
BEGIN { trace(mutex_type_adaptive((struct mutex *)0x30)); }
BEGIN { trace(mutex_type_spin((struct mutex *)0x40)); }
BEGIN { trace(rw_iswriter((rwlock_t *)0x50)); }
BEGIN { trace(rw_read_held((rwlock_t *)0x60)); }
BEGIN { trace(rw_write_held((rwlock_t *)0x70)); }
BEGIN { printf("%d faults", n); exit(0); }
