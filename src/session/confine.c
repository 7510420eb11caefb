// SPDX-License-Identifier: Apache-2.0
/* Gives up the rights that a session does not need once everything is attached. */
#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#include "abi/record.h"
#include "abi/runtime.h"
#include "confine/calls.h"
#include "confine/landlock.h"
#include "confine/privilege.h"
#include "base/report.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "compile/image.h"
#include "dtrace/dtrace.h"
#include "lang/format.h"
#include "load/feature.h"
#include "load/unwind/unwind.h"
#include "probe/attach.h"
#include "probe/feature.h"
#include "session/asleep.h"
#include "session/governor.h"
#include "late/late.h"
#include "session/options.h"
#include "session/session.h"
#include "target/target.h"

/* ---- the table ---- */

#define CAP(name) (1ULL << CAP_##name)

/* Looking at processes of other users, and at the files that they have mapped (proc(5)). */
#define LOOKING (CAP(SYS_PTRACE) | CAP(DAC_READ_SEARCH) | CAP(CHECKPOINT_RESTORE))
/* Making files where other users may, and replacing theirs. */
#define WRITING	 (CAP(DAC_OVERRIDE) | CAP(FOWNER))
#define ALL_CAPS UINT64_MAX

enum running {
#define RUNNING(id, ...) RUNNING_##id,
#define DEPUTY(id, ...)	 RUNNING_##id,
#include "session/running.def"
	RUNNING_COUNT,
};

static const struct {
	uint64_t caps;
	uint32_t calls; /* bits of enum running_calls */
	bool deputy;	/* it is not us who needs them */
	const char *what;
} rows[RUNNING_COUNT] = {
#define RUNNING(id, caps, calls, what) [RUNNING_##id] = {caps, calls, false, what},
#define DEPUTY(id, caps, what)	       [RUNNING_##id] = {caps, 0, true, what},
#include "session/running.def"
};

/* ---- what the session needs ---- */

static bool is_kernel_address(const struct datum *d)
{
	return d->kind == DATUM_STACK || d->kind == DATUM_STACK_ID || d->kind == DATUM_SYM ||
		d->kind == DATUM_MOD;
}

static bool any_kernel_address(const struct datum *data, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_kernel_address(&data[i]))
			return true;
	return false;
}

static bool any_action(
	const struct image *l, bool (*test)(const struct rec_action *act, int arg), int arg)
{
	for (uint32_t i = 0; i < l->nrecs; i++)
		for (uint32_t k = 0; l->recs[i] && k < l->recs[i]->nactions; k++)
			if (test(&l->recs[i]->actions[k], arg))
				return true;
	return false;
}

static bool names_kernel(const struct rec_action *act, int arg)
{
	return any_kernel_address(act->data, act->ndata);
}

static bool converts(const struct rec_action *act, int klass)
{
	return act->format && format_has(act->format, (enum conv_class)klass);
}

static bool starts_programs(const struct rec_action *act, int arg)
{
	return act->kind == REC_SYSTEM || act->kind == REC_PCAP;
}

static bool opens_named(const struct rec_action *act, int arg)
{
	return act->kind == REC_FREOPEN;
}

static bool needs_kernel_names(const struct image *l)
{
	for (uint32_t i = 0; i < l->naggs; i++)
		if (l->aggs[i] && any_kernel_address(l->aggs[i]->keys, l->aggs[i]->nkeys))
			return true;
	return any_action(l, names_kernel, 0) || any_action(l, converts, CONV_KSYM);
}

static bool has_output_files(const struct dtrace *d)
{
	vec_for (r, &d->tracing.outputs)
		if (r->file || r->folder)
			return true;
	return false;
}

static bool has_connections(const struct dtrace *d)
{
	vec_for (r, &d->tracing.outputs)
		if (r->address && !r->helper)
			return true;
	return false;
}

/* True if late probes can come, which SELF, or the deputy, attaches to. */
static bool attaches_later(const struct dtrace *d, bool self)
{
	return late_is_open(d->tracing.late_probes) &&
		late_can_delegate(d->tracing.late_probes) != self;
}

static bool has_feature(struct dtrace *d, enum feature feature)
{
	struct features *f = compiling_features(&d->compiling);

	return f && features_has(f, feature);
}

static bool lacks_uprobe_multi(struct dtrace *d)
{
	const struct load_image *m = &d->image->load;

	for (uint32_t i = 0; i < m->nprogs; i++)
		if (attach_is_user(m->progs[i].plan.kind) && !m->progs[i].plan.multi)
			return true;
	return !has_feature(d, FEATURE_UPROBE_MULTI);
}

static bool is_packet(enum attach_kind kind)
{
	return kind == ATTACH_NETFILTER;
}

static bool any_program(const struct image *l, bool (*test)(enum attach_kind kind))
{
	for (uint32_t i = 0; i < l->load.nprogs; i++)
		if (test(l->load.progs[i].plan.kind))
			return true;
	return false;
}

static bool is_needed(struct dtrace *d, enum running what)
{
	const struct image *l = d->image;

	switch (what) {
	case RUNNING_MAPS:
		return !has_feature(d, FEATURE_UNPRIVILEGED_MAPS);
	case RUNNING_KERNEL_NAMES:
		return needs_kernel_names(l);
	case RUNNING_USER_NAMES:
		return d->tracing.user_addresses || any_action(l, converts, CONV_USYM);
	case RUNNING_OVERHEAD:
		return governor_is_wanted(d);
	case RUNNING_EVENTS:
		return any_program(l, attach_is_event);
	case RUNNING_EVENTS_STRICT:
		return any_program(l, attach_is_event) && privilege_event_level() > 2;
	case RUNNING_PROCESSES:
		return d->tracing.web || targets_first(d->targets);
	case RUNNING_COMMANDS:
		/* nobody knows yet what a clause does that compiles later */
		return any_action(l, starts_programs, 0) ||
			(late_awaits_unchecked(&d->compiling) &&
				options_on(d->opts, OPT_destructive));
	case RUNNING_REOPEN:
		return any_action(l, opens_named, 0);
	case RUNNING_FILES:
		return has_output_files(d);
	case RUNNING_CONNECTIONS:
		return has_connections(d);
	case RUNNING_ATTACHING:
		return attaches_later(d, true);
	case RUNNING_ATTACHING_EACH:
		return attaches_later(d, true) && lacks_uprobe_multi(d);
	case RUNNING_LATE:
		return attaches_later(d, false);
	case RUNNING_LATE_EACH:
		return attaches_later(d, false) && lacks_uprobe_multi(d);
	case RUNNING_COMPILING:
		return late_awaits_unchecked(&d->compiling);
	case RUNNING_STACKS:
		return l->load.rt_reads & RT_WALKS;
	case RUNNING_FLAGS:
		return late_is_open(d->tracing.late_probes) && asleep_concerns(d);
	case RUNNING_JAVA:
		return d->tracing.late_probes && late_awaits_java(d->tracing.late_probes);
	case RUNNING_NAMESPACES:
		return any_program(l, is_packet);
	default:
		return true;
	}
}

/* ---- giving up ---- */

/* What a session keeps. */
struct kept {
	uint64_t caps;
	uint32_t calls;
	bool deputy; /* it has one */
	uint64_t deputy_caps;
};

static struct kept find_kept(struct dtrace *d)
{
	struct kept k = {0};

	for (enum running i = 0; i < RUNNING_COUNT; i++) {
		if (!is_needed(d, i))
			continue;
		if (rows[i].deputy) {
			k.deputy = true;
			k.deputy_caps |= rows[i].caps;
			continue;
		}
		k.caps |= rows[i].caps;
		k.calls |= rows[i].calls;
	}
	return k;
}

/*
 * Landlock forbids to look at processes (its check of ptrace(2)'s access mode), and freopen() names
 * files that are not known before.  The kernel writes a core dump with our rights.
 */
static bool can_have_landlock(struct dtrace *d, const struct kept *k)
{
	return !(k->caps & CAP(SYS_PTRACE)) && !options_on(d->opts, OPT_core) &&
		!any_action(d->image, opens_named, 0);
}

/* Files can be read where the system has its own, and written where outputs are renewed. */
static int give_up_files(struct dtrace *d)
{
	static const char *const read[] = {"/proc", "/sys", "/usr", "/etc/localtime"};
	struct landlock *l;
	int err = landlock_new(&l);

	if (err == -EOPNOTSUPP) /* an older kernel, or one without it */
		return 0;
	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]) && !err; i++)
		err = landlock_allow(l, read[i], LANDLOCK_READ);
	vec_for (r, &d->tracing.outputs) {
		if (!err && r->folder)
			err = landlock_allow(l, r->folder, LANDLOCK_WRITE);
		if (!err && r->file)
			err = landlock_allow_beside(l, r->path);
	}
	return err ? (landlock_free(l), err) : landlock_restrict(l);
}

static int confine(struct dtrace *d)
{
	struct kept k;
	int err;

	if (d->phase != PHASE_TRACING)
		return report_error(&d->report, -EINVAL, "tracing has not begun");
	if (d->tracing.unattached) /* no record is of anybody else: not worth 0.1 ms */
		return 0;
	k = find_kept(d);
	if (k.calls & CALLS_ALL)
		return 0;
	err = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? -errno : 0;
	if (!err && k.deputy)
		err = late_delegate(d->tracing.late_probes, k.deputy_caps);
	if (!err && can_have_landlock(d, &k))
		err = give_up_files(d);
	if (!err)
		err = unwind_keep(d->tracing.load, k.caps);
	if (!err)
		err = privilege_keep(k.caps);
	if (!err)
		err = calls_allow(CALLS_SESSION | k.calls);
	/* a kernel without seccomp(2), or an emulator of one */
	if (err == -ENOSYS && !options_given(d->opts, OPT_confine))
		err = 0;
	return err ? report_error(&d->report, err, "cannot give up rights: %s", strerror(-err)) : 0;
}

int dtrace_session_confine(struct dtrace *d)
{
	return SESSION_TRY(d, confine(d));
}
