// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* strerrorname_np */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/capability.h>

#include "load/feature.h"
#include "load/feature_try.h"
#include "load/load.h"

#define TRACEFS_UNTRIED INT_MIN

struct answer {
	bool known, has;
	char why[384];
};

struct features {
	struct types *types;
	int tracefs; /* TRACEFS_UNTRIED, or what features_tracefs() returns */
	struct answer answers[FEATURE_MAX];
};

static const struct {
	const char *name, *needs;
} rows[FEATURE_MAX] = {
#define FEATURE(id, name, needs) {name, needs},
#include "probe/features.def"
#undef FEATURE
};

/* From which kernel on it is there, for those that are younger than the oldest we run on. */
static const struct {
	int major, minor;
} since[FEATURE_MAX] = {
	[FEATURE_RAW_TP_COOKIE] = {6, 10},
	[FEATURE_KPROBE_MULTI] = {5, 18},
	[FEATURE_KPROBE_SESSION] = {6, 10},
	[FEATURE_NETFILTER] = {6, 4},
	[FEATURE_UPROBE_MULTI] = {6, 6},
};

const char *feature_name(enum feature feature)
{
	return rows[feature].name;
}

const char *feature_needs(enum feature feature)
{
	return rows[feature].needs;
}

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
		if (!access(path, X_OK))
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

static bool is_older(enum feature feature, struct utsname *u)
{
	int major, minor;

	if (!since[feature].major || uname(u) || sscanf(u->release, "%d.%d", &major, &minor) != 2)
		return false;
	if (major != since[feature].major)
		return major < since[feature].major;
	return minor < since[feature].minor;
}

/* Whether it has every capability that the tries could ask for; load_privileges() wants fewer. */
static bool is_all_powerful(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	const uint32_t need[2] = {
		CAP_TO_MASK(CAP_SYS_ADMIN) | CAP_TO_MASK(CAP_NET_ADMIN), CAP_TO_MASK(CAP_SYSLOG)};

	if (syscall(SYS_capget, &head, data))
		return false;
	return (data[0].effective & need[0]) == need[0] && (data[1].effective & need[1]) == need[1];
}

/* The cause, the surest first: no privileges, an option that is off, an old kernel. */
static void explain(
	enum feature feature, const struct feature_attempt *a, int err, struct answer *out)
{
	const char *name = feature_name(feature), *off, *code = strerrorname_np(-err);
	char refused[128], why[256];
	struct utsname u;

	if ((err == -EPERM || err == -EACCES) && load_privileges(why, sizeof(why))) {
		snprintf(out->why, sizeof(out->why), "%s: %s", name, why);
		return;
	}
	snprintf(refused, sizeof(refused), "%s: the kernel refuses %s (%s)", name,
		a->what ? a->what : "it", code ? code : "?");
	off = feature_option_off(feature, a->types);
	if (is_older(feature, &u))
		snprintf(out->why, sizeof(out->why), "%s: it is there from Linux %d.%d on", refused,
			since[feature].major, since[feature].minor);
	else if (off)
		snprintf(out->why, sizeof(out->why), "%s: %s is off", refused, off);
	else if (a->note[0])
		snprintf(out->why, sizeof(out->why), "%s: %s", refused, a->note);
	else if ((err == -EPERM || err == -EACCES) && !is_all_powerful())
		snprintf(out->why, sizeof(out->why),
			"%s: it may take more capabilities, as root has them", refused);
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
	if (err)
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
