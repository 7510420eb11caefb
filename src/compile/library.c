// SPDX-License-Identifier: Apache-2.0
/*
 * Compiles D libraries: the user's before the first program, the system's when a program uses a
 * name that is not known without them.  Most programs never do, and do not pay for them.
 */
#include "compile/private.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input.h"
#include "base/report.h"
#include "base/vec.h"
#include "compile/compiling.h"
#include "compile/libdir.h"
#include "compile/pidns.h"
#include "compile/settings.h"
#include "compile/topology.h"
#include "lang/source.h"
#include "load/feature.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "sema/sema.h"

static int is_library(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 2 && !strcmp(e->d_name + n - 2, ".d");
}

/* Returns the folder of the system's libraries; a message names it if it cannot be read. */
static const char *system_dir(struct compiling *c)
{
	struct libdir l = libdir_find(c->arena, c->set->syslibdir);

	if (l.err)
		report_message(c->report, "%s", libdir_message(c->arena, &l));
	return l.path;
}

static struct library_file *begun(const struct compiling *c, const char *path)
{
	for (uint32_t i = 0; i < c->library.begun.len; i++)
		if (!strcmp(c->library.begun.data[i].path, path))
			return &c->library.begun.data[i];
	return NULL;
}

/* ---- libraries for one kernel or another ---- */

/* Parse "major.minor" or "major.minor.patch" as feature_kernel_version() has it; -1: it is neither.
 */
static int64_t parse_version(const char *text)
{
	int64_t version = 0;
	int parts = 0;

	for (;;) {
		char *end;
		unsigned long n = strtoul(text, &end, 10);

		if (end == text || *text == '+' || *text == '-' || n > 0xffff)
			return -1;
		version = version << 16 | (int64_t)n;
		text = end;
		if (++parts == 3 || *text != '.')
			break;
		text++;
	}
	if (parts < 2 || *text)
		return -1;
	return parts == 2 ? version << 16 : version;
}

static void close_directory(void *in)
{
	closedir(in);
}

static void close_file(void *in)
{
	fclose(in);
}

/* Returns the folder in DIR of the newest kernel that is not newer than this one; NULL = none. */
static const char *versioned_dir(struct compiling *c, const char *dir)
{
	int64_t best = -1, now = feature_kernel_version();
	const char *found = NULL;
	DIR *in = opendir(dir);
	struct dirent *e;

	if (!in)
		return NULL;
	arena_own(c->arena, close_directory, in);
	while ((e = readdir(in))) {
		int64_t version = parse_version(e->d_name);

		if (version > best && version <= now) {
			best = version;
			found = arena_printf(c->arena, "%s/%s", dir, e->d_name);
		}
	}
	arena_release(c->arena, in);
	return found;
}

/* Returns the path of library NAME of DIR; a version for this kernel hides the general one. */
static const char *library_path(struct compiling *c, const char *dir, const char *name)
{
	const char *path;

	if (c->library.versioned) {
		path = arena_printf(c->arena, "%s/%s", c->library.versioned, name);
		if (!access(path, F_OK))
			return path;
	}
	return arena_printf(c->arena, "%s/%s", dir, name);
}

/* Opens a library, which may be part of the program; else it must be a regular file: EINVAL. */
static FILE *open_library(const char *path)
{
	const char *text = libdir_embedded_text(path);

	return text ? fmemopen((void *)text, strlen(text), "r") : input_open_regular(path);
}

static bool is_readable(const char *path)
{
	return libdir_embedded_text(path) || !access(path, R_OK);
}

/* ---- loading ---- */

static bool compile_one(struct compiling *c, const char *dir, const char *name)
{
	const char *path = library_path(c, dir, name), *outer = c->library.dir;
	struct library_file file = {.path = path, .unfinished = true};
	bool skip = c->library.skip, ok;
	uint64_t start = report_now();
	uint32_t number = c->library.begun.len;
	FILE *in;

	if (begun(c, path)) /* another one depends on it */
		return true;
	vec_push(c->arena, &c->library.begun, file);
	in = open_library(path);
	if (!in && errno == EINVAL) {
		check_unread(c, path, "the library is not a regular file");
		return false;
	}
	if (!in) { /* as DTrace does: what cannot be read is skipped */
		report_debug(c->report, "library %s: skipped: %s", path, strerror(errno));
		c->library.begun.data[number].unfinished = false;
		return true;
	}
	arena_own(c->arena, close_file, in);
	c->library.dir = dir;
	c->library.skip = false;
	ok = check_library(c, path, in);
	c->library.begun.data[number].skipped = c->library.skip;
	c->library.begun.data[number].unfinished = false;
	if (!c->library.skip)
		report_debug(c->report, "library %s: %s in %.1f ms", path, ok ? "loaded" : "failed",
			report_ms(start));
	c->library.dir = outer;
	c->library.skip = skip;
	arena_release(c->arena, in);
	return ok;
}

struct library_names {
	struct dirent **list;
	int n;
};

static void free_names(void *what)
{
	struct library_names *names = what;

	for (int i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
}

/* Compile the libraries of DIR whose names are in FROM, which is DIR or a folder in it. */
static bool compile_names(struct compiling *c, const char *dir, const char *from, bool *any)
{
	struct library_names names;
	bool ok = true;

	names.n = scandir(from, &names.list, is_library, alphasort);
	if (names.n < 0) {
		report_debug(c->report, "libraries in %s: skipped: %s", from, strerror(errno));
		return true;
	}
	arena_own(c->arena, free_names, &names);
	for (int i = 0; ok && i < names.n; i++)
		ok = compile_one(c, dir, names.list[i]->d_name);
	*any = *any || names.n;
	arena_release(c->arena, &names);
	return ok;
}

/* Compile all libraries of DIR; unreadable directories and files are skipped. */
static bool compile_directory(struct compiling *c, const char *dir, bool *any)
{
	const char *outer = c->library.versioned;
	bool ok;

	c->library.versioned = versioned_dir(c, dir);
	ok = (!c->library.versioned || compile_names(c, dir, c->library.versioned, any)) &&
		compile_names(c, dir, dir, any);
	c->library.versioned = outer;
	return ok;
}

/* Compile the libraries that are part of the program. */
static bool compile_embedded(struct compiling *c, bool *any)
{
	bool ok = true;

	for (const struct libdir_file *f = libdir_embedded; ok && f->name; f++) {
		ok = compile_one(c, LIBDIR_EMBEDDED, f->name);
		*any = true;
	}
	return ok;
}

static bool compile_text(struct compiling *c, const char *name, const char *text)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	bool ok;

	if (!in)
		return true;
	arena_own(c->arena, close_file, in);
	ok = check_library(c, name, in);
	arena_release(c->arena, in);
	return ok;
}

/* Compile the inlines that describe this machine and container. */
static bool compile_surroundings(struct compiling *c)
{
	const char *text =
		arena_printf(c->arena, "%s%s%s", topology_text(c->arena, "/sys/devices/system"),
			topology_devices(c->arena, "/proc/devices"), topology_units(c->arena));

	return compile_text(c, "topology.d", text) &&
		compile_text(c, "pidns.d", pidns_text(pidns_own() != 0));
}

bool library_load(void *arg)
{
	struct compiling *c = arg;
	const char *dir = system_dir(c);
	bool any = false, ok;

	c->library.system = true;
	ok = compile_surroundings(c) &&
		(!strcmp(dir, LIBDIR_EMBEDDED) && libdir_embedded
				? compile_embedded(c, &any)
				: compile_directory(c, dir, &any));
	c->library.system = false;
	return ok && any;
}

bool library_load_given(struct compiling *c)
{
	bool any, ok = true;

	for (uint32_t i = 0; ok && i < c->set->libdirs.len; i++)
		ok = compile_directory(c, c->set->libdirs.data[i], &any);
	if (!ok) /* they are read again before the next program */
		c->library.begun.len = 0;
	return ok;
}

/* ---- #pragma D depends_on ---- */

static void note(void *arg, const struct probe *p)
{
	*(bool *)arg = true;
}

static bool has_provider(struct compiling *c, const char *name)
{
	struct probe_pattern pat = {name, "", "", ""};
	bool any = false;

	return registry_match(c->registry, &pat, note, &any) > 0 && any;
}

/* True if NAME is the core kernel, or a module that is loaded or built in. */
static bool has_module(struct compiling *c, const char *name)
{
	return !strcmp(name, "vmlinux") ||
		(!strchr(name, '/') &&
			!access(arena_printf(c->arena, "/sys/module/%s", name), F_OK));
}

static void depend_error(struct compiling *c, struct loc loc, const char *kind, const char *name)
{
	diag_add(&c->diags, "D_PRAGMA_DEPEND", loc, "program requires %s %s", kind, name);
}

/* Skip the library that is being compiled: it is not for this machine. */
static void skip_library(struct compiling *c, struct loc loc, const char *kind, const char *name)
{
	c->library.skip = true;
	report_debug(
		c->report, "library %s: skipped: there is no %s %s", loc.src->name, kind, name);
}

/* Reports a library that depends on itself, by way of those that are being compiled. */
static void circular(struct compiling *c, struct loc loc, const struct library_file *first)
{
	const struct library_file *end = &vec_last(&c->library.begun);
	const char *chain = first->path;

	for (const struct library_file *f = first + 1; f <= end; f++)
		if (f->unfinished)
			chain = arena_printf(c->arena, "%s, %s", chain, f->path);
	diag_add(&c->diags, "D_PRAGMA_DEPEND", loc, "circular dependency of libraries: %s, %s",
		chain, first->path);
}

/*
 * Depend on library NAME, of the same folder or of the system.  If it is skipped, so is the one
 * that depends on it.
 */
static void depend_library(struct compiling *c, struct loc loc, const char *name)
{
	const char *path = library_path(c, c->library.dir, name);
	const struct library_file *file;

	if (!is_readable(path)) {
		path = arena_printf(c->arena, "%s/%s", system_dir(c), name);
		if (strchr(name, '/') || c->library.system || !is_readable(path))
			depend_error(c, loc, "library", name);
		else
			sema_libraries(c->sema);
		return;
	}
	compile_one(c, c->library.dir, name);
	file = begun(c, path);
	if (file && file->unfinished)
		circular(c, loc, file);
	else if (file && file->skipped)
		skip_library(c, loc, "library", name);
}

void library_depends(struct compiling *c, struct loc loc, const char *text)
{
	size_t len = strcspn(text, " \t");
	const char *kind = arena_strndup(c->arena, text, len), *name = text + len;
	bool in_library = c->library.dir != NULL, there;

	name += strspn(name, " \t");
	if (!*kind || !*name || strpbrk(name, " \t")) {
		diag_add(&c->diags, "D_PRAGMA_MALFORM", loc,
			"malformed #pragma depends_on provider|module|library <name>");
		return;
	}
	if (!strcmp(kind, "library")) {
		if (in_library)
			depend_library(c, loc, name);
		else
			diag_add(&c->diags, "D_PRAGMA_DEPEND", loc,
				"main program may not explicitly depend on a library");
		return;
	}
	if (!strcmp(kind, "provider")) {
		there = has_provider(c, name);
	} else if (!strcmp(kind, "module")) {
		there = has_module(c, name);
	} else {
		diag_add(&c->diags, "D_PRAGMA_MALFORM", loc,
			"malformed #pragma depends_on provider|module|library <name>");
		return;
	}
	if (there)
		return;
	if (in_library)
		skip_library(c, loc, kind, name);
	else
		depend_error(c, loc, kind, name);
}
