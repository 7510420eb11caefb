/* SPDX-License-Identifier: Apache-2.0 */
/* Device numbers, locks and CPUs of the Linux kernel. */

/* include/linux/kdev_t.h */
inline int _MINOR_BITS = 20;

dev_t getmajor(dev_t dev)
{
	return dev >> _MINOR_BITS;
}

dev_t getminor(dev_t dev)
{
	return dev & ((1 << _MINOR_BITS) - 1);
}

/*
 * kernel/locking/mutex.c: a mutex's owner is a task, whose address is a multiple of 8, with flags
 * in the low three bits; no task, not locked.
 */
inline long _MUTEX_FLAGS = 7;

struct task_struct *mutex_owner(struct mutex *m)
{
	return (struct task_struct *)(m->owner.counter & ~_MUTEX_FLAGS);
}

int mutex_owned(struct mutex *m)
{
	return (m->owner.counter & ~_MUTEX_FLAGS) != 0;
}

/* All mutexes of Linux are adaptive; the lock is looked at for a bad address alone. */
int mutex_type_adaptive(struct mutex *m)
{
	return (m->owner.counter, 1);
}

int mutex_type_spin(struct mutex *m)
{
	return (m->owner.counter, 0);
}

/* how a lock is asked for: of the lockstat provider */
inline int RW_WRITER = 0;
inline int RW_READER = 1;

/*
 * include/asm-generic/qrwlock.h: the low byte is the writer that holds the lock, the next bit
 * says that one waits for it; above them the number of readers, which counts those behind a
 * writer too.
 */
inline int _RW_HELD = 0xff;
inline int _RW_WRITER = 0x1ff;

int rw_write_held(rwlock_t *l)
{
	return (l->raw_lock.cnts.counter & _RW_HELD) == _RW_HELD;
}

/* Held by a writer or wanted by one. */
int rw_iswriter(rwlock_t *l)
{
	return (l->raw_lock.cnts.counter & _RW_WRITER) != 0;
}

int rw_read_held(rwlock_t *l)
{
	return !rw_write_held(l) && (l->raw_lock.cnts.counter & ~_RW_WRITER) != 0;
}

#pragma D attributes Evolving/Evolving/Common getmajor
#pragma D attributes Evolving/Evolving/Common getminor
#pragma D attributes Evolving/Evolving/Common mutex_owner
#pragma D attributes Evolving/Evolving/Common mutex_owned
#pragma D attributes Evolving/Evolving/Common mutex_type_adaptive
#pragma D attributes Evolving/Evolving/Common mutex_type_spin
#pragma D attributes Evolving/Evolving/Common rw_write_held
#pragma D attributes Evolving/Evolving/Common rw_iswriter
#pragma D attributes Evolving/Evolving/Common rw_read_held

/* ---- CPUs ---- */

/* of boolean_t */
inline int B_FALSE = 0;
inline int B_TRUE = 1;

typedef int processorid_t;
typedef int psetid_t;
typedef int chipid_t;
typedef int lgrp_id_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip; /* physical package */
	lgrp_id_t cpu_lgrp; /* NUMA node */
} cpuinfo_t;

translator cpuinfo_t < int id > {
	cpu_id = id;
	cpu_pset = 0;
	cpu_chip = _cpu_chip[id]; /* src/compile/topology.c */
	cpu_lgrp = _cpu_node[id];
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *>(cpu);
inline psetid_t pset = 0;
inline chipid_t chip = _cpu_chip[cpu];
inline lgrp_id_t lgrp = _cpu_node[cpu];
