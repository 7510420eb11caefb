// SPDX-License-Identifier: Apache-2.0
/*
 * Symbols that are kept apart from their file: separate debug files, at the places that gdb's
 * manual gives for them, and the xz-packed ELF file in section .gnu_debugdata.
 */
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "elf/file.h"

#define DEBUG_DIR      "/usr/lib/debug"
#define PATH_SIZE      (3 * 4096)
#define MAX_UNPACKED   (256u << 20)
#define UNPACKER_LIMIT (128u << 20) /* bytes of memory that it may take */

/* What tells whether a debug file is that of a file. */
struct wanted {
	const char *root;
	uint8_t id[64];
	size_t id_len;
	char *link; /* content of .gnu_debuglink: a name, padding to 4, a checksum */
	uint32_t crc;
	struct stat self;
};

static bool crc_is(int fd, uint32_t want)
{
	const size_t size = 64 * 1024;
	unsigned char *buf = malloc(size);
	uLong crc = crc32(0, NULL, 0);
	ssize_t n = -1;

	while (buf && (n = read(fd, buf, size)) > 0)
		crc = crc32(crc, buf, (uInt)n);
	free(buf);
	return n == 0 && (uint32_t)crc == want;
}

static bool is_wanted(int fd, const struct wanted *w)
{
	struct elf_file f;
	uint8_t id[64];
	struct stat st;
	size_t len;

	if (fstat(fd, &st) || (st.st_dev == w->self.st_dev && st.st_ino == w->self.st_ino))
		return false;
	if (elf_file_open(&f, fd))
		return false;
	len = elf_file_build_id(&f, id);
	elf_file_close(&f);
	if (w->id_len)
		return len == w->id_len && !memcmp(id, w->id, len);
	return w->link && crc_is(fd, w->crc);
}

/* The file at DIR NAME below the root, when it is the one wanted; or -1. */
static int try_path(const struct wanted *w, const char *prefix, const char *dir, const char *name)
{
	char path[PATH_SIZE];
	int fd;

	if (snprintf(path, sizeof(path), "%s%s%s%s", w->root, prefix, dir, name) >=
		(int)sizeof(path))
		return -1;
	/* it may be anything, in a container that isn't ours: not to be waited for */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && !is_wanted(fd, w)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int by_build_id(const struct wanted *w)
{
	char name[2 * 64 + 32];
	size_t at;

	if (w->id_len < 2)
		return -1;
	at = (size_t)snprintf(name, sizeof(name), "/.build-id/%02x/", w->id[0]);
	for (size_t i = 1; i < w->id_len; i++)
		at += (size_t)snprintf(name + at, sizeof(name) - at, "%02x", w->id[i]);
	snprintf(name + at, sizeof(name) - at, ".debug");
	return try_path(w, DEBUG_DIR, name, "");
}

static int by_link(const struct elf_file *f, const struct wanted *w)
{
	char self[64], dir[PATH_SIZE / 3];
	ssize_t n;
	char *slash;
	int fd;

	if (!w->link || f->fd < 0)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", f->fd);
	n = readlink(self, dir, sizeof(dir) - 1);
	dir[n > 0 ? n : 0] = '\0';
	slash = *dir == '/' ? strrchr(dir, '/') : NULL;
	if (!slash)
		return -1;
	slash[1] = '\0';
	fd = try_path(w, "", dir, w->link);
	if (fd < 0) {
		char hidden[sizeof(dir) + 8];

		snprintf(hidden, sizeof(hidden), "%s.debug/", dir);
		fd = try_path(w, "", hidden, w->link);
	}
	return fd >= 0 ? fd : try_path(w, DEBUG_DIR, dir, w->link);
}

static void read_link(const struct elf_file *f, struct wanted *w)
{
	const Elf64_Shdr *sh = elf_file_section(f, ".gnu_debuglink", 0);
	size_t at;

	w->link = sh && sh->sh_size < 4096 ? elf_file_content(f, sh) : NULL;
	if (!w->link)
		return;
	at = (strlen(w->link) + 1 + 3) & ~(size_t)3;
	if (!*w->link || strchr(w->link, '/') || at + sizeof(w->crc) > sh->sh_size) {
		free(w->link);
		w->link = NULL;
		return;
	}
	memcpy(&w->crc, w->link + at, sizeof(w->crc));
}

int elf_debug_open(const struct elf_file *f, const char *root)
{
	struct wanted w = {.root = root ? root : ""};
	int fd;

	if (f->fd >= 0 && fstat(f->fd, &w.self))
		return -1;
	w.id_len = elf_file_build_id(f, w.id);
	read_link(f, &w);
	fd = by_build_id(&w);
	if (fd < 0)
		fd = by_link(f, &w);
	if (fd < 0 && *w.root) {
		/* packages of debug symbols are rather outside of a container */
		w.root = "";
		fd = by_build_id(&w);
	}
	free(w.link);
	return fd;
}

/* All of PACKED, SIZE bytes of an xz stream: 0, -ENOENT when it is broken, -ENOMEM. */
static int unpack(const void *packed, size_t size, uint8_t **out, size_t *len)
{
	lzma_stream s = LZMA_STREAM_INIT;
	size_t cap = size * 4 + 64 * 1024;
	uint8_t *data = malloc(cap), *bigger;
	lzma_ret r = data ? lzma_stream_decoder(&s, UNPACKER_LIMIT, 0) : LZMA_MEM_ERROR;

	s.next_in = packed;
	s.avail_in = size;
	while (r == LZMA_OK) {
		if (s.total_out == cap) {
			bigger = cap < MAX_UNPACKED ? realloc(data, cap * 2) : NULL;
			if (!bigger) {
				r = LZMA_MEM_ERROR;
				break;
			}
			data = bigger;
			cap *= 2;
		}
		s.next_out = data + s.total_out;
		s.avail_out = cap - s.total_out;
		r = lzma_code(&s, LZMA_FINISH);
	}
	*len = s.total_out;
	*out = data;
	lzma_end(&s);
	if (r == LZMA_STREAM_END)
		return 0;
	free(data);
	return r == LZMA_MEM_ERROR ? -ENOMEM : -ENOENT;
}

int elf_minidebug_open(const struct elf_file *f, struct elf_file *d)
{
	const Elf64_Shdr *sh = elf_file_section(f, ".gnu_debugdata", SHT_PROGBITS);
	char *packed = sh ? elf_file_content(f, sh) : NULL;
	uint8_t *data;
	size_t len;
	int r;

	if (!packed)
		return -ENOENT;
	r = unpack(packed, sh->sh_size, &data, &len);
	free(packed);
	if (r)
		return r;
	if (elf_file_memory(d, data, len)) {
		free(data);
		return -ENOENT;
	}
	d->owned = data;
	return 0;
}
