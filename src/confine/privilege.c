// SPDX-License-Identifier: Apache-2.0
/* Finds the capabilities that this process lacks for a request, from the table privilege.def. */
#include "confine/privilege.h"

#include <errno.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/magic.h>

/* ---- the table ---- */

#define CAP(name) (1ULL << CAP_##name)

static const struct {
	uint64_t caps, instead;
	const char *what;
} rows[PRIVILEGE_COUNT] = {
#define PRIVILEGE(id, caps, instead, what) [PRIVILEGE_##id] = {caps, instead, what},
#include "confine/privilege.def"
};

/* The sets of capabilities that can be missing; each has a text. */
static const struct {
	uint64_t caps;
	const char *text;
} sets[] = {
	{CAP(BPF), "CAP_BPF"},
	{CAP(PERFMON), "CAP_PERFMON"},
	{CAP(BPF) | CAP(PERFMON), "CAP_BPF and CAP_PERFMON"},
	{CAP(NET_ADMIN), "CAP_NET_ADMIN"},
	{CAP(SYS_ADMIN), "CAP_SYS_ADMIN"},
	{CAP(DAC_READ_SEARCH), "CAP_DAC_READ_SEARCH"},
	{CAP(SYS_ADMIN) | CAP(DAC_READ_SEARCH), "CAP_SYS_ADMIN and CAP_DAC_READ_SEARCH"},
	{CAP(SYSLOG), "CAP_SYSLOG"},
	{CAP(SYS_PTRACE), "CAP_SYS_PTRACE"},
};

/* Returns the text of a set; NULL: it is empty. */
static const char *text_of(uint64_t caps)
{
	for (size_t i = 0; caps && i < sizeof(sets) / sizeof(sets[0]); i++)
		if (sets[i].caps == caps)
			return sets[i].text;
	return NULL;
}

/* ---- this process ---- */

static uint64_t effective(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &head, data))
		return 0;
	return (uint64_t)data[1].effective << 32 | data[0].effective;
}

/* Its files belong to root.  SYS_ADMIN is for mounting it. */
static uint64_t needed_for_tracefs(void)
{
	struct statfs fs;
	bool mounted = !statfs("/sys/kernel/tracing", &fs) && fs.f_type == TRACEFS_MAGIC;

	return (mounted ? 0 : CAP(SYS_ADMIN)) | (geteuid() ? CAP(DAC_READ_SEARCH) : 0);
}

int privilege_event_level(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%d", &level) != 1)
		level = 0;
	fclose(f);
	return level;
}

const char *privilege_lacking(enum privilege p)
{
	uint64_t have = effective(), lacks = rows[p].caps & ~have;

	if (rows[p].instead && (have & rows[p].instead) == rows[p].instead)
		return NULL;
	if (p == PRIVILEGE_TRACEFS)
		lacks &= needed_for_tracefs();
	if (p == PRIVILEGE_EVENTS && privilege_event_level() <= 2)
		return NULL;
	return text_of(lacks);
}

const char *privilege_caps(enum privilege p)
{
	return text_of(rows[p].caps);
}

const char *privilege_what(enum privilege p)
{
	return rows[p].what;
}

int privilege_try_without(int (*act)(void *arg), void *arg)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
	int result;

	if (syscall(SYS_capget, &head, data))
		return -errno;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		none[i] = data[i];
		none[i].effective = 0;
	}
	if (syscall(SYS_capset, &head, none))
		return -errno;
	result = act(arg);
	return syscall(SYS_capset, &head, data) ? -errno : result;
}

int privilege_keep(uint64_t keep)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &head, data))
		return -errno;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].permitted &= (uint32_t)(keep >> 32 * i);
		data[i].effective &= data[i].permitted;
		data[i].inheritable &= (uint32_t)(keep >> 32 * i);
	}
	/* the ambient set follows the others (capabilities(7)) */
	return syscall(SYS_capset, &head, data) ? -errno : 0;
}

bool privilege_is_lent(void)
{
	return getauxval(AT_SECURE) != 0;
}
