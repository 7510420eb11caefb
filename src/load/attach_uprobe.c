// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to instructions of programs and libraries, and to the returns of their
 * functions: by one link for the places in a file and process if the kernel has uprobe.multi, else
 * by a uprobe each (perf_event_open(2), the "uprobe" PMU).
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/invariant.h"
#include "base/living.h"
#include "base/report.h"
#include "base/vec.h"
#include "load/deputy/deputy.h"
#include "load/internal.h"
#include "load/unwind/unwind.h"
#include "load/uprobe.h"
#include "probe/attach.h"

#define RETRIES	 20
#define RETRY_NS 2000000

/*
 * True for errors that do not stay: the kernel gives up when one of the processes that map the file
 * goes through an exec or its end just then (register_for_each_vma(), kernel/events/uprobes.c).
 */
static bool is_passing(int err)
{
	return err == -EFAULT || err == -EAGAIN || err == -EBUSY || err == -ENOENT;
}

/* ---- one link for many ---- */

struct multi {
	struct load *l;
	const struct load_prog *p;
	int prog;
	const struct attach_site *sites; /* of one file and process */
	pid_t pid;			 /* 0: in all */
	bool again;			 /* the places are counted already */
	bool impatient;			 /* what passes did not pass in time */
	uint64_t *offsets, *semaphores, *cookies;
	bool counted; /* some have a semaphore */
	struct uprobe_pmu pmu;
};

/* Returns a link of the program to the places P, and *EVENT or -1; or a negative errno. */
static int make_link(struct multi *m, const struct uprobe_places *p, int *event)
{
	*event = -1;
	if (m->l->deputy)
		return deputy_link(m->l->deputy, (uint32_t)(m->p - m->l->image.progs), p, event);
	return m->p->plan.multi ? uprobe_link(m->prog, p)
				: uprobe_event(m->prog, &m->pmu, p, event);
}

/* Links the program to the entries of the functions too, before it can miss a return. */
static int link_entries(struct multi *m, struct uprobe_places p)
{
	uint64_t *cookies = calloc(p.n, sizeof(*cookies));
	int event, link = -ENOMEM;

	for (uint32_t i = 0; cookies && i < p.n; i++)
		cookies[i] = p.cookies[i] | ATTACH_ENTRY;
	p.ret = false;
	p.entries = true;
	p.cookies = cookies;
	if (cookies)
		link = make_link(m, &p, &event);
	free(cookies);
	return link < 0 ? link : load_hook_add_user(m->l, link, event, m->pid, 0);
}

static int link_places(struct multi *m, uint32_t first, uint32_t n)
{
	const struct uprobe_places p = {
		.file = m->sites->file->fd,
		/* an event belongs to a thread */
		.pid = m->p->plan.multi || !m->pid ? m->pid : living_thread(m->pid),
		.ret = m->p->plan.kind == ATTACH_URETPROBES,
		.n = n,
		.offsets = m->offsets + first,
		.cookies = m->cookies + first,
		.semaphores = m->counted ? m->semaphores + first : NULL,
	};
	int event, link, err = m->p->plan.entries ? link_entries(m, p) : 0;

	if (err)
		return err;
	link = make_link(m, &p, &event);
	err = link < 0 ? link : load_hook_add_user(m->l, link, event, m->pid, m->again ? 0 : n);

	if (!err && !m->sites->pid)
		m->l->hooks.data[m->l->hooks.len - 1].file = m->sites->file;
	return err;
}

static void skip(struct multi *m, uint32_t site, int err)
{
	if (m->again)
		return;
	load_skip(m->l, (uint32_t)(m->p - m->l->image.progs), m->sites[site].cookie, err);
	INVARIANT(m->l->places);
	m->l->places--;
}

/* Does the same, again while an error may pass, unless we are to give up. */
static int link_patiently(struct multi *m, uint32_t first, uint32_t n)
{
	int err = link_places(m, first, n);

	for (int i = 0; i < RETRIES && is_passing(err) && !m->impatient; i++) {
		if (load_progressed(m->l, 0))
			return -EINTR;
		nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
		err = link_places(m, first, n);
	}
	m->impatient |= is_passing(err);
	return err;
}

/*
 * One instruction that cannot be probed makes the kernel refuse the whole link: halves are tried
 * until it stands alone.
 */
static int attach_range(struct multi *m, uint32_t first, uint32_t n)
{
	int err = link_patiently(m, first, n);

	/* ESRCH: the process has ended */
	if (err && !load_is_refusal(err))
		return err;
	if (err && n > 1) {
		err = attach_range(m, first, n / 2);
		return err ? err : attach_range(m, first + n / 2, n - n / 2);
	}
	if (err)
		skip(m, first, err);
	return load_progressed(m->l, m->again ? 0 : n);
}

/*
 * The kernel does not stop on a signal before a link is made: portions take PORTION_NS, about, and
 * what takes longer is smaller the next time.
 */
#define PORTION_FIRST 128
#define PORTION_NS    50000000u

static int attach_portions(struct multi *m, uint32_t n)
{
	uint32_t portion = PORTION_FIRST, some;
	int err = 0;

	for (uint32_t i = 0; !err && i < n; i += some) {
		uint64_t start = report_now(), ns;

		some = n - i < portion ? n - i : portion;
		err = attach_range(m, i, some);
		ns = report_now() - start;
		if (ns < PORTION_NS / 2 && portion <= UINT32_MAX / 2)
			portion *= 2;
		else if (ns > PORTION_NS && portion > 1)
			portion /= 2;
	}
	return err;
}

/* Does the same by an event for each. */
static int attach_each(struct multi *m, uint32_t n)
{
	int err = m->l->deputy ? 0 : uprobe_pmu(&m->pmu);

	for (uint32_t i = 0; !err && i < n; i++) {
		err = link_patiently(m, i, 1);
		if (load_is_refusal(err)) {
			skip(m, i, err);
			err = 0;
		}
		if (!err)
			err = load_progressed(m->l, !m->again);
	}
	return err;
}

static int attach_sites(struct multi *m, uint32_t n)
{
	int err = 0;

	m->offsets = calloc(n, sizeof(*m->offsets));
	m->semaphores = calloc(n, sizeof(*m->semaphores));
	m->cookies = calloc(n, sizeof(*m->cookies));
	if (!m->offsets || !m->semaphores || !m->cookies)
		err = -ENOMEM;
	m->counted = false;
	for (uint32_t i = 0; !err && i < n; i++) {
		m->offsets[i] = m->sites[i].addr;
		m->semaphores[i] = m->sites[i].semaphore;
		m->cookies[i] = m->sites[i].cookie;
		m->counted |= m->sites[i].semaphore != 0;
	}
	if (!err)
		err = m->p->plan.multi ? attach_portions(m, n) : attach_each(m, n);
	free(m->offsets);
	free(m->semaphores);
	free(m->cookies);
	return err;
}

/* ---- all ---- */

static bool same_place(const struct attach_site *a, const struct attach_site *b)
{
	return a->file == b->file && a->pid == b->pid;
}

int load_attach_in(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n, pid_t pid)
{
	struct multi m = {.l = l, .p = p, .prog = prog, .sites = sites};
	int err;

	m.again = pid != 0;
	m.pid = pid ? pid : sites->pid;
	err = attach_sites(&m, n);
	/* a process that has ended is none that cannot be traced */
	return err == -ESRCH ? 0 : err;
}

int load_attach_uprobes(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n)
{
	uint32_t end;
	int err = 0;

	unwind_prepare(l, sites, n);
	load_cost_note(&l->slots[p - l->image.progs], &p->plan, sites, n);
	for (uint32_t i = 0; !err && i < n; i = end) {
		for (end = i + 1; end < n && same_place(&sites[i], &sites[end]); end++)
			;
		err = sites[i].pid ? load_attach_in(l, prog, p, &sites[i], end - i, 0)
				   : load_attach_shared(l, prog, p, &sites[i], end - i);
	}
	return err;
}

int load_attach_late(struct load *l, uint32_t prog, const struct attach_site *sites, uint32_t n)
{
	if (prog >= l->image.nprogs || !l->slots[prog].prog)
		return -EINVAL;
	if (l->slots[prog].left_out)
		return 0;
	l->late = true;
	l->attaching = bpf_program__fd(l->slots[prog].prog);
	l->places += n;
	return l->image.progs[prog].plan.by_function
		? load_attach_functions(l, l->attaching, &l->image.progs[prog], sites, n)
		: load_attach_uprobes(l, l->attaching, &l->image.progs[prog], sites, n);
}

void load_detach_process(struct load *l, pid_t pid)
{
	uint32_t n = 0;

	vec_for (h, &l->hooks) {
		if (h->pid != pid) {
			l->hooks.data[n++] = *h;
			continue;
		}
		INVARIANT(l->places >= h->places);
		l->places -= h->places;
		if (h->link >= 0)
			close(h->link);
		if (h->event >= 0)
			close(h->event);
	}
	l->hooks.len = n;
	load_forget_functions(l, pid);
}

/* ---- the deputy ---- */

static int make_table(struct load *l, const uint32_t *progs, uint32_t n, struct deputy_table *t)
{
	int err = 0;

	*t = (struct deputy_table){.n = l->image.nprogs, .most = l->image.nplaces};
	t->rows = calloc(t->n + 1, sizeof(*t->rows));
	if (!t->rows)
		return -ENOMEM;
	for (uint32_t i = 0; i < t->n; i++)
		t->rows[i].prog = -1;
	for (uint32_t i = 0; i < n; i++) {
		const struct attach_plan *plan = &l->image.progs[progs[i]].plan;

		if (!l->slots[progs[i]].prog || !attach_is_user(plan->kind))
			continue;
		t->rows[progs[i]] = (struct deputy_row){
			.prog = bpf_program__fd(l->slots[progs[i]].prog),
			.ret = plan->kind == ATTACH_URETPROBES,
			.entries = plan->entries,
			.multi = plan->multi,
			.shared = plan->scope != IN_PROCESS,
			.counters = plan->counters,
		};
		if (!plan->multi && !err)
			err = uprobe_pmu(&t->pmu);
	}
	return err;
}

int load_delegate(struct load *l, const uint32_t *progs, uint32_t n, uint64_t caps)
{
	struct deputy_table t;
	int err = make_table(l, progs, n, &t);

	if (!err)
		l->deputy = deputy_start(&t, caps, &err);
	free(t.rows);
	return err;
}

const struct looker *load_looker(const struct load *l)
{
	return l->deputy ? deputy_looker(l->deputy) : NULL;
}

pid_t load_deputy(const struct load *l)
{
	return l->deputy ? deputy_pid(l->deputy) : 0;
}

bool load_deputy_ended(struct load *l)
{
	return l->deputy && deputy_has_ended(l->deputy);
}
