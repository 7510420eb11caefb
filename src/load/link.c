// SPDX-License-Identifier: Apache-2.0
/* Links a compiled object with the run-time library, by libbpf's linker. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/transfer.h"
#include "load/internal.h"
#include "load/rt_image.h"

/* libbpf's linker takes paths only. */
struct memfile {
	int fd;
	char path[32];
};

static int memfile_new(struct memfile *f, const char *name, const void *data, size_t len)
{
	f->fd = memfd_create(name, MFD_CLOEXEC);
	if (f->fd < 0)
		return -errno;
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	return transfer_write(f->fd, data, len);
}

static int map_file(struct load *l, int fd)
{
	struct stat st;
	void *data;

	if (fstat(fd, &st))
		return -errno;
	if (!st.st_size)
		return -EIO;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	l->linked = data;
	l->linked_len = (size_t)st.st_size;
	return 0;
}

static int run_linker(const char *out, const char *image, const char *rt)
{
	struct bpf_linker *linker = bpf_linker__new(out, NULL);
	int err;

	if (!linker)
		return -errno;
	/* first the image: its definition of the scratch map wins over the weak one */
	err = bpf_linker__add_file(linker, image, NULL);
	if (!err)
		err = bpf_linker__add_file(linker, rt, NULL);
	if (!err)
		err = bpf_linker__finalize(linker);
	bpf_linker__free(linker);
	return err;
}

int load_link(struct load *l)
{
	struct memfile image = {.fd = -1}, rt = {.fd = -1}, out = {.fd = -1};
	char why[256];
	size_t rt_len;
	const void *rt_data = rt_image(l->image.needs_rt, &rt_len);
	int err;

	err = memfile_new(&image, "dtrace image", l->image.elf, l->image.elf_len);
	if (!err)
		err = memfile_new(&rt, "dtrace rt", rt_data, rt_len);
	if (!err)
		err = memfile_new(&out, "dtrace linked", NULL, 0);
	if (!err)
		err = run_linker(out.path, image.path, rt.path);
	if (!err)
		err = map_file(l, out.fd);
	if (err)
		load_fail(l, err, "cannot link the run-time library: %s%s", strerror(-err),
			load_complaint(l, why, sizeof(why)));
	if (image.fd >= 0)
		close(image.fd);
	if (rt.fd >= 0)
		close(rt.fd);
	if (out.fd >= 0)
		close(out.fd);
	return err;
}
