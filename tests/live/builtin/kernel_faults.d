/*
 * What is not there cannot be asked.
 * @stderr
 * @filter 's/\(0x[0-9a-f]+\)/(ADDR)/'
 * @ref d-builtins 3.4 bad-pointer
 */
#pragma D option quiet

BEGIN { trace(d_path((struct path *)NULL)); }
BEGIN { trace(mutex_owned((struct mutex *)NULL)); }
BEGIN { trace(mutex_owner((struct mutex *)16)); }
BEGIN { trace(rw_iswriter((rwlock_t *)NULL)); }
BEGIN { trace(rw_read_held((rwlock_t *)16)); }
BEGIN { trace(rw_write_held((rwlock_t *)NULL)); }
BEGIN { exit(0); }
