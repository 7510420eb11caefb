// SPDX-License-Identifier: Apache-2.0
/* Tries whether a uprobe at a 5-byte NOP changes what a function has below rsp. */
#define _GNU_SOURCE /* memfd_create() */
#include "load/redzone.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load/uprobe.h"

#define NOP   5	 /* offset of the NOP in CODE */
#define TIMES 16 /* the first hits only prepare the exchange */

#ifndef MFD_EXEC
#define MFD_EXEC 0x10 /* linux/memfd.h since 6.3 */
#endif

/* uint64_t f(uint64_t x): keeps x in the red zone across the NOP. */
static const uint8_t code[] = {
	0x48, 0x89, 0x7c, 0x24, 0xf8, /* mov %rdi,-8(%rsp) */
	0x0f, 0x1f, 0x44, 0x00, 0x00, /* nopl 0(%rax,%rax,1) */
	0x48, 0x8b, 0x44, 0x24, 0xf8, /* mov -8(%rsp),%rax */
	0xc3,			      /* ret */
};

typedef uint64_t (*keeper)(uint64_t);

static int keeps(void *at)
{
	keeper f;

	memcpy(&f, &at, sizeof(f));
	for (uint64_t i = 1; i <= TIMES; i++)
		if (f(i) != i)
			return -EFAULT;
	return 0;
}

static int attach(int prog, int file, int *event)
{
	const uint64_t offset = NOP, cookie = 0;
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
static int make_file(void)
{
	int fd = memfd_create("dtrace", MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("dtrace", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, code, sizeof(code)) == (ssize_t)sizeof(code))
		return fd;
	close(fd);
	return -EIO;
}

int redzone_try(int prog)
{
	int file = make_file(), event = -1, link, err;
	void *at;

	if (file < 0)
		return file;
	at = mmap(NULL, sizeof(code), PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	err = at == MAP_FAILED ? -errno : 0;
	link = err ? err : attach(prog, file, &event);
	err = link < 0 ? link : keeps(at);
	if (link >= 0)
		close(link);
	if (event >= 0)
		close(event);
	if (at != MAP_FAILED)
		munmap(at, sizeof(code));
	close(file);
	return err;
}
