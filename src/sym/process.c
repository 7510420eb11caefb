// SPDX-License-Identifier: Apache-2.0
/* Lists the files that a process maps as executable, and opens them. */
#include "sym/process.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/heapvec.h"
#include "base/living.h"
#include "base/rooted.h"
#include "base/transfer.h"
#include "base/vec.h"
#include "confine/looker.h"
#include "elf/file.h"
#include "sym/sym_priv.h"

/* A mapping of a file, as long as the list of all is being made. */
struct part {
	struct map_line m; /* its path is ours */
	uint32_t first;	   /* index of the first mapping of this load of the file */
};

HEAPVEC_STRUCT(parts, struct part);

struct loaded {
	struct process_object o;
	uint64_t end;
};

HEAPVEC_STRUCT(loaded_list, struct loaded);

static bool same_file(const struct map_line *a, const struct map_line *b)
{
	return a->ino == b->ino && a->dev == b->dev && !strcmp(a->path, b->path);
}

static int add_part(void *arg, const struct map_line *m)
{
	struct parts *p = arg;
	struct part part;

	if (!m->ino || *m->path != '/')
		return 0;
	/* the mapping of a file's head starts a load of it */
	part = (struct part){*m, p->len};
	for (uint32_t i = p->len; m->off && i-- > 0;) {
		if (!same_file(&p->data[i].m, m))
			continue;
		part.first = p->data[i].first;
		break;
	}
	part.m.path = strdup(m->path);
	if (!part.m.path)
		return -ENOMEM;
	if (heapvec_push(p, part)) {
		free((char *)part.m.path);
		return -ENOMEM;
	}
	return 0;
}

static void parts_free(struct parts *p)
{
	vec_for (part, p)
		free((char *)part->m.path);
	heapvec_free(p);
}

/*
 * The bias of F, whose executable segment is mapped by M.  Mappings are made of whole pages, and
 * one can be split: by mprotect(2), or by the kernel for a part on huge pages.
 */
static bool find_bias(const struct elf_file *f, const struct map_line *m, uint64_t *bias)
{
	const uint64_t mask = (uint64_t)sysconf(_SC_PAGESIZE) - 1;

	for (uint32_t i = 0; i < f->nph; i++) {
		const Elf64_Phdr *ph = &f->ph[i];

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X) ||
			m->off < (ph->p_offset & ~mask) || m->off >= ph->p_offset + ph->p_filesz)
			continue;
		*bias = m->start - m->off + ph->p_offset - ph->p_vaddr;
		return true;
	}
	return false;
}

/* True if M is a piece of an object that is there already. */
static bool is_known(const struct loaded_list *list, const struct map_line *m, uint64_t bias)
{
	for (uint32_t i = 0; i < list->len; i++) {
		const struct process_object *o = &list->data[i].o;

		if (o->ino == m->ino && o->dev == m->dev && o->bias == bias)
			return true;
	}
	return false;
}

static bool get_bias(const struct looker *by, pid_t pid, const struct map_line *m, uint64_t *bias)
{
	int fd = maps_open_by(by, pid, m);
	struct elf_file f;
	bool ok = false;

	if (fd < 0)
		return false;
	if (!elf_file_open(&f, fd)) {
		ok = find_bias(&f, m, bias);
		elf_file_close(&f);
	}
	close(fd);
	return ok;
}

static int add_object(struct loaded_list *list, const struct parts *p, uint32_t i, uint64_t bias)
{
	const struct part *part = &p->data[i];
	struct loaded *o = heapvec_add(list);

	if (!o)
		return -ENOMEM;
	*o = (struct loaded){
		.o =
			{
				.path = part->m.path,
				.dev = part->m.dev,
				.ino = part->m.ino,
				.start = p->data[part->first].m.start,
				.bias = bias,
			},
		.end = part->m.end,
	};
	for (uint32_t k = i + 1; k < p->len; k++)
		if (p->data[k].first == part->first)
			o->end = p->data[k].m.end;
	return 0;
}

/* What is taken of the mappings of files. */
enum take { TAKE_OBJECTS, TAKE_CODE, TAKE_ALL };

/* Those without code are left out, except of TAKE_ALL; TAKE_OBJECTS: files are opened for the bias.
 */
static int find_objects(const struct looker *by, pid_t pid, const struct parts *p, enum take take,
	struct loaded_list *list)
{
	for (uint32_t i = 0; i < p->len; i++) {
		const struct map_line *m = &p->data[i].m;
		uint64_t bias = 0;

		if ((take != TAKE_ALL && !(m->prot & PROT_EXEC)) ||
			(take == TAKE_OBJECTS && !get_bias(by, pid, m, &bias)) ||
			is_known(list, m, bias))
			continue;
		if (add_object(list, p, i, bias))
			return -ENOMEM;
	}
	return 0;
}

/* Opens file NAME of /proc/PID, which BY knows as WHAT. */
static int open_proc(const struct looker *by, pid_t pid, const char *name, enum look_what what)
{
	int fd = looker_open(by, &(struct look){.what = what, .pid = pid});
	char path[64];

	if (fd != -EPIPE)
		return fd;
	snprintf(path, sizeof(path), "/proc/%d/%s", what == LOOK_STAT ? pid : living_thread(pid),
		name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Returns the address of the program's headers: AT_PHDR of /proc/PID/auxv; 0 = unknown. */
static uint64_t program_headers(const struct looker *by, pid_t pid)
{
	int fd = open_proc(by, pid, "auxv", LOOK_AUXV);
	Elf64_auxv_t v[64];
	ssize_t n;

	n = fd < 0 ? 0 : transfer_read(fd, v, sizeof(v));
	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i < n / (ssize_t)sizeof(*v); i++)
		if (v[i].a_type == AT_PHDR)
			return v[i].a_un.a_val;
	return 0;
}

int process_environ(const struct looker *by, pid_t pid)
{
	return open_proc(by, pid, "environ", LOOK_ENVIRON);
}

void process_program(const struct looker *by, pid_t pid, char *exe, size_t size)
{
	int fd = looker_open(by, &(struct look){.what = LOOK_EXE, .pid = pid});
	char proc[64];
	ssize_t n;

	if (fd >= 0)
		snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	else
		snprintf(proc, sizeof(proc), "/proc/%d/exe", living_thread(pid));
	n = readlink(proc, exe, size - 1);
	exe[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

static void find_main(const struct looker *by, pid_t pid, struct loaded_list *list)
{
	uint64_t headers = program_headers(by, pid);
	char exe[4096];

	for (uint32_t i = 0; i < list->len; i++) {
		struct loaded *o = &list->data[i];

		o->o.main = headers >= o->o.start && headers < o->end;
		if (o->o.main)
			return;
	}
	/* the headers need not be mapped */
	process_program(by, pid, exe, sizeof(exe));
	for (uint32_t i = 0; i < list->len; i++) {
		list->data[i].o.main = !strcmp(list->data[i].o.path, exe);
		if (list->data[i].o.main)
			return;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct loaded *x = a, *y = b;

	return x->o.start < y->o.start ? -1 : x->o.start > y->o.start;
}

static void name_them(struct loaded_list *list)
{
	static const char deleted[] = " (deleted)";

	for (uint32_t i = 0; i < list->len; i++) {
		struct process_object *o = &list->data[i].o;
		char *path = (char *)o->path; /* of our struct part */
		size_t len = strlen(path), tail = sizeof(deleted) - 1;

		if (len > tail && !strcmp(path + len - tail, deleted))
			path[len - tail] = '\0';
		o->name = strrchr(path, '/') + 1;
	}
}

static int visit(const struct looker *by, pid_t pid, enum take take,
	int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	struct parts parts = {0};
	struct loaded_list list = {0};
	int r = maps_read_by(by, pid, add_part, &parts);

	if (r > 0)
		r = find_objects(by, pid, &parts, take, &list);
	else if (!r || r == -ENOENT)
		r = -ESRCH;
	if (!r) {
		if (list.len)
			qsort(list.data, list.len, sizeof(*list.data), by_start);
		find_main(by, pid, &list);
		name_them(&list);
	}
	for (uint32_t i = 0; !r && i < list.len; i++)
		r = fn(arg, &list.data[i].o);
	heapvec_free(&list);
	parts_free(&parts);
	return r;
}

int process_objects_by(const struct looker *by, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	return visit(by, pid, TAKE_OBJECTS, fn, arg);
}

int process_files_by(const struct looker *by, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	return visit(by, pid, TAKE_CODE, fn, arg);
}

int process_mapped_by(const struct looker *by, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	return visit(by, pid, TAKE_ALL, fn, arg);
}

uint64_t process_version(const struct stat *st)
{
	uint64_t ns = (uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec;

	/* an odd factor loses nothing of the time */
	return (ns * 0x9e3779b97f4a7c15ULL + (uint64_t)st->st_size) | 1;
}

int process_object_of_file(int fd, const char *path, struct process_object *o)
{
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	*o = (struct process_object){
		.fd = fd,
		.path = path,
		.name = slash ? slash + 1 : path,
		.dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev),
		.ino = st.st_ino,
		.version = process_version(&st),
	};
	return 0;
}

/* A file, and the process that is being asked for it. */
struct sought {
	struct process_object file;
	pid_t pid;
};

/* True if O, which has the name of the file, is that file by other numbers: of an overlay's layer.
 */
static bool is_layered(const struct sought *s, const struct process_object *o)
{
	int fd = strcmp(o->name, s->file.name) ? -1 : process_open(s->pid, o);
	struct process_object opened;
	bool same = fd >= 0 && !process_object_of_file(fd, o->path, &opened) &&
		opened.dev == s->file.dev && opened.ino == s->file.ino;

	if (fd >= 0)
		close(fd);
	return same;
}

static int compare_file(void *arg, const struct process_object *o)
{
	const struct sought *s = arg;

	return (o->dev == s->file.dev && o->ino == s->file.ino) || is_layered(s, o);
}

unsigned process_count(int fd)
{
	char link[32], path[4096];
	struct sought s;
	DIR *dir = opendir("/proc");
	struct dirent *e;
	unsigned n = 0;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	if (!dir || process_object_of_file(fd, path, &s.file)) {
		if (dir)
			closedir(dir);
		return 0;
	}
	while ((e = readdir(dir)) != NULL) {
		s.pid = (pid_t)strtol(e->d_name, NULL, 10);
		n += s.pid > 0 && process_files(s.pid, compare_file, &s) == 1;
	}
	closedir(dir);
	return n;
}

/* ---- opening ---- */

struct wanted {
	const struct process_object *o;
	uint64_t end; /* of the mapping that starts at o->start, 0 = there is none of that file */
};

static int find_start(void *arg, const struct map_line *m)
{
	struct wanted *w = arg;

	if (m->start < w->o->start)
		return 0;
	if (m->start == w->o->start && m->ino == w->o->ino && m->dev == w->o->dev)
		w->end = m->end;
	return 1; /* no need to see more */
}

static int find_mapping(const struct looker *by, pid_t pid, struct wanted *w)
{
	int r;

	w->end = 0;
	r = maps_read_by(by, pid, find_start, w);
	if (r < 0 && r != -ENOENT)
		return r;
	if (r <= 0)
		return -ESRCH;
	return w->end ? 0 : -ENOENT;
}

/* Opens the file of O, which is mapped from o->start to END. */
static int open_mapped(
	const struct looker *by, pid_t pid, const struct process_object *o, uint64_t end, bool root)
{
	const struct look l = {root ? LOOK_FILE : LOOK_MAPPING, pid, o->start, end, o->path};
	int fd = looker_open(by, &l);
	char path[96];

	if (fd != -EPIPE)
		return fd;
	if (root) {
		snprintf(path, sizeof(path), "/proc/%d/root", living_thread(pid));
		return rooted_open_regular(path, o->path, 0);
	}
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", living_thread(pid),
		(unsigned long long)o->start, (unsigned long long)end);
	return rooted_open_regular(NULL, path, 0);
}

static bool has_inode(int fd, uint64_t ino)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_ino == ino;
}

int process_open_by(const struct looker *by, pid_t pid, const struct process_object *o)
{
	struct wanted w = {.o = o};
	int r, fd;

	if (o->fd) {
		fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 3);
		return fd < 0 ? -errno : fd;
	}
	fd = by ? maps_open_known(o->path, o->dev, o->ino) : -1;
	if (fd >= 0)
		return fd;
	r = find_mapping(by, pid, &w);
	if (r)
		return r;
	fd = open_mapped(by, pid, o, w.end, false);
	if (fd >= 0) {
		/*
		 * The numbers in maps can be those of a layer of a file system, so it is asked
		 * there whether the mapping has changed meanwhile.
		 */
		if (has_inode(fd, o->ino) || !find_mapping(by, pid, &w))
			return fd;
		close(fd);
		return -ENOENT;
	}
	r = open_mapped(by, pid, o, w.end, true);
	if (r >= 0 && !has_inode(r, o->ino)) {
		close(r);
		r = -ENOENT;
	}
	return r < 0 ? fd : r;
}

int process_all(int (*fn)(void *arg, pid_t pid), void *arg)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	int r = 0;

	if (!dir)
		return -errno;
	while (!r && (e = readdir(dir)) != NULL) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);

		if (pid > 0 && pid != getpid())
			r = fn(arg, pid);
	}
	closedir(dir);
	return r;
}

struct process_stat {
	char state;
	int parent;
	long threads;
	unsigned long memory; /* bytes */
};

/* Opens /proc/PID/stat, which BY is needed for only if /proc hides other users' processes. */
static int open_stat(const struct looker *by, pid_t pid)
{
	int fd = open_proc(NULL, pid, "stat", LOOK_STAT);

	return fd >= 0 || !by ? fd : open_proc(by, pid, "stat", LOOK_STAT);
}

/* Reads what proc(5) says of PID's state; false: there is no such process. */
static bool read_stat(const struct looker *by, pid_t pid, struct process_stat *st)
{
	int fd = open_stat(by, pid);
	char text[1024], *at;
	ssize_t n;

	*st = (struct process_stat){0};
	n = fd < 0 ? 0 : transfer_read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	/* the state follows the name, whatever that holds; number 20 is num_threads, 23 vsize */
	at = strrchr(text, ')');
	return at &&
		sscanf(at + 1,
			" %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %*u %lu",
			&st->state, &st->parent, &st->threads, &st->memory) == 4;
}

bool process_has_ended(const struct looker *by, pid_t pid)
{
	struct process_stat st;

	/* the first thread of a process may end before the others */
	return !read_stat(by, pid, &st) || st.state == 'X' || (st.state == 'Z' && st.threads <= 1);
}

pid_t process_parent(const struct looker *by, pid_t pid)
{
	struct process_stat st;

	return read_stat(by, pid, &st) ? st.parent : 0;
}

/* CAP_PERFMON opens /proc/PID/maps from 6.15 on, but neither exe nor root. */
bool process_is_closed(pid_t pid)
{
	char path[32], to[1];

	snprintf(path, sizeof(path), "/proc/%d/exe", living_thread(pid));
	return readlink(path, to, sizeof(to)) < 0 && errno == EACCES;
}

bool process_has_memory(const struct looker *by, pid_t pid)
{
	struct process_stat st;

	return read_stat(by, pid, &st) && (st.memory || (st.state == 'Z' && st.threads > 1));
}
