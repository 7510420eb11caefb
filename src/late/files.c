// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches to the files that processes share, and counts the processes that ran before the probes
 * of a file were in place.
 *
 * The kernel puts a file's probes into every process that maps it, so a file is looked at when it
 * is mapped for the first time, and kept as long as the session lives.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/kernel.h"
#include "base/arena.h"
#include "base/interrupt.h"
#include "confine/privilege.h"
#include "base/report.h"
#include "compile/compiling.h"
#include "compile/image.h"
#include "load/load.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "prov/scope.h"
#include "sema/typed.h"
#include "late/late.h"
#include "late/late_int.h"
#include "sym/mapwatch.h"
#include "sym/process.h"
#include "target/holder.h"

/* A file that was mapped while tracing. */
struct late_file {
	uint64_t version; /* process_object.version when it was looked at */
	bool all, family; /* the descriptions of this scope were asked about it */
	/* when its probes were attached, CLOCK_MONOTONIC ns; 0: it has none; UINT64_MAX: never */
	uint64_t placed;
};

/* ---- looking ---- */

/* True if there are shared probes that no program is attached to. */
static bool has_new(const struct late *l)
{
	return registry_next_id(l->env.compiling->registry) > l->files.next;
}

int late_files_attach(struct late *l)
{
	int err = 0;

	if (!l->by_file || !has_new(l))
		return 0;
	late_enable_unchecked(l, NULL);
	/* the widest first: clauses of a family that are attached so are not attached again */
	for (int scope = IN_ALL; scope > IN_PROCESS; scope--)
		vec_for (o, &l->env.image->open)
			if (!err && !o->retired && (int)o->scope == scope)
				err = late_attach_program(l, NULL, o, l->files.next);
	l->files.next = registry_next_id(l->env.compiling->registry);
	return err;
}

/* Ask for the clauses of one scope about file O, or about those of all processes (NULL). */
static void ask(struct late *l, enum attach_scope scope, const struct process_object *o, pid_t pid)
{

	vec_for (c, &l->clauses)
		if (c->clause->scope == scope) /* what cannot be read has no probes */
			registry_look(l->env.compiling->registry, c->clause->late, &c->clause->pat,
				o, pid);
}

void late_files_ask(struct late *l)
{
	ask(l, IN_ALL, NULL, 0);
	ask(l, IN_FAMILY, NULL, 0);
}

void late_files_open(struct late *l)
{
	l->files.next = registry_next_id(l->env.compiling->registry);
	late_files_ask(l);
}

struct asking {
	struct late *l;
	pid_t pid;
};

static int ask_of_file(void *arg, const struct process_object *o)
{
	const struct asking *a = arg;

	ask(a->l, IN_FAMILY, o, a->pid);
	return 0;
}

void late_files_of(struct late *l, pid_t pid)
{
	struct asking a = {l, pid};

	/* one that has ended has none */
	(void)scope_files_of(registry_env(l->env.compiling->registry), pid, ask_of_file, &a);
}

uint64_t late_unplaced(const struct late *l)
{
	return l ? l->files.unplaced : 0;
}

#define KNOWN_MOST 65536 /* files; beyond them all are looked at once more */

static void forget_files(struct late_files *files)
{
	arena_free(files->arena);
	files->arena = NULL;
	files->known = (struct strmap){0};
}

void late_files_close(struct late *l)
{
	holder_free(l->holder);
	forget_files(&l->files);
	intmap_free(&l->files.execed);
	intmap_free(&l->files.early);
}

/*
 * Asks about object O, which process PID maps or is about to, what was not asked yet, and attaches
 * to what was found.
 */
static void look(
	struct late *l, struct late_file *f, const struct process_object *o, pid_t pid, bool family)
{
	uint32_t first = registry_next_id(l->env.compiling->registry);
	int err;

	l->requests = interrupt_count();
	f->version = o->version;
	if (!f->all)
		ask(l, IN_ALL, o, pid);
	if (family && !f->family)
		ask(l, IN_FAMILY, o, pid);
	f->all = true;
	f->family |= family;
	err = late_files_attach(l);
	if (err == -EPIPE)
		late_check_deputy(l);
	else if (err && !l->files.error)
		l->files.error = err;
	if (registry_next_id(l->env.compiling->registry) > first)
		f->placed = err == -EPIPE ? UINT64_MAX : report_now();
}

#define FILE_KEY 64
#define HELD	 "held" /* the KIND of what has been held; else it is the inode's generation */

/* Returns the entry of a file, or NULL; KEY, of FILE_KEY bytes, gets its name. */
static struct late_file *find_file(
	struct late *l, uint64_t dev, uint64_t ino, const char *kind, char *key)
{
	snprintf(key, FILE_KEY, "%llx:%llx:%s", (unsigned long long)dev, (unsigned long long)ino,
		kind);
	return strmap_get(&l->files.known, key);
}

/* Returns the entry of a file, which is made if there is none; NULL: no memory. */
static struct late_file *file_of(struct late *l, uint64_t dev, uint64_t ino, const char *kind)
{
	struct late_files *files = &l->files;
	struct late_file *f;
	char key[FILE_KEY];

	f = find_file(l, dev, ino, kind, key);
	if (f)
		return f;
	if (files->known.entries.len >= KNOWN_MOST)
		forget_files(files);
	if (!files->arena)
		files->arena = arena_new_below(l->env.arena);
	if (!files->arena)
		return NULL;
	f = arena_new_obj(files->arena, struct late_file);
	strmap_put(files->arena, &files->known, arena_strdup(files->arena, key), f);
	return f;
}

/* True if there is nothing to ask about F. */
static bool is_known(const struct late_file *f, bool family)
{
	return f->all && (f->family || !family);
}

/* ---- processes that are held ---- */

int late_files_hold(struct late *l)
{
	int family = load_map_fd(l->env.load, DT_MAP_FOLLOWED);
	int64_t when = l->env.hold;
	const char *why;

	if (when == HOLD_NONE || !l->by_file)
		return 0;
	vec_for (c, &l->clauses)
		if (c->clause->scope == IN_ALL)
			family = -1;
	l->holder = holder_new(when == HOLD_OPEN, family, &why);
	if (l->holder)
		return 0;
	return report_error(l->env.report, -EPERM, "option hold: cannot hold processes: %s%s",
		why ? "" : "it takes ", why ? why : privilege_caps(PRIVILEGE_HOLD));
}

bool late_is_followed(const struct late *l, pid_t pid)
{
	return load_map_has(l->env.load, DT_MAP_FOLLOWED, (uint32_t)pid);
}

/* True if NAME is that of a dynamic linker, which is executed with each program. */
static bool is_linker(const char *name)
{
	return !strncmp(name, "ld-", 3) || !strncmp(name, "ld.so", 5);
}

/* Looks at the file that is held; true: nobody need be held for it again. */
static bool look_at_held(struct late *l, const struct held_file *held)
{
	bool family = late_is_followed(l, held->pid), again = false;
	char proc[32], path[4096];
	struct process_object o;
	struct late_file *f;
	ssize_t n;

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", held->fd);
	n = readlink(proc, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	if (*path != '/' || process_object_of_file(held->fd, path, &o))
		return true;
	o.main = held->exec && !is_linker(o.name);
	f = file_of(l, o.dev, o.ino, HELD);
	if (!f)
		return false;
	if (f->version != o.version) /* it is another one since */
		f->all = f->family = false;
	if (!is_known(f, family))
		look(l, f, &o, held->pid, family);
	again = o.main ? late_copied_held(l, held, &o) : late_copied_opened(l, held, &o);
	return !again && is_known(f, load_map_fd(l->env.load, DT_MAP_FOLLOWED) >= 0);
}

void late_files_held(struct late *l)
{
	struct held_file held;
	bool known;
	int r;

	while (l->holder && (r = holder_next(l->holder, &held)) != 0) {
		if (r < 0) {
			report_message(l->env.report,
				"processes are not held any more: the listener was ended");
			holder_free(l->holder);
			l->holder = NULL;
			return;
		}
		arena_own_file(l->env.arena, held.fd);
		known = look_at_held(l, &held);
		late_copied_hold(l);
		holder_release(l->holder, &held, known);
		arena_release_file(l->env.arena, held.fd);
	}
}

/* ---- processes that ran too early ---- */

void late_count_early(struct late *l, pid_t pid, uint64_t placed)
{
	struct late_files *files = &l->files;
	const struct intmap_slot *s = intmap_find(&files->early, (uint64_t)pid);

	files->unplaced += !s;
	if (!s || s->value < placed)
		(void)intmap_put(&files->early, (uint64_t)pid, placed);
}

/*
 * Returns when the probes of F, which E maps, were placed.  They may have been placed while a
 * process was held for the file, under the file's other entry, and the process may not have waited
 * for them.
 */
static uint64_t when_placed(
	struct late *l, const struct late_file *f, const struct mapwatch_event *e)
{
	const struct late_file *held = NULL;
	char key[FILE_KEY];

	if (l->env.hold != HOLD_NONE)
		held = find_file(l, e->map.dev, e->map.ino, HELD, key);
	return held && held->placed > f->placed ? held->placed : f->placed;
}

static void on_map(struct late *l, const struct mapwatch_event *e)
{
	bool main = intmap_find(&l->files.execed, (uint64_t)e->pid) != NULL;
	bool family = late_in_family(l, e->pid);
	struct process_object o;
	struct late_file *f;
	char generation[24];
	uint64_t placed;
	int fd;

	if (!e->map.ino)
		return;
	intmap_remove(&l->files.execed, (uint64_t)e->pid);
	snprintf(generation, sizeof(generation), "%llx", (unsigned long long)e->generation);
	f = file_of(l, e->map.dev, e->map.ino, generation);
	if (!f) {
		late_note_lost(l, 1);
		return;
	}
	fd = is_known(f, family) ? -1 : mapwatch_open(late_looker(l), e);
	arena_own_file(l->env.arena, fd);
	if (fd >= 0) {
		if (!process_object_of_file(fd, e->map.path, &o)) {
			o.main = main;
			look(l, f, &o, e->pid, family);
		}
	} else if (l->alone && !is_known(f, family)) {
		late_count_early(l, e->pid, UINT64_MAX); /* nobody can look what it has */
	}
	arena_release_file(l->env.arena, fd);
	placed = when_placed(l, f, e);
	if (e->time < placed)
		late_count_early(l, e->pid, placed);
}

/* A child has what its parent has mapped. */
static void on_fork(struct late *l, const struct mapwatch_event *e)
{
	struct late_files *files = &l->files;
	const struct intmap_slot *s = intmap_find(&files->early, (uint64_t)e->parent);
	uint64_t placed = s ? s->value : 0;

	intmap_remove(&files->early, (uint64_t)e->pid);
	if (e->time < placed)
		late_count_early(l, e->pid, placed);
}

void late_files_event(struct late *l, const struct mapwatch_event *e)
{

	if (e->kind == MAPWATCH_FORK)
		on_fork(l, e);
	else if (e->kind == MAPWATCH_EXEC)
		(void)intmap_put(&l->files.execed, (uint64_t)e->pid, 1);
	else if (e->kind == MAPWATCH_MAP)
		on_map(l, e);
}
