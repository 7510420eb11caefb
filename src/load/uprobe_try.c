// SPDX-License-Identifier: Apache-2.0
/* Tries what uprobes in code of our own do to it. */
#define _GNU_SOURCE /* memfd_create() */
#include "load/uprobe_try.h"
#include "arch/trial.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load/uprobe.h"

#define TIMES 16 /* calls: the first hits only prepare the exchange of a NOP */

#ifndef MFD_EXEC
#define MFD_EXEC 0x10 /* linux/memfd.h since 6.3 */
#endif

typedef uint64_t (*keeper)(uint64_t);

/* Calls the function AT; 0 if it returns WANT each time, 0 standing for its argument. */
static int judge(void *at, uint64_t want, int error)
{
	keeper f;

	memcpy(&f, &at, sizeof(f));
	for (uint64_t i = 1; i <= TIMES; i++)
		if (f(i) != (want ? want : i))
			return error;
	return 0;
}

static int attach(int prog, int file, uint64_t offset, int *event)
{
	const uint64_t cookie = 0;
	const struct uprobe_places p = {
		.file = file, .pid = getpid(), .n = 1, .offsets = &offset, .cookies = &cookie};
	struct uprobe_pmu pmu;
	int link = uprobe_link(prog, &p), err;

	*event = -1;
	if (link >= 0)
		return link;
	err = uprobe_pmu(&pmu);
	return err ? err : uprobe_event(prog, &pmu, &p, event);
}

/* A file of our own with the code, as only mapped files have uprobes. */
static int make_file(const struct trial *t)
{
	int fd = memfd_create("dtrace", MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("dtrace", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, t->code, sizeof(t->code)) == (ssize_t)sizeof(t->code))
		return fd;
	close(fd);
	return -EIO;
}

static int run(const struct trial *t, int prog, uint64_t want, int error)
{
	int file = make_file(t), event = -1, link, err;
	void *at;

	if (file < 0)
		return file;
	at = mmap(NULL, sizeof(t->code), PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	err = at == MAP_FAILED ? -errno : 0;
	link = err ? err : attach(prog, file, t->offset, &event);
	err = link < 0 ? link : judge(at, want, error);
	if (link >= 0)
		close(link);
	if (event >= 0)
		close(event);
	if (at != MAP_FAILED)
		munmap(at, sizeof(t->code));
	close(file);
	return err;
}

int uprobe_try_nop5(int prog)
{
	return trial_replaced() ? run(trial_replaced(), prog, 0, -EFAULT) : 0;
}

int uprobe_try_write(int prog)
{
	return run(trial_written(), prog, TRIAL_RESULT, -EOPNOTSUPP);
}
