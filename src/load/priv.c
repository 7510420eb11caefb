// SPDX-License-Identifier: Apache-2.0
/* Checks privileges, and reads the BTF of the kernel and its modules. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/arena.h"
#include "base/transfer.h"
#include "confine/privilege.h"
#include "load/internal.h"
#include "load/load.h"

/* Returns the first line of a file; "" when it cannot be read. */
static char *read_line(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");

	if (!f || !fgets(buf, (int)size, f))
		buf[0] = '\0';
	if (f)
		fclose(f);
	buf[strcspn(buf, "\n")] = '\0';
	return buf;
}

/* True unless ids map to themselves, as in the first user namespace (user_namespaces(7)). */
static bool in_user_namespace(void)
{
	unsigned long first, parent, count;
	char line[128];

	read_line("/proc/self/uid_map", line, sizeof(line));
	if (sscanf(line, "%lu %lu %lu", &first, &parent, &count) != 3)
		return false;
	return first != 0 || parent != 0 || count != UINT32_MAX;
}

/* ---- bpf(2) itself ---- */

/* The smallest thing that needs what tracing needs. */
static int try_bpf(void)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "dtrace", 4, 8, 1, NULL);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

bool load_is_confidential(void)
{
	char line[128];

	read_line("/sys/kernel/security/lockdown", line, sizeof(line));
	return strstr(line, "[confidentiality]");
}

static const char *explain(char *buf, size_t size, int err, const char *caps)
{
	if (err == -ENOSYS)
		snprintf(buf, size,
			"this kernel has no bpf(2): it must be built with CONFIG_BPF_SYSCALL");
	else if (caps)
		snprintf(buf, size,
			"this process may not trace the kernel: run it as root, or with %s", caps);
	else if (in_user_namespace())
		snprintf(buf, size,
			"bpf(2) is refused in a user namespace: run outside of this container");
	else
		snprintf(buf, size,
			"bpf(2) is refused (%s) in spite of all capabilities: a seccomp filter or security module forbids it, as in a container; run outside of it",
			strerror(-err));
	return buf;
}

/*
 * With another's user id, commands of -c and system() would run as that user.  A program with file
 * capabilities does not pass them on (execve(2)).
 */
static bool is_set_user_id(void)
{
	return geteuid() != getuid() || getegid() != getgid();
}

const char *load_privileges(char *buf, size_t size)
{
	const char *caps = privilege_lacking(PRIVILEGE_TRACE);
	int err;

	if (is_set_user_id()) {
		snprintf(buf, size,
			"the program must not be set-user-ID: give its file capabilities instead (setcap cap_bpf,cap_perfmon+ep)");
		return buf;
	}
	err = try_bpf();
	if (err == -ENOSYS || caps || err == -EPERM || err == -EACCES)
		return explain(buf, size, err, caps);
	return NULL;
}

/* ---- the kernel's types ---- */

/* The file can be mapped from 6.16 on; elsewhere it is read into memory of our own. */
static int map_btf(int fd, struct load_btf *btf)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	btf->len = (size_t)st.st_size;
	btf->data = mmap(NULL, btf->len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (btf->data != MAP_FAILED)
		return 0;
	btf->data =
		mmap(NULL, btf->len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	err = btf->data == MAP_FAILED ? -errno : 0;
	if (!err && transfer_read(fd, btf->data, btf->len) != (ssize_t)btf->len)
		err = -EIO;
	if (err && btf->data != MAP_FAILED)
		munmap(btf->data, btf->len);
	if (err)
		*btf = (struct load_btf){0};
	return err;
}

int load_kernel_types(void *arg, const void **data, size_t *len)
{
	struct load_btf *btf = arg, unnamed = {0};
	int fd, err;

	if (!btf)
		btf = &unnamed;
	if (!btf->data) {
		fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		err = map_btf(fd, btf);
		close(fd);
		if (err)
			return err;
	}
	*data = btf->data;
	*len = btf->len;
	return 0;
}

void load_kernel_types_free(struct load_btf *btf)
{
	if (btf->data)
		munmap(btf->data, btf->len);
	*btf = (struct load_btf){0};
}

int load_module_types(void *arg, const char *name, const void **data, size_t *len)
{
	struct arena *a = arg;
	size_t size = 0, cap = 64 * 1024;
	char path[128], *bytes = arena_alloc(a, cap), *more;
	ssize_t n;
	int fd;

	if (strchr(name, '/') ||
		snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name) >= (int)sizeof(path))
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	arena_own_file(a, fd);
	while ((n = transfer_read(fd, bytes + size, cap - size)) > 0) {
		size += (size_t)n;
		if (size < cap)
			continue;
		more = arena_alloc(a, cap * 2);
		memcpy(more, bytes, size);
		bytes = more;
		cap *= 2;
	}
	arena_release_file(a, fd);
	*data = bytes;
	*len = size;
	return n < 0 ? -EIO : 0;
}
