// SPDX-License-Identifier: Apache-2.0
/*
 * Processes and the files mapped into them.
 *
 * What was read of a process's maps is kept after it has ended, and after exec(2) or dlclose(3):
 * a new reading is put before the old one, and an address unknown to it is looked for in the
 * older ones.  Files are shared between processes; a file's symbols are read when first asked for,
 * from a descriptor that was opened while the process lived.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sym/sym_priv.h"

#define BUCKETS	      1024
#define MAX_PROCS     16384		  /* remembered; the oldest is forgotten first */
#define MAX_READINGS  4			  /* of one process's maps */
#define MAX_HELD      128		  /* descriptors held for files not read yet */
#define MAX_FAILURES  8			  /* to open a file */
#define LOOKUP_PERIOD UINT64_C(100000000) /* ns between looking whether a process has changed */
#define NOTE_PERIOD   UINT64_C(1000000)	  /* the same, for usyms_remember() */

struct object {
	struct object *next;
	uint64_t dev, ino;
	char *path; /* as the kernel gives it, with its " (deleted)" */
	char *name; /* base name, without */
	int fd;	    /* held for reading the symbols, or -1 */
	bool loaded;
	int failures;
	struct elfsyms *syms; /* NULL: none */
};

enum map_kind { MAP_PART, MAP_BSS, MAP_JIT, MAP_VDSO, MAP_UPROBES };

struct map {
	uint64_t start, end, off, object_start;
	struct object *obj; /* of MAP_PART and MAP_BSS */
	uint8_t kind;
	uint8_t prot;
};

/* One reading of a process's maps. */
struct reading {
	struct reading *older;
	struct map *v;
	uint32_t n, cap;
};

/* Changes when a pid is used again, or its process has called exec(2). */
struct identity {
	unsigned long long start_time, start_stack;
};

struct proc {
	struct proc *next, *newer;
	pid_t pid;
	bool foreign; /* sees other files than we do */
	struct identity id;
	struct reading *readings;
	struct perfmap *jit;
	/* when it was last looked at, its maps read again, its JIT map read */
	uint64_t checked, reread, jit_read;
};

struct usyms {
	struct object *objects[BUCKETS];
	struct proc *procs[BUCKETS];
	struct proc *oldest, *newest;
	uint32_t nprocs, nheld;
	struct elfsyms *vdso;
	size_t vdso_size;
	bool vdso_loaded;
};

struct usyms *usyms_new(void)
{
	return calloc(1, sizeof(struct usyms));
}

static void reading_free(struct reading *r)
{
	if (r)
		free(r->v);
	free(r);
}

static void proc_free(struct proc *p)
{
	for (struct reading *r = p->readings, *older; r; r = older) {
		older = r->older;
		reading_free(r);
	}
	perfmap_free(p->jit);
	free(p);
}

static void object_free(struct object *o)
{
	if (o->fd >= 0)
		close(o->fd);
	elfsyms_free(o->syms);
	free(o->path);
	free(o->name);
	free(o);
}

void usyms_free(struct usyms *u)
{
	if (!u)
		return;
	for (int i = 0; i < BUCKETS; i++) {
		for (struct object *o = u->objects[i], *next; o; o = next) {
			next = o->next;
			object_free(o);
		}
	}
	for (struct proc *p = u->oldest, *newer; p; p = newer) {
		newer = p->newer;
		proc_free(p);
	}
	elfsyms_free(u->vdso);
	free(u);
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *deleted;

	if (slash)
		path = slash + 1;
	deleted = strstr(path, " (deleted)");
	return deleted ? strndup(path, (size_t)(deleted - path)) : strdup(path);
}

/* The file of mapping M.  The path counts too: one file can have several names (busybox). */
static struct object *object_get(struct usyms *u, const struct map_line *m)
{
	struct object **bucket = &u->objects[(m->ino * 31 + m->dev) % BUCKETS], *o;

	for (o = *bucket; o; o = o->next)
		if (o->ino == m->ino && o->dev == m->dev && !strcmp(o->path, m->path))
			return o;
	o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	o->dev = m->dev;
	o->ino = m->ino;
	o->fd = -1;
	o->path = strdup(m->path);
	o->name = base_name(m->path);
	if (!o->path || !o->name) {
		object_free(o);
		return NULL;
	}
	o->next = *bucket;
	*bucket = o;
	return o;
}

/* The symbols of O, which mapping M of P shows. */
static const struct elfsyms *object_syms(
	struct usyms *u, struct object *o, const struct proc *p, const struct map *m)
{
	char root[32];
	struct map_line line = {m->start, m->end, m->off, o->dev, o->ino, m->prot, o->path};

	if (o->loaded || o->failures == MAX_FAILURES)
		return o->syms;
	if (o->fd >= 0)
		u->nheld--;
	else
		o->fd = maps_open(p->pid, &line);
	if (o->fd < 0) {
		o->failures++;
		return NULL;
	}
	snprintf(root, sizeof(root), "/proc/%d/root", p->pid);
	o->syms = elfsyms_load(o->fd, p->foreign ? root : NULL);
	o->loaded = true;
	close(o->fd);
	o->fd = -1;
	return o->syms;
}

struct reading_of {
	struct usyms *u;
	struct reading *r;
	pid_t pid;
};

static bool classify(
	struct usyms *u, const struct reading *r, const struct map_line *l, struct map *m)
{
	const struct map *last = r->n ? &r->v[r->n - 1] : NULL;

	*m = (struct map){l->start, l->end, l->off, l->start, NULL, 0, (uint8_t)l->prot};
	if (l->ino && *l->path) {
		m->kind = MAP_PART;
		m->obj = object_get(u, l);
		/* the mappings of an object follow one another, the first has its head */
		for (uint32_t i = r->n; l->off && i-- > 0 && r->n - i <= 8;) {
			if (r->v[i].kind != MAP_PART || r->v[i].obj != m->obj)
				continue;
			m->object_start = r->v[i].object_start;
			break;
		}
		return m->obj;
	}
	if (!*l->path && last && last->obj && last->end == l->start &&
		l->prot & last->prot & PROT_WRITE) {
		m->kind = MAP_BSS;
		m->obj = last->obj;
		m->off = last->off + (last->end - last->start);
		m->object_start = last->object_start;
		return true;
	}
	if (!strcmp(l->path, "[vdso]"))
		m->kind = MAP_VDSO;
	else if (!strcmp(l->path, "[uprobes]"))
		m->kind = MAP_UPROBES;
	else if (l->prot & PROT_EXEC && strcmp(l->path, "[vsyscall]"))
		m->kind = MAP_JIT;
	else
		return false;
	return true;
}

static int add_map(void *arg, const struct map_line *l)
{
	struct reading_of *to = arg;
	struct reading *r = to->r;
	struct usyms *u = to->u;
	struct map m, *bigger;

	if (!classify(u, r, l, &m))
		return 0;
	if (r->n == r->cap) {
		uint32_t cap = r->cap ? r->cap * 2 : 32;

		bigger = realloc(r->v, cap * sizeof(*r->v));
		if (!bigger)
			return -1;
		r->v = bigger;
		r->cap = cap;
	}
	r->v[r->n++] = m;
	if (m.kind == MAP_PART && m.prot & PROT_EXEC && !m.obj->loaded && m.obj->fd < 0 &&
		u->nheld < MAX_HELD) {
		m.obj->fd = maps_open(to->pid, l);
		u->nheld += m.obj->fd >= 0;
	}
	return 0;
}

static bool same_reading(const struct reading *a, const struct reading *b)
{
	if (!a || !b || a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct map *x = &a->v[i], *y = &b->v[i];

		if (x->start != y->start || x->end != y->end || x->off != y->off ||
			x->obj != y->obj || x->kind != y->kind || x->prot != y->prot)
			return false;
	}
	return true;
}

/* The code of a JIT compiler is read now too: the file may be gone with the process. */
static void note_jit(struct proc *p, const struct reading *r)
{
	for (uint32_t i = 0; !p->jit && i < r->n; i++)
		if (r->v[i].kind == MAP_JIT ||
			(r->v[i].kind == MAP_PART && r->v[i].prot & PROT_EXEC &&
				!strncmp(r->v[i].obj->path, "/memfd:", 7)))
			p->jit = perfmap_new(p->pid);
	if (!p->jit)
		return;
	perfmap_update(p->jit);
	p->jit_read = now();
}

/* Whether process PID has another root folder, or mounts of its own. */
static bool is_foreign(pid_t pid)
{
	static const char *const what[] = {"root", "ns/mnt"};
	struct stat own, its;
	char path[64];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/proc/self/%s", what[i]);
		if (stat(path, &own))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, what[i]);
		if (!stat(path, &its) && (its.st_dev != own.st_dev || its.st_ino != own.st_ino))
			return true;
	}
	return false;
}

/* Read the maps of P; whether there is anything new. */
static bool proc_read(struct usyms *u, struct proc *p)
{
	struct reading *r = calloc(1, sizeof(*r)), **old;
	struct reading_of to = {u, r, p->pid};
	int n;

	p->reread = now();
	if (!r)
		return false;
	/* a zombie has none: what was read before stays */
	n = maps_read(p->pid, add_map, &to);
	if (n <= 0 || same_reading(r, p->readings)) {
		reading_free(r);
		return false;
	}
	note_jit(p, r);
	p->foreign = is_foreign(p->pid);
	r->older = p->readings;
	p->readings = r;
	old = &p->readings;
	for (int i = 0; *old && i < MAX_READINGS; i++)
		old = &(*old)->older;
	reading_free(*old);
	*old = NULL;
	return true;
}

/* Fields 22 (starttime) and 28 (startstack) of /proc/PID/stat, proc_pid_stat(5). */
static struct identity identity_of(pid_t pid)
{
	struct identity id = {0};
	char path[32], line[1024], *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return id;
	p = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	for (int field = 3; p && (p = strchr(p, ' ')); field++) {
		p++;
		if (field == 22)
			id.start_time = strtoull(p, NULL, 10);
		else if (field == 28)
			id.start_stack = strtoull(p, NULL, 10);
	}
	fclose(f);
	return id;
}

static void forget_oldest(struct usyms *u)
{
	struct proc *p = u->oldest, **at = &u->procs[p->pid % BUCKETS];

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	u->oldest = p->newer;
	u->nprocs--;
	proc_free(p);
}

/* The process PID, read when it is new; looked at again when PERIOD has passed. */
static struct proc *proc_get(struct usyms *u, pid_t pid, uint64_t period)
{
	struct proc **bucket = &u->procs[pid % BUCKETS], *p;
	uint64_t t = now();
	struct identity id;

	for (p = *bucket; p && p->pid != pid; p = p->next)
		;
	if (p && t - p->checked < period)
		return p;
	id = identity_of(pid);
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			return NULL;
		if (u->nprocs == MAX_PROCS)
			forget_oldest(u);
		p->pid = pid;
		p->next = *bucket;
		*bucket = p;
		if (u->nprocs++)
			u->newest->newer = p;
		else
			u->oldest = p;
		u->newest = p;
	} else if (id.start_time == p->id.start_time && id.start_stack == p->id.start_stack) {
		p->checked = t;
		return p;
	}
	p->checked = t;
	p->id = id;
	proc_read(u, p);
	return p;
}

static const struct map *find_map(const struct reading *r, uint64_t addr)
{
	uint32_t low = 0, high = r->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (r->v[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < r->v[low - 1].end ? &r->v[low - 1] : NULL;
}

static bool find_jit(struct proc *p, uint64_t addr, struct sym_info *out)
{
	const char *name;

	if (!p->jit)
		return false;
	name = perfmap_find(p->jit, addr, &out->start);
	if (!name && now() - p->jit_read >= LOOKUP_PERIOD) {
		perfmap_update(p->jit);
		p->jit_read = now();
		name = perfmap_find(p->jit, addr, &out->start);
	}
	if (!name)
		return false;
	out->object = "[jit]";
	out->name = name;
	out->object_start = out->start;
	return true;
}

static void find_in_elf(
	const struct elfsyms *e, uint64_t vaddr, uint64_t addr, struct sym_info *out)
{
	uint64_t start;
	const char *name = elfsyms_find(e, vaddr, &start);

	if (!name)
		return;
	out->name = name;
	out->start = addr - (vaddr - start);
}

static void find_in_vdso(struct usyms *u, const struct map *m, uint64_t addr, struct sym_info *out)
{
	out->object = "[vdso]";
	out->object_start = m->start;
	if (!u->vdso_loaded)
		u->vdso = elfsyms_load_vdso(&u->vdso_size);
	u->vdso_loaded = true;
	/* the image of a 32-bit process is another */
	if (u->vdso && m->end - m->start == u->vdso_size && m->start >> 32)
		find_in_elf(u->vdso, addr - m->start, addr, out);
}

static bool find_in_map(
	struct usyms *u, struct proc *p, const struct map *m, uint64_t addr, struct sym_info *out)
{
	const struct elfsyms *e;
	uint64_t vaddr;
	bool known;

	if (m->kind == MAP_JIT)
		return find_jit(p, addr, out);
	if (m->kind == MAP_VDSO) {
		find_in_vdso(u, m, addr, out);
		return true;
	}
	if (m->kind == MAP_UPROBES) {
		out->object = "[uprobes]";
		out->object_start = m->start;
		return true;
	}
	e = object_syms(u, m->obj, p, m);
	if (!e && m->prot & PROT_EXEC && find_jit(p, addr, out))
		return true; /* a memfd that a JIT compiler writes to */
	known = e &&
		elfsyms_vaddr(e, addr - m->start + m->off, m->prot, m->kind == MAP_BSS, &vaddr);
	if (!known && m->kind == MAP_BSS)
		return true; /* only a neighbour */
	out->object = m->obj->name;
	out->object_start = m->object_start;
	if (known)
		find_in_elf(e, vaddr, addr, out);
	return true;
}

void usyms_find(struct usyms *u, pid_t pid, uint64_t addr, struct sym_info *out)
{
	struct proc *p = proc_get(u, pid, LOOKUP_PERIOD);
	const struct map *m;

	if (!p)
		return;
	for (const struct reading *r = p->readings; r; r = r->older) {
		m = find_map(r, addr);
		if (m && find_in_map(u, p, m, addr, out))
			return;
	}
	/* something loaded since? */
	if (now() - p->reread >= LOOKUP_PERIOD && proc_read(u, p)) {
		m = find_map(p->readings, addr);
		if (m && find_in_map(u, p, m, addr, out))
			return;
	}
	find_jit(p, addr, out);
}

void usyms_remember(struct usyms *u, pid_t pid)
{
	struct proc *p = proc_get(u, pid, NOTE_PERIOD);

	if (p && now() - p->reread >= LOOKUP_PERIOD)
		proc_read(u, p);
}
