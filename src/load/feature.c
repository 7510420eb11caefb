// SPDX-License-Identifier: Apache-2.0
/* Answers which features the kernel has, by trying each when it is first asked for. */
#define _GNU_SOURCE /* strerrorname_np */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "confine/privilege.h"
#include "load/feature.h"
#include "load/feature_try.h"
#include "load/load.h"

#define TRACEFS_UNTRIED INT_MIN

struct answer {
	bool known, has;
	const char *lacks; /* capabilities that it takes, or NULL */
	char why[384];
};

struct features {
	struct types *types;
	int tracefs; /* TRACEFS_UNTRIED, or what features_tracefs() returns */
	struct answer answers[FEATURE_ALL];
};

static const struct {
	const char *name, *needs;
	enum privilege privilege;
} rows[FEATURE_MAX] = {
#define FEATURE(id, name, try, privilege, needs) \
	[FEATURE_##id] = {name, needs, PRIVILEGE_##privilege},
#include "probe/features.def"
};

const char *feature_name(enum feature feature)
{
	return rows[feature].name;
}

const char *feature_needs(enum feature feature)
{
	return rows[feature].needs;
}

/* ---- the kernel's version ---- */

int64_t feature_kernel_version(void)
{
	unsigned major, minor, patch = 0;
	struct utsname u;

	if (uname(&u) || sscanf(u.release, "%u.%u.%u", &major, &minor, &patch) < 2 ||
		major > UINT16_MAX || minor > UINT16_MAX || patch > UINT16_MAX)
		return -1;
	return (int64_t)major << 32 | (int64_t)minor << 16 | patch;
}

/* ---- all features ---- */

struct features *features_new(struct types *types)
{
	struct features *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->types = types;
	f->tracefs = TRACEFS_UNTRIED;
	return f;
}

void features_free(struct features *f)
{
	if (f && f->tracefs >= 0)
		close(f->tracefs);
	free(f);
}

/* ---- tracefs ---- */

static int open_tracefs(void)
{
	static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	int fs, fd;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char path[64];

		snprintf(path, sizeof(path), "%s/events", places[i]);
		/* not access(2), which asks for the real user, without capabilities */
		if (!faccessat(AT_FDCWD, path, X_OK, AT_EACCESS))
			return open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	/* a mount that is in no mount table, and gone when its descriptor is closed */
	fs = fsopen("tracefs", FSOPEN_CLOEXEC);
	if (fs < 0)
		return -1;
	fd = fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0);
	if (!fd)
		fd = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	close(fs);
	return fd;
}

int features_tracefs(struct features *f)
{
	if (f->tracefs == TRACEFS_UNTRIED) {
		f->tracefs = open_tracefs();
		if (f->tracefs < 0)
			f->tracefs = -errno;
	}
	return f->tracefs;
}

/* ---- why not ---- */

/* Returns the capabilities that a try needed and this process lacks, or NULL. */
static const char *lacking(enum feature feature, int err)
{
	const char *lacks;

	if (err != -EPERM && err != -EACCES)
		return NULL;
	lacks = privilege_lacking(rows[feature].privilege);
	/* perf_event_open(2) says EACCES, bpf(2) EPERM */
	return lacks || err != -EACCES ? lacks : privilege_lacking(PRIVILEGE_EVENTS);
}

/*
 * Explains the cause, the surest first: no privileges, an option that is off.  What an option
 * brings can also be missing because the kernel is older than the option.
 */
static void explain(
	enum feature feature, const struct feature_attempt *a, int err, struct answer *out)
{
	const char *name = feature_name(feature), *off, *code = strerrorname_np(-err);
	const char *lacks = lacking(feature, err);
	char refused[128], why[256];

	if ((err == -EPERM || err == -EACCES) && load_privileges(why, sizeof(why))) {
		snprintf(out->why, sizeof(out->why), "%s: %s", name, why);
		return;
	}
	snprintf(refused, sizeof(refused), "%s: the kernel refuses %s (%s)", name,
		a->what ? a->what : "it", code ? code : "?");
	off = feature_option_off(feature, a->types);
	out->lacks = off ? NULL : lacks;
	if (off && strstr(feature_needs(feature), "Linux"))
		snprintf(out->why, sizeof(out->why), "%s: it needs %s", refused,
			feature_needs(feature));
	else if (off)
		snprintf(out->why, sizeof(out->why), "%s: %s is off", refused, off);
	else if (a->note[0])
		snprintf(out->why, sizeof(out->why), "%s: %s", refused, a->note);
	else if (lacks)
		snprintf(out->why, sizeof(out->why), "%s: it takes %s", refused, lacks);
	else if ((err == -EPERM || err == -EACCES) && feature_has_options(feature))
		snprintf(out->why, sizeof(out->why), "%s, although it has %s", refused,
			feature_needs(feature));
	else
		snprintf(out->why, sizeof(out->why), "%s: it needs %s", refused,
			feature_needs(feature));
}

static struct answer *answer(struct features *f, enum feature feature)
{
	struct answer *x = &f->answers[feature];
	struct feature_attempt a = {.types = f->types, .features = f};
	int err;

	if (x->known)
		return x;
	x->known = true;
	err = feature_try(feature, &a);
	x->has = !err;
	if (err && feature < FEATURE_MAX)
		explain(feature, &a, err, x);
	return x;
}

bool features_has(struct features *f, enum feature feature)
{
	return answer(f, feature)->has;
}

const char *features_why(struct features *f, enum feature feature)
{
	return answer(f, feature)->why;
}

const char *features_lacking(struct features *f, enum feature feature)
{
	return answer(f, feature)->lacks;
}
