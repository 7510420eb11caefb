/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process: the executable mappings of a process, and their files.
 *
 * Knows /proc and the program headers of ELF files; nothing of symbols (image.h, sym.h).  Nothing
 * is kept between calls.  BY opens what takes rights that we do not have (confine/looker.h); NULL:
 * our own have to do.
 */
#ifndef SYM_PROCESS_H
#define SYM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct looker;

/* An ELF file as it is mapped.  Its strings live as long as the call that hands it out. */
struct process_object {
	int fd;		   /* of a file that need not be mapped, opened by who made this; else 0 */
	const char *path;  /* in the process's mount namespace; without " (deleted)" */
	const char *name;  /* the path's last component */
	uint64_t dev, ino; /* as /proc/PID/maps has them; DEV is major << 32 | minor */
	uint64_t start;	   /* the address where its mappings start */
	uint64_t version;  /* process_version(); 0: whoever made this has not looked */
	uint64_t bias;	   /* address of something = its vaddr in the file + this */
	bool main;	   /* the program itself */
};

/*
 * Call FN for each object with executable code, in the order of addresses, until it returns
 * something else than 0, which is returned then.  A file that is loaded twice (dlmopen(3)) comes
 * twice, with another bias.  What is no ELF file, cannot be opened, or has no file (vDSO, code of
 * a JIT compiler) is left out.
 * 0; -ESRCH no such process, or one without memory (a zombie, a kernel thread); -ENOMEM;
 * otherwise open(2)'s.  Works from a process's first instruction on: it has the program and its
 * interpreter then.
 */
int process_objects_by(const struct looker *by, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg);

/*
 * Does the same, faster, without opening the files: what is no ELF file comes too, each file comes
 * once, and `bias` is 0.
 */
int process_files_by(const struct looker *by, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg);

/* Does the same for all mapped files: the kernel's probes are in those without code as well. */
int process_mapped_by(const struct looker *by, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg);

/*
 * Fills *O with the file FD, which PATH (absolute) names.  Both are borrowed as long as *O is used.
 * No process need have it mapped: process 0 stands for all.  0 or fstat(2)'s error.
 */
int process_object_of_file(int fd, const char *path, struct process_object *o);

/*
 * Returns a descriptor of the file of O, from process_objects(), even if it is deleted or in
 * another mount namespace; never that of another file.  -ESRCH; -ENOENT it isn't mapped there any
 * more; or open(2)'s.
 */
int process_open_by(const struct looker *by, pid_t pid, const struct process_object *o);

/* The same with our own rights. */
static inline int process_objects(
	pid_t pid, int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	return process_objects_by(NULL, pid, fn, arg);
}

static inline int process_files(
	pid_t pid, int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	return process_files_by(NULL, pid, fn, arg);
}

static inline int process_open(pid_t pid, const struct process_object *o)
{
	return process_open_by(NULL, pid, o);
}

struct stat;

/*
 * Returns a number that is another one, not 0, after the content of a file was changed: its size is
 * in it, as before Linux 6.13 times are a timer tick's.
 */
uint64_t process_version(const struct stat *st);

/* Returns the number of processes that map file FD as executable. */
unsigned process_count(int fd);

/* Calls FN for each process but our own, until it returns something else than 0.  That, or -errno.
 */
int process_all(int (*fn)(void *arg, pid_t pid), void *arg);

/* Returns the process that PID is a child of; 0: PID has ended. */
pid_t process_parent(const struct looker *by, pid_t pid);

/* True if PID is another user's, or has more capabilities, and this process may not look at it. */
bool process_is_closed(pid_t pid);

/* Writes the path of PID's program to EXE, SIZE bytes; "" = unknown. */
void process_program(const struct looker *by, pid_t pid, char *exe, size_t size);

/*
 * Opens the environment of PID for reading (/proc/PID/environ): a descriptor, or -1 or -errno.  BY
 * opens that of programs that copy their code if it says so, of no others.
 */
int process_environ(const struct looker *by, pid_t pid);

/* True if PID maps anything: it has not begun to end. */
bool process_has_memory(const struct looker *by, pid_t pid);

/* True if no thread of process PID runs any more, though it may not have been waited for. */
bool process_has_ended(const struct looker *by, pid_t pid);

#endif
