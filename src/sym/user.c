// SPDX-License-Identifier: Apache-2.0
/*
 * Remembers processes and looks up their addresses.
 *
 * What was read of a process's maps is kept after it has ended, and after exec(2) or dlclose(3):
 * a new reading is put before the old one, and an address unknown to it is looked for in the
 * older ones.  Besides /proc, which knows the living, the kernel's events tell what comes and goes
 * between two looks (mapwatch.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "base/intmap.h"
#include "base/living.h"
#include "base/vec.h"
#include "sym/elf.h"
#include "sym/mapwatch.h"
#include "sym/perfmap.h"
#include "sym/reading.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

#define MAX_PROCS     16384		  /* remembered; the oldest is forgotten first */
#define LOADED_LOW    0x10000000	  /* below it there is nothing whose place is random */
#define MAX_READINGS  8			  /* of one process's maps */
#define LOOKUP_PERIOD UINT64_C(100000000) /* ns between looking whether a process has changed */
#define REREAD_PERIOD UINT64_C(20000000)  /* of one whose mappings the kernel doesn't tell */
#define NOTE_PERIOD   UINT64_C(1000000)	  /* the same, for usyms_remember() */

/* Changes when a pid is used again, or its process has called exec(2). */
struct identity {
	unsigned long long start_time, start_stack;
};

struct proc {
	struct proc *newer;
	pid_t pid;
	bool foreign; /* sees other files than we do */
	pid_t thread; /* by which it was read last (base/living.h) */
	bool asked;   /* for a name; cleared when it is its turn to be forgotten */
	struct identity id;
	struct reading *readings;
	struct perfmap *jit;
	/* when it was last looked at, its maps read again, its JIT map read */
	uint64_t checked, reread, jit_read;
};

struct usyms {
	struct sym_objects objects;
	struct perfmap_room room; /* of all processes' maps */
	struct intmap procs;	  /* struct proc by pid */
	struct proc *oldest, *newest;
	struct mapwatch *watch;
	bool watch_tried;
	uint64_t drained; /* when events were taken last */
	struct elfsyms *vdso;
	size_t vdso_size;
	bool vdso_loaded;
};

struct usyms *usyms_new(void)
{
	struct usyms *u = calloc(1, sizeof(*u));

	if (u)
		u->objects.check_left = CHECKED_ALL;
	return u;
}

bool usyms_nameless(const struct usyms *u)
{
	return u->objects.closed;
}

bool usyms_lack_room(const struct usyms *u)
{
	return u->room.full;
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

void usyms_free(struct usyms *u)
{
	if (!u)
		return;
	for (struct proc *p = u->oldest, *newer; p; p = newer) {
		newer = p->newer;
		proc_free(p);
	}
	intmap_free(&u->procs);
	perfmap_room_free(&u->room);
	sym_objects_free(&u->objects);
	mapwatch_free(u->watch);
	elfsyms_free(u->vdso);
	free(u);
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* The code of a JIT compiler is read now too: the file may be gone with the process. */
static void note_jit(struct usyms *u, struct proc *p)
{
	if (!p->jit && p->readings && reading_has_jit(p->readings))
		p->jit = perfmap_new(p->pid, &u->room);
	if (!p->jit)
		return;
	/* files too: a JIT compiler may share its memory under any name */
	vec_for (m, &p->readings->maps)
		if (m->prot & PROT_EXEC && (m->kind == MAP_JIT || m->kind == MAP_PART))
			perfmap_expect(p->jit, m->start, m->end);
	perfmap_update(p->jit);
}

/* True if process PID has another root folder, or mounts of its own. */
static bool is_foreign(pid_t pid)
{
	static const char *const what[] = {"root", "ns/mnt"};
	struct stat own, its;
	char path[64];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/proc/self/%s", what[i]);
		if (stat(path, &own))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/%s", living_thread(pid), what[i]);
		if (!stat(path, &its) && (its.st_dev != own.st_dev || its.st_ino != own.st_ino))
			return true;
	}
	return false;
}

/* Makes R the newest reading of P, and drops those that say no more than R does. */
static void push_reading(struct proc *p, struct reading *r)
{
	struct reading **old = &p->readings;

	r->older = p->readings;
	p->readings = r;
	for (int i = 0; *old; i++) {
		struct reading *o = *old;

		if (o == r || (i < MAX_READINGS && !reading_covers(r, o))) {
			old = &o->older;
			continue;
		}
		*old = o->older;
		reading_free(o);
	}
}

/* Read the maps of P; whether there is anything new. */
static bool proc_read(struct usyms *u, struct proc *p)
{
	struct reading *r = reading_new(&u->objects, p->pid);

	p->reread = now();
	/* a zombie has none: what was read before stays */
	if (!r || reading_same(r, p->readings)) {
		reading_free(r);
		return false;
	}
	p->thread = living_thread(p->pid);
	p->foreign = is_foreign(p->pid);
	push_reading(p, r);
	note_jit(u, p);
	return true;
}

/* Fields 22 (starttime) and 28 (startstack) of /proc/PID/stat, proc_pid_stat(5). */
static struct identity identity_by(pid_t pid)
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

/* A thread that has ended has no stack any more; the process it began has, if it goes on. */
static struct identity identity_of(pid_t pid)
{
	struct identity id = identity_by(pid);

	if (id.start_time && !id.start_stack)
		id.start_stack = identity_by(living_thread(pid)).start_stack;
	return id;
}

/* Take the oldest process out of the line. */
static struct proc *take_oldest(struct usyms *u)
{
	struct proc *p = u->oldest;

	u->oldest = p->newer;
	p->newer = NULL;
	return p;
}

static void put_newest(struct usyms *u, struct proc *p)
{
	if (u->oldest)
		u->newest->newer = p;
	else
		u->oldest = p;
	u->newest = p;
}

/* Forgets the oldest process that was not asked for since it last was the oldest. */
static void forget_one(struct usyms *u)
{
	struct proc *p;

	while (u->oldest->asked) {
		p = take_oldest(u);
		p->asked = false;
		put_newest(u, p);
	}
	p = take_oldest(u);
	intmap_remove(&u->procs, (uint64_t)p->pid);
	proc_free(p);
}

static struct proc *proc_find(const struct usyms *u, pid_t pid)
{
	return intmap_get_ptr(&u->procs, (uint64_t)pid);
}

/* Adds a process without a reading; NULL: no memory. */
static struct proc *proc_add(struct usyms *u, pid_t pid)
{
	struct proc *p = calloc(1, sizeof(*p));

	if (!p || intmap_put_ptr(&u->procs, (uint64_t)pid, p)) {
		free(p);
		return NULL;
	}
	p->pid = p->thread = pid;
	if (u->procs.len > MAX_PROCS)
		forget_one(u);
	put_newest(u, p);
	return p;
}

/* ---- events ---- */

/* A child has what its parent had; that one is read for this when nothing is known of it. */
static void on_fork(struct usyms *u, struct proc *child, pid_t pid)
{
	struct proc *parent = proc_find(u, pid);
	struct reading *r;

	if (!parent) {
		parent = proc_add(u, pid);
		if (!parent)
			return;
		parent->id = identity_of(pid);
		proc_read(u, parent);
	}
	r = parent->readings ? reading_copy(parent->readings) : NULL;
	if (!r)
		return;
	child->foreign = parent->foreign;
	child->thread = child->pid;
	child->id = (struct identity){0, 0};
	push_reading(child, r);
}

static void on_map(struct usyms *u, struct proc *p, const struct map_line *l)
{
	if (!p->readings || reading_hides(p->readings, l)) {
		struct reading *r = reading_copy(p->readings);

		if (!r)
			return;
		r->older = p->readings;
		p->readings = r;
	}
	reading_add(&u->objects, p->readings, p->pid, l);
	if (!*l->path)
		note_jit(u, p);
}

static void on_event(void *arg, const struct mapwatch_event *e)
{
	struct usyms *u = arg;
	struct proc *p;
	struct reading *r;

	if (e->kind == MAPWATCH_EXIT || e->kind == MAPWATCH_LOST)
		return;
	p = proc_find(u, e->pid);
	if (!p)
		p = proc_add(u, e->pid);
	if (!p)
		return;
	switch (e->kind) {
	case MAPWATCH_FORK:
		on_fork(u, p, e->parent);
		break;
	case MAPWATCH_EXEC:
		r = reading_copy(NULL);
		if (r)
			push_reading(p, r);
		p->id = (struct identity){0, 0};
		p->thread = p->pid;
		p->foreign = is_foreign(p->pid);
		break;
	case MAPWATCH_MAP:
		on_map(u, p, &e->map);
		break;
	default:
		break;
	}
}

static void drain(struct usyms *u)
{
	if (!u->watch)
		return;
	u->drained = now();
	mapwatch_drain(u->watch, on_event, u);
}

void usyms_watch(struct usyms *u)
{
	if (!u->watch && !u->watch_tried)
		u->watch = mapwatch_new(false);
	u->watch_tried = true;
	drain(u);
}

/* Returns the process PID, read when it is new; looked at again when PERIOD has passed. */
static struct proc *proc_get(struct usyms *u, pid_t pid, uint64_t period)
{
	struct proc *p = proc_find(u, pid);
	uint64_t t = now();
	struct identity id;

	if (!p || t - u->drained >= NOTE_PERIOD) {
		drain(u);
		p = proc_find(u, pid);
	}
	if (p && t - p->checked < period)
		return p;
	id = identity_of(pid);
	if (!p)
		p = proc_add(u, pid);
	else if (id.start_time == p->id.start_time && id.start_stack == p->id.start_stack)
		period = 0; /* the same as before */
	if (!p)
		return NULL;
	p->asked = true;
	p->checked = t;
	p->id = id;
	if (period)
		proc_read(u, p);
	return p;
}

/* ---- looking up ---- */

static bool find_jit(struct proc *p, uint64_t addr, struct sym_info *out)
{
	const char *name;

	if (!p->jit)
		return false;
	name = perfmap_find(p->jit, addr, &out->start);
	if (!name && (perfmap_expect_near(p->jit, addr) || now() - p->jit_read >= LOOKUP_PERIOD)) {
		perfmap_update(p->jit);
		name = perfmap_find(p->jit, addr, &out->start);
		/* code gets its name after it is mapped: only a look that brought nothing makes
		 * wait */
		p->jit_read = name ? 0 : now();
	}
	if (!name)
		return false;
	out->object = "[jit]";
	out->name = name;
	out->object_start = out->start;
	out->vaddr = addr - out->start;
	return true;
}

static void find_in_elf(
	const struct elfsyms *e, uint64_t vaddr, uint64_t addr, struct sym_info *out)
{
	uint64_t start;
	bool sized;
	const char *name = elfsyms_find(e, vaddr, &start, &sized);

	if (!name)
		return;
	out->name = name;
	out->start = addr - (vaddr - start);
	out->sized = sized;
}

static void find_in_vdso(struct usyms *u, const struct map *m, uint64_t addr, struct sym_info *out)
{
	out->object = "[vdso]";
	out->object_start = m->start;
	out->vaddr = addr - m->start;
	if (!u->vdso_loaded)
		u->vdso = elfsyms_load_vdso(&u->vdso_size);
	u->vdso_loaded = true;
	/* the image of a 32-bit process is another */
	if (u->vdso && m->end - m->start == u->vdso_size && m->start >> 32)
		find_in_elf(u->vdso, addr - m->start, addr, out);
}

static const struct elfsyms *syms_of(struct usyms *u, const struct proc *p, const struct map *m)
{
	char root[32];

	snprintf(root, sizeof(root), "/proc/%d/root", p->thread);
	return sym_object_syms(&u->objects, m->obj, p->pid, p->foreign ? root : NULL, m);
}

/*
 * Returns the address ADDR of mapping M as it is in a file that cannot be read: code that may be
 * anywhere is at its offset there as a rule, and programs that are mapped this low are where they
 * were linked to be.
 */
static uint64_t likely_vaddr(const struct map *m, uint64_t addr)
{
	return m->start < LOADED_LOW ? addr : addr - m->start + m->off;
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
		out->vaddr = addr - m->start;
		return true;
	}
	e = syms_of(u, p, m);
	if (!e && m->prot & PROT_EXEC && find_jit(p, addr, out))
		return true; /* a memfd that a JIT compiler writes to */
	known = e &&
		elfsyms_vaddr(e, addr - m->start + m->off, m->prot, m->kind == MAP_BSS, &vaddr);
	if (!known && m->kind == MAP_BSS)
		return true; /* only a neighbour */
	out->object = m->obj->name;
	out->object_start = m->object_start;
	if (!out->object_start)
		out->object_start = known ? addr - vaddr + elfsyms_start(e) : m->start;
	out->vaddr = known ? vaddr : likely_vaddr(m, addr);
	if (known)
		find_in_elf(e, vaddr, addr, out);
	return true;
}

/* True if ADDR is in another segment of the file whose code M is: these lie as in the file. */
static bool find_around(struct usyms *u, const struct proc *p, const struct map *m, uint64_t addr,
	struct sym_info *out)
{
	const struct elfsyms *e;
	uint64_t vaddr, bias;

	if (m->kind != MAP_PART || m->object_start || !(m->prot & PROT_EXEC))
		return false;
	e = syms_of(u, p, m);
	if (!e || !elfsyms_vaddr(e, m->off, m->prot, false, &vaddr))
		return false;
	bias = m->start - vaddr;
	if (addr - bias < elfsyms_start(e) || addr - bias >= elfsyms_end(e))
		return false;
	out->object = m->obj->name;
	out->object_start = bias + elfsyms_start(e);
	out->vaddr = addr - bias;
	find_in_elf(e, addr - bias, addr, out);
	return true;
}

/* The kernel's events tell of code only: what is between is that below's data or that above's. */
static bool find_beside(struct usyms *u, const struct proc *p, const struct reading *r,
	uint64_t addr, struct sym_info *out)
{
	uint32_t i = reading_behind(r, addr);

	return (i && find_around(u, p, &r->maps.data[i - 1], addr, out)) ||
		(i < r->maps.len && find_around(u, p, &r->maps.data[i], addr, out));
}

static bool find_in_readings(struct usyms *u, struct proc *p, uint64_t addr, struct sym_info *out)
{
	for (const struct reading *r = p->readings; r; r = r->older) {
		const struct map *m = reading_find(r, addr);

		if (m ? find_in_map(u, p, m, addr, out) : find_beside(u, p, r, addr, out))
			return true;
	}
	return false;
}

void usyms_find(struct usyms *u, pid_t pid, uint64_t addr, struct sym_info *out)
{
	struct proc *p = proc_get(u, pid, LOOKUP_PERIOD);

	if (!p || find_in_readings(u, p, addr, out))
		return;
	/* something loaded since? */
	if (u->watch) {
		drain(u);
		p = proc_find(u, pid);
		if (!p || find_in_readings(u, p, addr, out))
			return;
	}
	if (now() - p->reread >= (u->watch ? LOOKUP_PERIOD : REREAD_PERIOD) && proc_read(u, p) &&
		find_in_readings(u, p, addr, out))
		return;
	find_jit(p, addr, out);
}

/*
 * Returns the code at ADDR: its mapping in the newest reading that knows it (later ones would be
 * another file's) and the offset in the file; NULL: it is none of a file.
 */
static const struct map *find_code(const struct proc *p, uint64_t addr, uint64_t *off)
{
	const struct reading *r = p ? p->readings : NULL;
	const struct map *m = NULL;

	for (; r && !m; r = r->older)
		m = reading_find(r, addr);
	if (!m || m->kind != MAP_PART || !(m->prot & PROT_EXEC))
		return NULL;
	*off = addr - m->start + m->off;
	return m;
}

bool usyms_is_sigreturn(struct usyms *u, pid_t pid, uint64_t addr)
{
	struct proc *p = proc_get(u, pid, LOOKUP_PERIOD);
	uint8_t code[INSN_SIGRETURN];
	uint64_t off;
	const struct map *m = find_code(p, addr, &off);

	/* what gdb and libgcc go by too */
	return m && sym_object_code(&u->objects, m->obj, pid, m, off, code, sizeof(code)) &&
		insn_is_sigreturn(code, sizeof(code));
}

/* True if the instruction before offset OFF of M's file is a system call. */
static bool is_behind_syscall(struct usyms *u, pid_t pid, const struct map *m, uint64_t off)
{
	uint8_t code[INSN_SYSCALL];

	return off >= sizeof(code) &&
		sym_object_code(
			&u->objects, m->obj, pid, m, off - sizeof(code), code, sizeof(code)) &&
		insn_is_syscall(code, sizeof(code));
}

uint32_t usyms_lines(struct usyms *u, pid_t pid, uint64_t addr, const struct sym_line **v)
{
	struct proc *p = proc_get(u, pid, LOOKUP_PERIOD);
	uint64_t vaddr, off;
	const struct map *m = find_code(p, addr, &off);
	const struct elfsyms *e;
	struct elflines *lines;
	char root[32];

	if (!m)
		return 0;
	snprintf(root, sizeof(root), "/proc/%d/root", p->thread);
	lines = sym_object_lines(&u->objects, m->obj, pid, p->foreign ? root : NULL, m);
	e = syms_of(u, p, m);
	if (!lines || !e || !elfsyms_vaddr(e, off, m->prot, false, &vaddr))
		return 0;
	/* a thread in the kernel stands after the instruction that took it there */
	return elflines_find(lines, vaddr - is_behind_syscall(u, pid, m, off), v);
}

void usyms_remember(struct usyms *u, pid_t pid)
{
	struct proc *p;

	/* what happens then is taken by proc_get(): this is called for each record */
	if (!u->watch_tried)
		usyms_watch(u);
	p = proc_get(u, pid, NOTE_PERIOD);
	if (p && now() - p->reread >= LOOKUP_PERIOD)
		proc_read(u, p);
}
