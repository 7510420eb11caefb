// SPDX-License-Identifier: Apache-2.0
/*
 * D libraries: the *.d files of the library directory, compiled when a program uses a name that
 * is not known without them.  Most programs never do, and do not pay for them.
 */
#include "session/debug.h"
#include "session/handle.h"
#include "session/filters.h"
#include "session/topology.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static int is_library(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 2 && !strcmp(e->d_name + n - 2, ".d");
}

/* In a build tree, beside the program; else where they are installed. */
static const char *system_dir(struct dtrace *d)
{
	const char *set = options_string(d->opts, OPT_syslibdir);
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;
	const char *beside;

	if (set)
		return set;
	if (n > 0) {
		exe[n] = '\0';
		slash = strrchr(exe, '/');
		beside = arena_printf(d->arena, "%.*s/dlib", slash ? (int)(slash - exe) : 0, exe);
		if (slash && !access(beside, R_OK))
			return beside;
	}
	return DTRACE_LIBDIR;
}

static struct library_file *begun(const struct dtrace *d, const char *path)
{
	for (uint32_t i = 0; i < d->library.begun.len; i++)
		if (!strcmp(d->library.begun.data[i].path, path))
			return &d->library.begun.data[i];
	return NULL;
}

/* ---- libraries for one kernel or another ---- */

/* TEXT is "major.minor" or "major.minor.patch", and what TAIL permits behind it; -1 = it is not. */
static int64_t parse_version(const char *text, const char *tail)
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
	if (parts < 2 || (*text && !strchr(tail, *text)))
		return -1;
	return parts == 2 ? version << 16 : version;
}

static int64_t running_version(void)
{
	struct utsname u;

	return uname(&u) ? -1 : parse_version(u.release, ".-+_");
}

/* The folder in DIR of the newest kernel that is no newer than this one; NULL = there is none. */
static const char *versioned_dir(struct dtrace *d, const char *dir)
{
	int64_t best = -1, now = running_version();
	const char *found = NULL;
	DIR *in = opendir(dir);
	struct dirent *e;

	while (in && (e = readdir(in))) {
		int64_t version = parse_version(e->d_name, "");

		if (version > best && version <= now) {
			best = version;
			found = arena_printf(d->arena, "%s/%s", dir, e->d_name);
		}
	}
	if (in)
		closedir(in);
	return found;
}

/* Library NAME of DIR: that for this kernel hides the one for all. */
static const char *library_path(struct dtrace *d, const char *dir, const char *name)
{
	const char *path;

	if (d->library.versioned) {
		path = arena_printf(d->arena, "%s/%s", d->library.versioned, name);
		if (!access(path, F_OK))
			return path;
	}
	return arena_printf(d->arena, "%s/%s", dir, name);
}

/* ---- loading ---- */

static bool compile_one(struct dtrace *d, const char *dir, const char *name)
{
	const char *path = library_path(d, dir, name), *outer = d->library.dir;
	struct library_file file = {.path = path};
	bool skip = d->library.skip, ok;
	uint64_t start = debug_now();
	FILE *in;

	if (begun(d, path)) /* another one depends on it */
		return true;
	vec_push(d->arena, &d->library.begun, file);
	in = fopen(path, "re");
	if (!in) { /* as DTrace does: what cannot be read is skipped */
		debug(d, "library %s: skipped: %s", path, strerror(errno));
		return true;
	}
	d->library.dir = dir;
	d->library.skip = false;
	ok = compile_library(d, path, in);
	if (d->library.skip)
		begun(d, path)->skipped = true;
	else
		debug(d, "library %s: %s in %.1f ms", path, ok ? "loaded" : "failed",
			debug_ms(start));
	d->library.dir = outer;
	d->library.skip = skip;
	fclose(in);
	return ok;
}

/* The libraries of DIR whose names are in FROM, which is DIR or a folder in it. */
static bool compile_names(struct dtrace *d, const char *dir, const char *from, bool *any)
{
	struct dirent **list;
	int n = scandir(from, &list, is_library, alphasort);
	bool ok = true;

	if (n < 0)
		debug(d, "libraries in %s: skipped: %s", from, strerror(errno));
	for (int i = 0; i < n; i++) {
		ok = ok && compile_one(d, dir, list[i]->d_name);
		*any = true;
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return ok;
}

/* Directories and files that cannot be read are skipped. */
static bool compile_directory(struct dtrace *d, const char *dir, bool *any)
{
	d->library.versioned = versioned_dir(d, dir);
	return (!d->library.versioned || compile_names(d, dir, d->library.versioned, any)) &&
		compile_names(d, dir, dir, any);
}

static bool compile_text(struct dtrace *d, const char *name, const char *text)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	bool ok = !in || compile_library(d, name, in);

	if (in)
		fclose(in);
	return ok;
}

/* What differs from machine to machine, and from container to container. */
static bool compile_surroundings(struct dtrace *d)
{
	const char *text =
		arena_printf(d->arena, "%s%s%s", topology_text(d->arena, "/sys/devices/system"),
			topology_devices(d->arena, "/proc/devices"), topology_tick(d->arena));

	return compile_text(d, "topology.d", text) &&
		compile_text(d, "pidns.d", pidns_text(pidns_own() != 0));
}

bool library_load(void *arg)
{
	struct dtrace *d = arg;
	bool any = false, ok;
	const char *dir;

	d->library.system = true;
	ok = compile_surroundings(d) && compile_directory(d, system_dir(d), &any);
	d->library.system = false;
	for (uint32_t i = 0; ok && (dir = options_nth(d->opts, OPT_libdir, i)); i++)
		ok = compile_directory(d, dir, &any);
	return ok && any;
}

/* ---- #pragma D depends_on ---- */

static void note(void *arg, const struct probe *p)
{
	*(bool *)arg = true;
}

static bool has_provider(struct dtrace *d, const char *name)
{
	struct probe_pattern pat = {name, "", "", ""};
	bool any = false;

	return registry_match(d->registry, &pat, note, &any) > 0 && any;
}

/* The core kernel, or a module that is loaded or built in. */
static bool has_module(struct dtrace *d, const char *name)
{
	return !strcmp(name, "vmlinux") ||
		(!strchr(name, '/') &&
			!access(arena_printf(d->arena, "/sys/module/%s", name), F_OK));
}

static void depend_error(struct dtrace *d, struct loc loc, const char *kind, const char *name)
{
	diag_add(&d->diags, "D_PRAGMA_DEPEND", loc, "program requires %s %s", kind, name);
}

/* The library that is being compiled is not for this machine. */
static void skip_library(struct dtrace *d, struct loc loc, const char *kind, const char *name)
{
	d->library.skip = true;
	debug(d, "library %s: skipped: there is no %s %s", loc.src->name, kind, name);
}

/* One that is not there, or is skipped itself, is there for no other. */
static void depend_library(struct dtrace *d, struct loc loc, const char *name)
{
	const char *path = library_path(d, d->library.dir, name);
	const struct library_file *file;

	if (!access(path, R_OK)) {
		compile_one(d, d->library.dir, name);
		file = begun(d, path);
		if (file && !file->skipped)
			return;
	}
	skip_library(d, loc, "library", name);
}

void library_depends(struct dtrace *d, struct loc loc, const char *text)
{
	size_t len = strcspn(text, " \t");
	const char *kind = arena_strndup(d->arena, text, len), *name = text + len;
	bool in_library = d->library.dir != NULL, there;

	name += strspn(name, " \t");
	if (!*kind || !*name || strpbrk(name, " \t")) {
		diag_add(&d->diags, "D_PRAGMA_MALFORM", loc,
			"malformed #pragma depends_on provider|module|library <name>");
		return;
	}
	if (!strcmp(kind, "library")) {
		if (in_library)
			depend_library(d, loc, name);
		else
			diag_add(&d->diags, "D_PRAGMA_DEPEND", loc,
				"main program may not explicitly depend on a library");
		return;
	}
	if (!strcmp(kind, "provider")) {
		there = has_provider(d, name);
	} else if (!strcmp(kind, "module")) {
		there = has_module(d, name);
	} else {
		diag_add(&d->diags, "D_PRAGMA_MALFORM", loc,
			"malformed #pragma depends_on provider|module|library <name>");
		return;
	}
	if (there)
		return;
	if (in_library)
		skip_library(d, loc, kind, name);
	else
		depend_error(d, loc, kind, name);
}
