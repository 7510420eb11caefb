/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target: the processes given with -c (created) and -p (grabbed): how they start, and their end.
 *
 * A created process is held with ptrace(2) only until targets_resume(); from then on it runs
 * untraced and is followed by its pidfd.  A grabbed one is never touched.  Everything that
 * creates, resumes and frees must be called by one thread (ptrace's rule).  Nothing here knows of
 * probes.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

struct targets;

/*
 * The point at which a created process waits.  EXEC: after execve(2), before the dynamic linker
 * runs.  PREINIT: after the linker has mapped the libraries, before their initialisers; as EXEC in
 * a static program.  POSTINIT and MAIN, which are one: at main(), after all initialisers.  If
 * main() is not found (no symbols, and an entry point that is not a libc's), the process waits at
 * the program's entry point, which glibc's linker reaches after the libraries' initialisers; if no
 * breakpoint can be set, as for PREINIT, or EXEC.
 */
enum target_stop { TARGET_STOP_EXEC, TARGET_STOP_PREINIT, TARGET_STOP_POSTINIT, TARGET_STOP_MAIN };

/*
 * NULL on lack of memory or descriptors.  The calling thread's signal mask and the signals that
 * are ignored now are what created processes get: call it before changing these.
 */
struct targets *targets_new(void);

/*
 * Sets NAME to VALUE, or removes it (NULL), in the environment of processes created from now on,
 * which is ours at first.  0 or -ENOMEM.
 */
int targets_environment(struct targets *t, const char *name, const char *value);

/* Kills and reaps created processes that are alive; leaves grabbed ones running. */
void targets_free(struct targets *t);

/*
 * Start CMD, which is split at white space only, its first word searched in PATH; stopped at
 * WHERE.  The pid; or negative errno, and *ERR is a message valid until the next call.  One that
 * ends before WHERE is no error: targets_reap() tells.
 */
int targets_create(struct targets *t, const char *cmd, enum target_stop where, const char **err);

/* Does the same with the program's arguments up to a NULL. */
int targets_spawn(struct targets *t, char *const *argv, enum target_stop where, const char **err);

/* Follow PID.  0, or negative errno and *ERR as above. */
int targets_grab(struct targets *t, pid_t pid, const char **err);

/* Let the created ones run. */
int targets_resume(struct targets *t);

/*
 * Returns a descriptor for poll(2), readable while there is a death that targets_reap() hasn't
 * told.
 */
int targets_poll_fd(struct targets *t);

/*
 * Take notice of deaths; DIED (may be NULL) is called for each with a text such as "pid 7 has
 * exited", which is valid during the call.  How many are still alive.
 */
int targets_reap(
	struct targets *t, void (*died)(void *arg, pid_t pid, const char *text), void *arg);

/* True if PID is, or was, one of them. */
bool targets_has(const struct targets *t, pid_t pid);

/* Returns the I-th of them; 0: there are fewer. */
pid_t targets_nth(const struct targets *t, unsigned int i);

/*
 * Return the first process's pid ($target), 0 = none; the number of processes created and grabbed.
 */
pid_t targets_first(const struct targets *t);
unsigned int targets_count(const struct targets *t);

#endif
