// SPDX-License-Identifier: Apache-2.0
/* Finds separate debug files and unpacks the ELF file in section .gnu_debugdata. */
#include "elf/debugfile.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/heapvec.h"
#include "base/interrupt.h"
#include "base/rooted.h"
#include "base/transfer.h"
#include "confine/looker.h"
#include "elf/file.h"

#define DEBUG_DIR      "/usr/lib/debug"
#define DIR_SIZE       4096
#define PATH_SIZE      (3 * DIR_SIZE)
#define MAX_UNPACKED   (256u << 20)
#define SMALL_UNPACKED (16u << 20) /* bytes that few may unpack to */
#define PACKED_MOST    64	   /* times the bytes that more unpack to */
#define UNPACK_AT_ONCE (64u << 10)
#define UNPACKER_LIMIT (128u << 20)  /* bytes of memory that it may take */
#define FILE_MOST      (16ull << 30) /* bytes of a debug file; browsers' have 4 GB */
#define CHECKED_MOST   (2ull << 30)  /* bytes of one whose checksum is made, in two seconds */

/* The properties that a debug file must have. */
struct wanted {
	const char *root; /* "": ours */
	pid_t pid;	  /* whose it is */
	const struct looker *by;
	enum elf_debug_part part;
	uint8_t id[64];
	size_t id_len; /* 0: LINK and CRC decide */
	char *link;    /* content of .gnu_debuglink: a name, padding to 4, a checksum */
	uint32_t crc;
	uint64_t *check_left; /* as in struct elf_place */
	struct stat self;     /* the file whose debug file it is */
};

bool elf_debug_has(const struct elf_file *f, enum elf_debug_part part)
{
	const Elf64_Shdr *sh;

	if (part == ELF_DEBUG_SYMBOLS) {
		sh = elf_file_section(f, NULL, SHT_SYMTAB);
	} else {
		sh = elf_file_section(f, ".debug_info", 0);
		if (!sh)
			sh = elf_file_section(f, ".zdebug_info", 0);
	}
	return sh && sh->sh_type != SHT_NOBITS && sh->sh_size;
}

/* The file may grow while it is read, and may be made to take as long as possible. */
static bool crc_is(int fd, uint32_t want, uint64_t *left)
{
	const size_t size = 64 * 1024;
	const unsigned requests = interrupt_count();
	unsigned char *buf = malloc(size);
	uLong crc = crc32(0, NULL, 0);
	ssize_t n = -1;

	while (buf && interrupt_count() == requests && (n = transfer_read(fd, buf, size)) > 0) {
		if ((uint64_t)n > *left) {
			*left = 0;
			break;
		}
		*left -= (uint64_t)n;
		crc = crc32(crc, buf, (uInt)n);
	}
	free(buf);
	return n == 0 && (uint32_t)crc == want;
}

static bool is_wanted(int fd, const struct wanted *w)
{
	uint64_t most = CHECKED_MOST;
	struct elf_file f;
	uint8_t id[64];
	struct stat st;
	size_t len;
	bool has;

	if (fstat(fd, &st) || (st.st_dev == w->self.st_dev && st.st_ino == w->self.st_ino))
		return false;
	if (elf_file_open(&f, fd))
		return false;
	len = elf_file_build_id(&f, id);
	has = elf_debug_has(&f, w->part);
	elf_file_close(&f);
	if (!has)
		return false;
	if (w->id_len)
		return len == w->id_len && !memcmp(id, w->id, len);
	return w->link && (uint64_t)st.st_size <= most &&
		crc_is(fd, w->crc, w->check_left ? w->check_left : &most);
}

/* Opens PATH below ROOT, one of those of W, with the rights of another if ours do not suffice. */
static int open_below(const struct wanted *w, const char *root, const char *path)
{
	struct look l = {.what = LOOK_FILE, .path = path};
	int fd = rooted_open_regular(root, path, FILE_MOST);

	if (fd >= 0 || !w->by || (fd == -ENOENT && !*root))
		return fd;
	l.pid = *root ? w->pid : 0;
	return looker_open(w->by, &l);
}

/* Opens PREFIX DIR NAME below ROOT if it is the wanted file; else -1. */
static int try_path(const struct wanted *w, const char *root, const char *prefix, const char *dir,
	const char *name)
{
	char path[PATH_SIZE];
	int fd;

	if (snprintf(path, sizeof(path), "%s%s%s", prefix, dir, name) >= (int)sizeof(path))
		return -1;
	fd = open_below(w, root, path);
	if (fd >= 0 && !is_wanted(fd, w)) {
		close(fd);
		fd = -1;
	}
	return fd < 0 ? -1 : fd;
}

static int by_build_id(const struct wanted *w)
{
	char name[2 * 64 + 32];
	size_t at;
	int fd;

	if (w->id_len < 2)
		return -1;
	at = (size_t)snprintf(name, sizeof(name), "/.build-id/%02x/", w->id[0]);
	for (size_t i = 1; i < w->id_len; i++)
		at += (size_t)snprintf(name + at, sizeof(name) - at, "%02x", w->id[i]);
	snprintf(name + at, sizeof(name) - at, ".debug");
	fd = try_path(w, w->root, DEBUG_DIR, name, "");
	return fd < 0 && *w->root ? try_path(w, "", DEBUG_DIR, name, "") : fd;
}

/* Copies the folder of PATH, with a slash at its end; false if it is too long. */
static bool dir_of(const char *path, char *dir, size_t size)
{
	const char *slash = strrchr(path, '/');

	return snprintf(dir, size, "%.*s", slash ? (int)(slash + 1 - path) : 0, path) < (int)size;
}

bool elf_debug_folder(int fd, char *dir, size_t size)
{
	char self[64], path[DIR_SIZE];
	ssize_t n;

	if (fd < 0)
		return false;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	n = readlink(self, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	return *path == '/' && dir_of(path, dir, size);
}

static int by_link_in(const struct wanted *w, const char *dir)
{
	int fd = try_path(w, w->root, "", dir, w->link);
	char hidden[DIR_SIZE + 8];

	if (fd >= 0)
		return fd;
	snprintf(hidden, sizeof(hidden), "%s.debug/", dir);
	fd = try_path(w, w->root, "", hidden, w->link);
	return fd < 0 && *dir == '/' ? try_path(w, w->root, DEBUG_DIR, dir, w->link) : fd;
}

static int by_link(const struct elf_file *f, const char *path, const struct wanted *w)
{
	char dir[DIR_SIZE], other[DIR_SIZE];
	bool known = elf_debug_folder(f->fd, dir, sizeof(dir));
	int fd = w->link && known ? by_link_in(w, dir) : -1;

	if (fd >= 0 || !w->link || !path || !dir_of(path, other, sizeof(other)))
		return fd;
	return known && !strcmp(dir, other) ? -1 : by_link_in(w, other);
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

int elf_debug_open(const struct elf_file *f, const struct elf_place *at, enum elf_debug_part part)
{
	struct wanted w = {.root = at->root ? at->root : "",
		.pid = at->pid,
		.by = at->by,
		.part = part,
		.check_left = at->check_left};
	int fd;

	if (f->fd >= 0 && fstat(f->fd, &w.self))
		return -1;
	w.id_len = elf_file_build_id(f, w.id);
	read_link(f, &w);
	fd = by_build_id(&w);
	if (fd < 0)
		fd = by_link(f, at->path, &w);
	free(w.link);
	return fd;
}

int elf_debug_open_alt(int debug_fd, const char *root, const char *name, const void *id, size_t len)
{
	struct wanted w = {.root = root ? root : "", .part = ELF_DEBUG_DWARF, .id_len = len};
	char dir[DIR_SIZE] = "";
	int fd;

	if (!len || len > sizeof(w.id) || fstat(debug_fd, &w.self))
		return -1;
	memcpy(w.id, id, len);
	if (*name != '/' && !elf_debug_folder(debug_fd, dir, sizeof(dir)))
		return -1;
	fd = try_path(&w, w.root, "", dir, name);
	if (fd < 0 && *w.root)
		fd = try_path(&w, "", "", dir, name);
	return fd < 0 ? by_build_id(&w) : fd;
}

/* Unpacks PACKED, SIZE bytes of an xz stream: 0, -ENOENT when it is broken, -ENOMEM. */
static int unpack(const void *packed, size_t size, uint8_t **out, size_t *len)
{
	lzma_stream s = LZMA_STREAM_INIT;
	HEAPVEC(uint8_t) data = {0};
	lzma_ret r = lzma_stream_decoder(&s, UNPACKER_LIMIT, 0);
	const unsigned requests = interrupt_count();
	/* symbols are packed to a fifth */
	const uint64_t most = size < SMALL_UNPACKED / PACKED_MOST ? SMALL_UNPACKED
		: size < MAX_UNPACKED / PACKED_MOST		  ? size * PACKED_MOST
								  : MAX_UNPACKED;

	s.next_in = packed;
	s.avail_in = size;
	while (r == LZMA_OK) {
		if (s.total_out > most || interrupt_count() != requests ||
			heapvec_reserve(&data, s.total_out + UNPACK_AT_ONCE)) {
			r = LZMA_MEM_ERROR;
			break;
		}
		s.next_out = data.data + s.total_out;
		s.avail_out = data.cap - s.total_out;
		r = lzma_code(&s, LZMA_FINISH);
	}
	*len = s.total_out;
	*out = data.data;
	lzma_end(&s);
	if (r == LZMA_STREAM_END)
		return 0;
	heapvec_free(&data);
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
