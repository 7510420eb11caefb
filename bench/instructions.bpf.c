// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * One-liners of D as one would write them in C: what dtrace generates is compared with what clang
 * makes of these (bench/run instructions).  They are compiled and never loaded, so the offsets of
 * kernel members are those of no kernel.  They do the same as the D programs: nothing before BEGIN
 * is done, no 32-bit callers, drops and new keys are counted, the same helpers, maps, records and
 * functions of the run-time library.  Function KEY or KEY_... belongs to row KEY of bench/run.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "abi/kernel.h"

#define SEC_CALL     SEC("tp_btf/x")
#define ACTIVE	     2
#define DRAINING     3
#define COMPAT	     2
#define STACK_FRAMES 20
#define STRING_SIZE  256
#define NO_SLOT	     (~0ul)

typedef unsigned long ulong;

/* Functions of the run-time library, src/rt. */
extern ulong dt_quantize(ulong value);
extern ulong dt_scratch_claim(void);
extern ulong dt_scratch_release(ulong slot);
extern ulong dt_stack_keep(ulong slot, ulong off, ulong frames, ulong who);
extern ulong dt_exec_name(ulong task, ulong tgid, ulong key, ulong members, ulong env_end);

volatile struct {
	__u32 activity, exited, status, dead;
	__u64 wall_offset, dead_at;
	__u32 shift, pad[7];
	__u64 new_keys;
} state;
const volatile char zero[512];
const volatile struct {
	__u32 probe;
	__u32 rest[3];
} syscalls[512] = {{1}};

struct map {
	__u32 unused;
};
struct map dt_agg_1 SEC("maps");
struct map dt_drops SEC("maps");
struct map dt_ring SEC("maps");
struct map dt_scratch SEC("maps");
struct map dt_self SEC("maps");
struct map dt_execs SEC("maps");
volatile __u64 execs[DT_EXEC_CACHE];

struct task_struct {
	char before[16];
	__u32 status;
	char until_tgid[1248];
	__s32 tgid;
	char until_leader[72];
	__u64 leader;
	char until_comm[400];
	__u64 comm[2];
};

/* TO has the name of process TGID's first thread; the one that exec gave, if it is another. */
static inline void put_given(__u64 to[2], __u64 tgid)
{
	volatile __u64 *at = &execs[tgid % DT_EXEC_CACHE];
	__u64 key = dt_exec_key(to[0], to[1], tgid), have = *at, number = have ^ key;
	struct dt_exec *e;

	if (have == key)
		return;
	if (number >= DT_EXECS) {
		number = dt_exec_name(
			bpf_get_current_task(), tgid, key, DT_EXEC_MEMBERS(1, 2, 3, 4), 5);
		if (number >= DT_EXECS)
			return;
		*at = key ^ number;
		if (!number)
			return;
	}
	e = bpf_map_lookup_elem(&dt_execs, &number);
	if (!e)
		return;
	to[0] = e->name[0];
	to[1] = e->name[1];
}

/* The name of the process. */
static inline void put_execname(__u64 to[2], struct task_struct *t)
{
	__u64 ids = bpf_get_current_pid_tgid(), leader;

	to[0] = t->comm[0];
	to[1] = t->comm[1];
	if (ids >> 32 != (__u32)ids) {
		bpf_probe_read_kernel(&leader, sizeof(leader), &t->leader);
		bpf_probe_read_kernel(
			to, 16, (void *)(leader + __builtin_offsetof(struct task_struct, comm)));
	}
	put_given(to, ids >> 32);
}

struct pt_regs {
	ulong r[21];
};
struct entry {
	const struct pt_regs *regs;
	ulong nr;
};
struct result {
	const struct pt_regs *regs;
	long value;
};

struct header {
	__u32 probe;
	__u16 clause;
	__u16 cpu;
};

#define inlined static __attribute__((always_inline))

inlined void drop(__u32 cause)
{
	ulong *n = bpf_map_lookup_elem(&dt_drops, &cause);

	if (n)
		__sync_fetch_and_add(n, 1);
}

inlined struct task_struct *task(void)
{
	return (struct task_struct *)bpf_get_current_task_btf();
}

/* Returns whether the caller is not a 32-bit program. */
inlined int native(const struct task_struct *t)
{
	return !(t->status & COMPAT);
}

inlined void add(const void *key, ulong n)
{
	ulong *v = bpf_map_lookup_elem(&dt_agg_1, key), none = 0;

	if (!v) {
		bpf_map_update_elem(&dt_agg_1, key, &none, BPF_NOEXIST);
		__sync_fetch_and_add(&state.new_keys, 1);
		v = bpf_map_lookup_elem(&dt_agg_1, key);
	}
	if (v)
		*v += n;
	else
		drop(1);
}

inlined void *reserve(ulong size)
{
	void *r = bpf_ringbuf_reserve(&dt_ring, size, 0);

	if (!r) {
		if (bpf_ktime_get_ns() > state.dead_at) {
			state.dead = 1;
			state.activity = DRAINING;
		}
		drop(0);
	}
	return r;
}

inlined void begin_record(struct header *h, __u32 probe, __u16 clause)
{
	h->probe = probe;
	h->clause = clause;
	h->cpu = bpf_get_smp_processor_id();
}

/* What the ERROR probe gets for a bad address. */
inlined void fault(__u32 probe, ulong address)
{
	struct {
		struct header h;
		__u32 clause, kind;
		ulong address;
	} *r = reserve(sizeof(*r));

	if (!r)
		return;
	begin_record(&r->h, probe, 65535);
	r->clause = 0;
	r->kind = 257;
	r->address = address;
	bpf_ringbuf_submit(r, 0);
}

/* Returns the scratch memory of this firing and sets *SLOT, or returns NULL. */
inlined char *claim(ulong *slot)
{
	__u32 key;

	*slot = dt_scratch_claim();
	if (*slot == NO_SLOT) {
		drop(3);
		return NULL;
	}
	key = *slot;
	return bpf_map_lookup_elem(&dt_scratch, &key);
}

/* syscall:::entry { @[execname] = count(); } */
SEC_CALL int comm(struct entry *e)
{
	struct task_struct *t;
	__u64 key[2];

	if (state.activity != ACTIVE || e->nr > 511 || !syscalls[e->nr].probe)
		return 0;
	t = task();
	if (!native(t))
		return 0;
	put_execname(key, t);
	add(key, 1);
	return 0;
}

/* syscall:::entry /pid == 42/ { @[probefunc] = count(); } */
SEC_CALL int func(struct entry *e)
{
	struct task_struct *t;
	__u64 key;

	if (state.activity != ACTIVE || e->nr > 511)
		return 0;
	key = syscalls[e->nr].probe;
	if (!key)
		return 0;
	t = task();
	if (!native(t) || t->tgid != 42)
		return 0;
	add(&key, 1);
	return 0;
}

/* syscall::openat:entry { printf("%s %s\n", execname, copyinstr(arg1)); } */
SEC_CALL int printed(struct entry *e)
{
	struct task_struct *t;
	const char *from;
	struct {
		struct header h;
		__u64 comm[2];
		char file[STRING_SIZE + 8];
	} * r;

	if (state.activity != ACTIVE || e->nr != 257)
		return 0;
	t = task();
	if (!native(t))
		return 0;
	r = reserve(sizeof(*r));
	if (!r)
		return 0;
	begin_record(&r->h, 1514, 0);
	put_execname(r->comm, t);
	from = (const char *)e->regs->r[13];
	if (bpf_probe_read_user_str(r->file, STRING_SIZE, from) >= 0) {
		bpf_ringbuf_submit(r, 0);
	} else {
		bpf_ringbuf_discard(r, 0);
		fault(1514, (ulong)from);
	}
	return 0;
}

/* syscall::openat:entry { @[copyinstr(arg1)] = count(); } */
SEC_CALL int file(struct entry *e)
{
	const char *from;
	ulong slot;
	char *key;

	if (state.activity != ACTIVE || e->nr != 257 || !native(task()))
		return 0;
	key = claim(&slot);
	if (!key)
		return 0;
	bpf_probe_read_kernel(key, STRING_SIZE + 8, (const void *)zero);
	from = (const char *)e->regs->r[13];
	if (bpf_probe_read_user_str(key, STRING_SIZE, from) >= 0)
		add(key, 1);
	else
		fault(1514, (ulong)from);
	dt_scratch_release(slot);
	return 0;
}

/* syscall::read:return /arg0 > 0/ { @[execname] = sum(arg0); } */
SEC_CALL int bytes(struct result *e)
{
	struct task_struct *t;
	__u64 key[2];

	if (state.activity != ACTIVE || e->regs->r[15] != 0)
		return 0;
	t = task();
	if (!native(t) || e->value <= 0)
		return 0;
	put_execname(key, t);
	add(key, e->value);
	return 0;
}

/* Adds one to the bucket of VALUE; there is a row for each bucket already. */
inlined void count_bucket(ulong value)
{
	__u32 key = dt_quantize(value);
	ulong *n = bpf_map_lookup_elem(&dt_agg_1, &key);

	if (n)
		*n += 1;
}

/* syscall::read:return { @ = quantize(arg0); } */
SEC_CALL int quant(struct result *e)
{
	if (state.activity == ACTIVE && e->regs->r[15] == 0 && native(task()))
		count_bucket(e->value);
	return 0;
}

/* syscall::read:entry { self->t = timestamp; } */
SEC_CALL int time_entry(struct entry *e)
{
	struct task_struct *t;
	ulong now, *start;

	if (state.activity != ACTIVE || e->nr != 0)
		return 0;
	t = task();
	if (!native(t))
		return 0;
	now = bpf_ktime_get_ns();
	start = bpf_task_storage_get(&dt_self, t, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (start)
		*start = now;
	else
		drop(2);
	return 0;
}

/* syscall::read:return /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; } */
SEC_CALL int time_return(struct result *e)
{
	struct task_struct *t;
	ulong *start;

	if (state.activity != ACTIVE || e->regs->r[15] != 0)
		return 0;
	t = task();
	if (!native(t))
		return 0;
	start = bpf_task_storage_get(&dt_self, t, NULL, 0);
	if (!start || !*start)
		return 0;
	count_bucket(bpf_ktime_get_ns() - *start);
	*start = 0;
	return 0;
}

/* profile-997 { @[execname] = count(); }: an interrupt, so the CPU is a part of the key */
SEC("perf_event") int sampled(void *e)
{
	struct task_struct *t;
	__u64 key[3];

	if (state.activity != ACTIVE)
		return 0;
	t = task();
	put_execname(key, t);
	key[2] = bpf_get_smp_processor_id();
	add(key, 1);
	return 0;
}

/* profile-997 { @[stack()] = count(); } */
SEC("perf_event") int stack(void *e)
{
	ulong slot, frames = 0;
	__u64 key[2];
	char *s;
	long n;

	if (state.activity != ACTIVE)
		return 0;
	s = claim(&slot);
	if (!s)
		return 0;
	n = bpf_get_stack(e, s + 16, (STACK_FRAMES + 8) * 8, 0);
	if (n > 0)
		frames = n / 8 > STACK_FRAMES ? STACK_FRAMES : n / 8;
	key[0] = dt_stack_keep(slot, 0, frames, 0);
	key[1] = bpf_get_smp_processor_id();
	add(key, 1);
	dt_scratch_release(slot);
	return 0;
}

/* proc:::exec-success { trace(execname); } */
SEC_CALL int exec(void *e)
{
	struct task_struct *t;
	struct {
		struct header h;
		__u64 comm[2];
	} * r;

	if (state.activity != ACTIVE)
		return 0;
	t = task();
	r = reserve(sizeof(*r));
	if (!r)
		return 0;
	begin_record(&r->h, 3205, 0);
	put_execname(r->comm, t);
	bpf_ringbuf_submit(r, 0);
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
