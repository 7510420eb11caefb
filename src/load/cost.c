// SPDX-License-Identifier: Apache-2.0
/* Measures what the firings of a load's programs cost, and leaves the dearest program out. */
#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "arch/control.h"
#include "arch/insn.h"
#include "base/transfer.h"
#include "load/internal.h"
#include "probe/attach.h"

/*
 * What a trap costs besides the program, in ns: about what an empty one takes on the machine of
 * docs/PERFORMANCE.md.  A return is a trap at the entry and one behind the call.
 */
#define TRAP_ENTRY  450
#define TRAP_RETURN 700
#define TRAP_STEP   8500 /* more, if the kernel single-steps the instruction */

#define MOST_SEEN 256 /* places of a program that are looked at: reading all would take long */

int load_cost_begin(struct load *l)
{
	if (l->stats <= 0)
		l->stats = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (l->stats < 0)
		return -errno;
	load_cost(l, &(struct load_cost){0});
	return 0;
}

void load_cost_stop(struct load *l)
{
	if (l->stats > 0)
		close(l->stats);
	l->stats = 0;
}

void load_cost_end(struct load *l, struct load_cost *cost)
{
	load_cost(l, cost);
	load_cost_stop(l);
}

/* True if the kernel single-steps CODE, LEN bytes, for a program of PLAN. */
static bool is_stepped(const struct attach_plan *plan, const uint8_t *code, size_t len)
{
	enum insn_kind kind;
	struct control to;

	if (!insn_decode(code, len, &kind) || kind != INSN_STEPPED)
		return false;
	/* a return, which the program carries out */
	return !plan->carries || !control_decode(code, len, &to) || to.kind != CONTROL_RETURN;
}

void load_cost_note(struct load_slot *slot, const struct attach_plan *plan,
	const struct attach_site *sites, uint32_t n)
{
	uint8_t code[INSN_MAX];

	for (uint32_t i = 0; i < n && slot->seen < MOST_SEEN; i++) {
		ssize_t len = transfer_pread(sites[i].file->fd, code, sizeof(code), sites[i].addr);

		slot->seen++;
		slot->stepped += len > 0 && is_stepped(plan, code, (size_t)len);
	}
}

/* How often each place of a program was hit is not known: all are taken to be hit as often. */
static uint64_t trap_ns(const struct load_prog *p, const struct load_slot *slot)
{
	uint64_t step = slot->seen ? (uint64_t)TRAP_STEP * slot->stepped / slot->seen : 0;

	if (p->plan.entries) /* every other run is at an entry, whose cost is in the return's */
		return TRAP_RETURN / 2 + step;
	return p->plan.kind == ATTACH_UPROBES	    ? TRAP_ENTRY + step
		: p->plan.kind == ATTACH_URETPROBES ? TRAP_RETURN + step
						    : 0;
}

/* Adds what program I has cost since the last call. */
static void add_program(struct load *l, uint32_t i, struct load_cost *cost)
{
	struct load_slot *slot = &l->slots[i];
	struct bpf_prog_info info = {0};
	uint32_t len = sizeof(info);
	uint64_t ns, runs;

	if (!slot->prog || bpf_obj_get_info_by_fd(bpf_program__fd(slot->prog), &info, &len))
		return;
	runs = info.run_cnt - slot->runs;
	ns = info.run_time_ns - slot->ns + runs * trap_ns(&l->image.progs[i], slot);
	slot->runs = info.run_cnt;
	slot->ns = info.run_time_ns;
	cost->ns += ns;
	cost->runs += runs;
	if (ns > cost->most_ns && !slot->left_out) {
		cost->most_ns = ns;
		cost->most = i;
	}
}

void load_cost(struct load *l, struct load_cost *cost)
{
	*cost = (struct load_cost){0};
	for (uint32_t i = 0; i < l->image.nprogs; i++)
		add_program(l, i, cost);
}

const char *load_leave_out(struct load *l, uint32_t prog)
{
	l->slots[prog].left_out = true;
	load_detach_program(l, bpf_program__fd(l->slots[prog].prog));
	return l->image.progs[prog].label;
}
