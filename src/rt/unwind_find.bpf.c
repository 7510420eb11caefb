// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Finds the mapping and the rule of an address: in our tables, otherwise in the kernel's list of
 * mappings.  The searches of tables are unrolled and have no branches.
 */
#include "abi/unwind.h"
#include "arch/arch.bpf.h"
#include "rt/conf.h"
#include "rt/rt.h"
#include "rt/unwind.h"

/* ---- searches ---- */

/*
 * STEP, a power of two, when A <= B, else 0; both below 2^63.  Shifts, since a verifier (6.18) that
 * sees -1 or 0 in an AND goes on with each by itself.
 */
static inline __u64 step_if(__u64 a, __u64 b, __u32 step)
{
	__u64 above = b - a;

	/* or the compiler makes branches of it */
	RT_FORGET(above);
	above >>= 63;
	RT_FORGET(above);
	return (above ^ 1) * step;
}

static inline void *page_at(__u32 number)
{
	__u32 slab = number / DT_SLAB_PAGES, key = number % DT_SLAB_PAGES;
	void *map = bpf_map_lookup_elem(&dt_slabs, &slab);

	return map ? bpf_map_lookup_elem(map, &key) : NULL;
}

/* Returns the last row whose pc is not above PC; the first if there is none. */
static inline const struct dt_unwind_row *search_rows(const struct dt_unwind_row *rows, __u32 pc)
{
	__u64 i = 0;

#pragma unroll
	for (__u32 step = DT_UNWIND_ROWS / 2; step; step /= 2)
		i += step_if(rows[i + step].pc, pc, step);
	return &rows[i];
}

/* Returns the rule at PC in the table with this root. */
static __attribute__((noinline)) __u32 find_rule(__u32 root, __u32 levels, __u32 pc)
{
	const struct dt_unwind_row *row;
	__u32 number = root, rule = DT_UNWIND_NONE;

#pragma unroll
	for (int i = 0; i < DT_UNWIND_LEVELS; i++) {
		row = page_at(number);
		if (!row)
			return DT_UNWIND_NONE;
		row = search_rows(row, pc);
		if (row->pc > pc)
			return DT_UNWIND_NONE;
		rule = row->rule;
		if (i + 1 >= levels)
			break;
		number = rule;
	}
	return rule;
}

/* Finds the mapping of ADDR in the process's list; 0 if there is none. */
static __always_inline int find_mapping(struct stack_walk *w, __u64 addr)
{
	__u32 number = w->list;
	const struct dt_list *list;
	const struct dt_mapping *m;
	__u64 start;

	if (addr - w->start < w->length)
		return 1;
	if (addr >= DT_LIST_NONE || !number)
		return 0;
#pragma unroll
	for (int level = 0; level < 2; level++) {
		__u64 i = 0;

		list = page_at(number);
		if (!number || !list)
			return 0;
#pragma unroll
		for (__u32 step = DT_LIST_ENTRIES / 2; step; step /= 2)
			i += step_if(list->start[i + step], addr, step);
		m = &list->map[i];
		start = list->start[i];
		if (DT_MAPPING_KIND(m->info) != DT_MAPPING_INDEX)
			break;
		number = DT_MAPPING_ROOT(m->info);
	}
	if (addr < start || addr >= m->end)
		return 0;
	w->start = start;
	w->length = m->end - start;
	w->bias = m->bias;
	w->info = m->info;
	return 1;
}

/* ---- the kernel's own list, where ours has nothing (yet) ---- */

#define VM_EXEC	  4
#define VM_SHARED 8
/*
 * Of struct backing_file, as overlayfs has it (include/linux/fs.h); FMODE_BACKING is another bit in
 * different kernels.  A file with this mode that is none has no such inode where we read.
 */
#define FMODE_NOACCOUNT (1u << 29)

/* Finds the inode that /proc/PID/maps shows; 0: there is none. */
static __always_inline void find_inode(struct vma_seen *v)
{
	v->inode = 0;
	if (!v->file)
		return;
	if (dt_conf.at.backing_path != DT_OFFSET_UNKNOWN && !KREAD(v->word, v->file, file_mode) &&
		v->word & FMODE_NOACCOUNT) {
		if (KREAD(v->on_way, v->file + dt_conf.at.backing_path, path_dentry) ||
			KREAD(v->inode, v->on_way, dentry_inode))
			v->inode = 0;
	} else if (KREAD(v->inode, v->file, file_inode)) {
		v->inode = 0;
	}
}

static __always_inline void read_mtime(struct vma_seen *v)
{
	v->mtime = v->mtime_ns = 0;
	if (!KREAD(v->mtime, v->inode, inode_mtime_sec) &&
		!KREAD(v->word, v->inode, inode_mtime_nsec))
		v->mtime_ns = v->word;
	else if (!KREAD(v->mtime, v->inode, inode_mtime)) /* struct timespec64 */
		KREAD(v->mtime_ns, v->inode + 8, inode_mtime);
	else if (!KREAD(v->mtime, v->inode, inode_mtime_6_7))
		KREAD(v->mtime_ns, v->inode + 8, inode_mtime_6_7);
}

static __always_inline void read_inode(struct vma_seen *v)
{
	v->id.ino = v->id.dev = v->size = 0;
	if (!v->inode || KREAD(v->on_way, v->inode, inode_sb) ||
		KREAD(v->word, v->on_way, sb_dev) || KREAD(v->size, v->inode, inode_size) ||
		KREAD(v->id.ino, v->inode, inode_ino))
		return;
	v->id.dev = v->word;
	read_mtime(v);
}

struct vm_area_struct;

/* bpf_find_vma()'s, with the lock of the mappings held */
static long read_vma(struct task_struct *task, struct vm_area_struct *vma, struct walker *c)
{
	struct vma_seen *v = &c->w->vma;
	__u64 at = (__u64)vma;

	v->end = 0;
	if (KREAD(v->start, at, vma_start) || KREAD(v->pgoff, at, vma_pgoff) ||
		KREAD(v->flags, at, vma_flags) || KREAD(v->file, at, vma_file) ||
		KREAD(v->ops, at, vma_ops) || KREAD(v->end, at, vma_end))
		return 0;
	find_inode(v);
	read_inode(v);
	return 0;
}

/* Sets the table of the mapping that W->vma says, if its file has one. */
static inline void use_file(struct stack_walk *w)
{
	const struct vma_seen *v = &w->vma;
	const struct dt_unwind_tables *t;
	__u64 off = v->pgoff * dt_conf.page;

	w->start = v->start;
	w->length = v->end - v->start;
	w->info = v->file || v->ops ? DT_MAPPING_NONE : DT_MAPPING_CODE;
	if (w->info == DT_MAPPING_CODE)
		return;
	t = bpf_map_lookup_elem(&dt_ufiles, &v->id);
	if (!t || t->size != v->size || t->mtime != v->mtime || t->mtime_ns != v->mtime_ns)
		return;
	for (int i = 0; i < DT_FILE_SEGMENTS; i++) {
		if (off < t->segment[i].first || off >= t->segment[i].end)
			continue;
		w->bias = v->start - off - t->segment[i].minus;
		w->info = t->info;
		return;
	}
}

/* Asks the kernel for the mapping of ADDR: 1; 0: there is no code; -1: it cannot tell now. */
static __always_inline int find_vma(struct walker *c, __u64 addr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct stack_walk *w = c->w;
	long err;

	if (addr >= USER_END)
		return 0;
	w->vma.end = 0;
	err = bpf_find_vma(task, addr, read_vma, c, 0);
	if (err == -16) /* EBUSY: the lock is taken */
		return -1;
	if (err || !w->vma.end || !(w->vma.flags & VM_EXEC))
		return 0;
	use_file(w);
	return 1;
}

/*
 * Finds the mapping where W is, which is not in the process's list: 1; 0: there is none, or the
 * kernel cannot tell now; -1: the stack ends before this frame.
 *
 * Not inlined, nor is find_rule(): what they need of the stack would make walk_frame()'s larger
 * than 48 bytes.  Since 6.13 the kernel moves such a stack to memory of its own
 * (BPF_PRIV_STACK_MIN_SIZE in kernel/bpf/verifier.c), and each frame takes a quarter longer.
 */
static __attribute__((noinline)) int find_unlisted(struct walker *c)
{
	struct stack_walk *w = c->w;
	int found;

	if (w->list && w->ip < USER_END)
		w->lost = 1;
	found = find_vma(c, w->ip - !w->exact);
	/* without any list, what may be code is taken for code */
	if (w->guess && (!found || (found < 0 && w->list))) {
		w->part = 1;
		return -1;
	}
	return found > 0;
}
