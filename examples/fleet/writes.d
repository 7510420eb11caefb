#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An instrument for a fleet: how long do programs wait for writes that have to reach the disk, and
 * in which of their functions?
 *
 * A host is here what has the host name of the tracer, so that several of them can be on one machine:
 * examples/fleet/demo.
 */
#pragma tool usage "writes: time that programs wait for the disk"
#pragma tool param least time "only waits of at least so long"
inline int least = 0;
#pragma D option quiet

BEGIN
{
	host = (uintptr_t)curthread->nsproxy->uts_ns;
}

syscall::pwritev*:entry, syscall::fsync:entry, syscall::fdatasync:entry
/(uintptr_t)curthread->nsproxy->uts_ns == host/
{
	self->start = timestamp;
}

syscall::pwritev*:return, syscall::fsync:return, syscall::fdatasync:return
/self->start && timestamp - self->start >= least/
{
	@wait[execname, jstack()] = quantize(timestamp - self->start);
	@writes[execname] = count();
}

syscall::pwritev*:return, syscall::fsync:return, syscall::fdatasync:return
/self->start/
{
	self->start = 0;
}
