// SPDX-License-Identifier: Apache-2.0
/* Enters the sandbox of the processes that speak to ClickHouse. */
#include "fleet/cage.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>

#include "confine/calls.h"
#include "confine/helper.h"
#include "confine/landlock.h"

/* /etc/resolv.conf is often a link to a file that a service replaces. */
static int allow_resolver(struct landlock *l)
{
	char real[PATH_MAX];

	if (!realpath("/etc/resolv.conf", real))
		return 0;
	return landlock_allow(l, dirname(real), LANDLOCK_READ);
}

static int refuse_files(const char *authority, const char *folder)
{
	static const char *const places[] = {"/etc", "/usr", "/lib", "/lib64",
		"/var/lib/ca-certificates", "/run/nscd", "/run/systemd/resolve", "/proc/sys",
		"/dev/null", "/dev/urandom"};
	struct landlock *l;
	int err = landlock_new(&l);

	if (err)
		return err == -EOPNOTSUPP ? 0 : err;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !err; i++)
		err = landlock_allow(l, places[i], LANDLOCK_READ);
	if (!err)
		err = allow_resolver(l);
	if (!err && authority)
		err = landlock_allow(l, authority, LANDLOCK_READ);
	/* a folder that cannot be opened is not written to either */
	if (!err && folder)
		landlock_allow(l, folder, LANDLOCK_WRITE);
	if (!err)
		return landlock_restrict(l);
	landlock_free(l);
	return err;
}

int cage_enter(const char *authority, const char *folder)
{
	int err = helper_drop_capabilities();

	if (!err)
		err = refuse_files(authority, folder);
	return err ? err : calls_allow(folder ? CALLS_FLEET | CALLS_SPOOL : CALLS_FLEET);
}
