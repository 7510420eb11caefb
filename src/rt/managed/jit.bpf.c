// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Tells code that a process has made at run time from that of its files. */
#include "abi/unwind.h"

/*
 * A mapping with such code, as the kernel told it last.  Languages keep it from walk to walk: in an
 * interrupt the kernel tells of one mapping only.
 */
struct managed_jit {
	__u64 owner; /* the memory's start_stack; another one: there is none */
	__u64 start, size;
};

/* True if C is in a mapping that is shared, or that has no file; JIT is of the language's state. */
static __attribute__((noinline)) int is_jit(struct walker *c, struct managed_jit *jit)
{
	struct stack_walk *w = c->w;
	__u64 at = w->ip - !w->exact;
	int listed;

	if (!jit)
		return 0;
	if (jit->owner == c->proc->start_stack && at - jit->start < jit->size)
		return 1;
	listed = find_mapping(w, at);
	if ((listed && DT_MAPPING_KIND(w->info) == DT_MAPPING_TABLE) || find_vma(c, at) <= 0)
		return 0;
	if (w->vma.file && !(w->vma.flags & VM_SHARED)) {
		w->lost |= w->list && !listed; /* as find_unlisted(), which is not called now */
		return 0;
	}
	jit->owner = c->proc->start_stack;
	jit->start = w->start;
	jit->size = w->length;
	return 1;
}
