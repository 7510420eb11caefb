// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches to the places that all processes share.  Usually one link has the kernel put the
 * breakpoints into every process that maps the file.  If one of these translates or copies code,
 * which a breakpoint would break, each of the others gets links of its own.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/vec.h"
#include "load/internal.h"
#include "sym/copier.h"
#include "sym/process.h"

/* ---- files ---- */

/*
 * True if S is in file INO of device DEV, called NAME: the device in maps can be that of a layer of
 * a file system.
 */
static bool is_file(const struct load_shared *s, uint64_t dev, uint64_t ino, const char *name)
{
	const char *path = s->sites->file->path, *slash = strrchr(path, '/');

	return s->ino == ino && (s->dev == dev || !strcmp(slash ? slash + 1 : path, name));
}

static bool is_object(const struct load_shared *s, const struct process_object *o)
{
	return is_file(s, o->dev, o->ino, o->name);
}

enum load_sharing load_sharing(const struct load *l, uint64_t dev, uint64_t ino, const char *name)
{
	vec_for (s, &l->shared)
		if (is_file(s, dev, ino, name))
			return s->separate ? LOAD_SEPARATE : LOAD_SHARED;
	return LOAD_UNSHARED;
}

bool load_shares(const struct load *l, enum load_sharing how)
{
	vec_for (s, &l->shared)
		if (s->separate == (how == LOAD_SEPARATE))
			return true;
	return false;
}

/* ---- processes that copy ---- */

static int find_copier(void *arg, pid_t pid)
{
	struct load *l = arg;
	struct load_copier c = {.pid = pid};
	bool known = false;

	if (l->deputy && pid == load_deputy(l))
		return 0;
	vec_for (have, &l->copiers)
		known |= have->pid == pid;
	/* the memory maps of all processes are read once; later those that copy are told */
	if (known || !copier_is(load_looker(l), pid, l->late ? COPIER_QUICK : COPIER_WHOLE, &c.c))
		return 0;
	return heapvec_push(&l->copiers, c);
}

/* Finds the processes that copy code, and forgets those that have ended or execute another. */
static int find_copiers(struct load *l)
{
	uint32_t n = 0;

	vec_for (c, &l->copiers)
		if (copier_is(load_looker(l), c->pid, COPIER_WHOLE, &c->c))
			l->copiers.data[n++] = *c;
	l->copiers.len = n;
	return process_all(find_copier, l);
}

pid_t load_next_copier(struct load *l, const struct copier **c)
{
	vec_for (have, &l->copiers) {
		if (!have->concerned || have->told)
			continue;
		have->told = true;
		*c = &have->c;
		return have->pid;
	}
	return 0;
}

struct concerned {
	const struct load_shared *s;
	const struct copier *c;
};

/* 1: O is the file, and the process copies it. */
static int concerns_file(void *arg, const struct process_object *o)
{
	const struct concerned *x = arg;

	return is_object(x->s, o) && copier_concerns(x->c, o);
}

/* True if a process that was found copies the file of S. */
static bool is_copied(struct load *l, const struct load_shared *s)
{
	bool is = false;

	vec_for (c, &l->copiers) {
		struct concerned x = {s, &c->c};

		if (process_mapped_by(load_looker(l), c->pid, concerns_file, &x) != 1)
			continue;
		c->concerned = is = true;
	}
	return is;
}

/* ---- one process ---- */

/* Returns the program's descriptor; -1: it is not attached any more. */
static int program_of(const struct load *l, const struct load_shared *s)
{
	const struct load_slot *slot = &l->slots[s->prog];

	return slot->prog && !slot->left_out ? bpf_program__fd(slot->prog) : -1;
}

static bool has_links(const struct load *l, const struct load_shared *s, int prog, pid_t pid)
{
	vec_for (h, &l->hooks)
		if (h->pid == pid && h->prog == prog && h->file == s->sites->file)
			return true;
	return false;
}

/* Returns 1 if S was not attached in PID before, 0, or -errno. */
static int attach_in(struct load *l, const struct load_shared *s, pid_t pid)
{
	int prog = program_of(l, s), err;

	if (prog < 0 || has_links(l, s, prog, pid))
		return 0;
	l->attaching = prog;
	err = load_attach_in(l, prog, &l->image.progs[s->prog], s->sites, s->n, pid);
	return err ? err : has_links(l, s, prog, pid);
}

struct mapping {
	struct load *l;
	pid_t pid;
	const struct load_shared *only; /* NULL: all */
	const struct copier *c;		/* the process copies code; or NULL */
	bool attached;
};

/* Attaches the separated places of the file O in the process. */
static int attach_to_file(void *arg, const struct process_object *o)
{
	struct mapping *m = arg;
	int n = 0;

	if (m->c && copier_concerns(m->c, o))
		return 0;
	vec_for (s, &m->l->shared) {
		if (n < 0 || !s->separate || (m->only && s != m->only) || !is_object(s, o))
			continue;
		n = attach_in(m->l, s, m->pid);
		m->attached |= n > 0;
	}
	return n < 0 ? n : 0;
}

/* Attach in process M->pid to the files that it maps, except what it copies. */
static int attach_mapped(struct mapping *m)
{
	const struct looker *by = load_looker(m->l);
	struct copier c;
	int err;

	m->attached = false;
	m->c = copier_is(by, m->pid, COPIER_WHOLE, &c) ? &c : NULL;
	err = process_files_by(by, m->pid, attach_to_file, m);
	/* one that has ended, or that we may not look at */
	return err == -ESRCH || err == -ENOENT || err == -EACCES || err == -EPERM ? 0 : err;
}

int load_attach_process(struct load *l, pid_t pid, bool all)
{
	struct mapping m = {.l = l, .pid = pid};
	int err = 0;

	l->late = true;
	if (!all)
		err = attach_mapped(&m);
	vec_for (s, &l->shared) {
		if (!all || err < 0 || !s->separate)
			continue;
		err = attach_in(l, s, pid);
		m.attached |= err > 0;
	}
	return err < 0 ? err : m.attached;
}

bool load_lacks(const struct load *l, const struct process_object *o, pid_t pid)
{
	vec_for (s, &l->shared) {
		int prog = program_of(l, s);

		if (prog >= 0 && s->separate && is_object(s, o) && !has_links(l, s, prog, pid))
			return true;
	}
	return false;
}

static void close_hook(const struct load_hook *h)
{
	if (h->link >= 0)
		close(h->link);
	if (h->event >= 0)
		close(h->event);
}

bool load_leave_process(struct load *l, pid_t pid)
{
	uint32_t n = 0, all = l->hooks.len;

	vec_for (h, &l->hooks) {
		if (h->pid == pid && h->file)
			close_hook(h);
		else
			l->hooks.data[n++] = *h;
	}
	l->hooks.len = n;
	return n < all;
}

/* ---- all processes ---- */

struct separating {
	struct mapping m;
	pid_t except;
	void (*attached)(void *arg, pid_t pid);
	void *arg;
};

/* Attaches the separated places of all files that PID maps. */
static int separate_process(void *arg, pid_t pid)
{
	struct separating *x = arg;
	int err;

	if (pid == x->except || pid == load_deputy(x->m.l))
		return 0;
	x->m.pid = pid;
	err = attach_mapped(&x->m);
	if (!err && x->m.attached && x->attached)
		x->attached(x->arg, pid);
	return err;
}

/* Closes the links of S in all processes. */
static void close_shared(struct load *l, const struct load_shared *s)
{
	int prog = program_of(l, s);
	uint32_t n = 0;

	vec_for (h, &l->hooks) {
		if (h->pid || h->file != s->sites->file || h->prog != prog) {
			l->hooks.data[n++] = *h;
			continue;
		}
		close_hook(h);
	}
	l->hooks.len = n;
}

static void separate(struct load *l, struct load_shared *s)
{
	if (!s->separate)
		close_shared(l, s);
	s->separate = true;
}

int load_separate(struct load *l, const struct process_object *o, pid_t except,
	void (*attached)(void *arg, pid_t pid), void *arg)
{
	struct separating x = {.m = {.l = l}, .except = except, .attached = attached, .arg = arg};

	l->late = true;
	vec_for (s, &l->shared)
		if (!o || is_object(s, o))
			separate(l, s);
	return process_all(separate_process, &x);
}

/* ---- attaching ---- */

/* Keeps the sites for processes that come later; returns NULL without memory. */
static struct load_shared *keep(
	struct load *l, uint32_t prog, const struct attach_site *sites, uint32_t n)
{
	struct load_shared s = {.prog = prog, .n = n, .sites = malloc(n * sizeof(*sites))};
	struct stat st;

	if (!fstat(sites->file->fd, &st)) {
		s.dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
		s.ino = st.st_ino;
	}
	if (s.sites)
		memcpy(s.sites, sites, n * sizeof(*sites));
	if (!s.sites || heapvec_push(&l->shared, s)) {
		free(s.sites);
		return NULL;
	}
	return &l->shared.data[l->shared.len - 1];
}

int load_attach_shared(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n)
{
	struct separating x = {.m = {.l = l}};
	struct load_shared *s;
	int err = 0;

	if (l->opts.force)
		return load_attach_in(l, prog, p, sites, n, 0);
	/* one look for all that load_attach() attaches */
	if (l->late || !l->looked)
		err = find_copiers(l);
	l->looked = true;
	if (err)
		return err;
	s = keep(l, (uint32_t)(p - l->image.progs), sites, n);
	if (!s)
		return -ENOMEM;
	s->separate = is_copied(l, s);
	vec_for (other, &l->shared)
		s->separate |= other->separate && is_file(other, s->dev, s->ino, "");
	if (!s->separate)
		return load_attach_in(l, prog, p, sites, n, 0);
	x.m.only = s;
	err = process_all(separate_process, &x);
	return err ? err : load_progressed(l, n);
}

void load_close_shared(struct load *l)
{
	vec_for (s, &l->shared)
		free(s->sites);
	heapvec_free(&l->shared);
	heapvec_free(&l->copiers);
}
