/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java_attach: the Java VMs of a session, each with the agent of src/managed/java_agent.
 *
 * Knows the agent's lines (agent.c); nothing of probes.  The agent gives the methods their own code
 * back when it is closed, or when this process dies.
 *
 * A VM may be hostile: what it says has limits, and so has the time that all calls wait for it
 * together.  A VM that exceeds one is given up, which the next call for it says.
 */
#ifndef MANAGED_JAVA_ATTACH_H
#define MANAGED_JAVA_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "managed/java_load.h"

struct java_method;
struct java_vms; /* the VMs of a session */
struct java_vm;

#define JAVA_WHY 640 /* bytes for a reason */

/* How long a session still waits. */
enum java_haste {
	JAVA_PATIENT,
	JAVA_OVER,	  /* tracing ends: no more for answers */
	JAVA_INTERRUPTED, /* the user waits: no second for the end, either */
};

/* NULL: no memory. */
struct java_vms *java_vms_new(void);
/*
 * Closes all agents, after they have restored all methods, or after 5 seconds; one if the user has
 * interrupted.  They restore them without us, too.
 */
void java_vms_free(struct java_vms *vms);

/* FN(ARG) is called while somebody waits for a VM. */
void java_ask_haste(struct java_vms *vms, enum java_haste (*fn)(void *arg), void *arg);

/* Returns what process PID is; waits up to WAIT_MS milliseconds for a VM that starts. */
enum java_state java_state(const struct java_vms *vms, pid_t pid, unsigned wait_ms);

/* True if process PID has our agent. */
bool java_is_attached(const struct java_vms *vms, pid_t pid);

/*
 * Returns the VM of process PID, with the agent loaded by the first call, within 10 seconds.  NULL:
 * WHY, SIZE bytes, is a sentence that says why not.
 */
struct java_vm *java_attach(struct java_vms *vms, pid_t pid, char *why, size_t size);

/* The agent's file, which has no name any more, open for reading. */
int java_file(const struct java_vm *vm);

/*
 * Classes that are prepared from now on and may match are told of: both are globs, "" any.  HOLD:
 * their threads wait from now on, and not only after the first java_release().  1: it was asked for
 * before; 0 or -ENOMEM.
 */
int java_watch(struct java_vm *vm, const char *class, const char *method, bool hold);

/*
 * Calls FN for each method with code of loaded classes that match GLOB; FRESH: of those alone that
 * java_look() told of.  0; or -errno, and WHY, SIZE bytes, is a sentence.
 */
int java_methods(struct java_vm *vm, const char *glob, bool fresh,
	void (*fn)(void *arg, const struct java_method *m), void *arg, char *why, size_t size);

/*
 * Returns the number of the method with INDEX, 0 and on by the order of asking; -1: there are no
 * more.  The method is changed by java_change().
 */
int java_enable(struct java_vm *vm, unsigned index, bool entry, bool ret, bool args);

/*
 * Changes the enabled methods of all VMs; false, and WHY, if a VM refuses: then it changes none,
 * PARTLY: those that it can, and one that has ended is no error.
 */
bool java_change(struct java_vms *vms, bool partly, char *why, size_t size);

/* Returns a descriptor for poll(2), readable when there is something for java_look(); -1: no VM. */
int java_fd(const struct java_vms *vms);

/*
 * Begins a look at the classes that came: calls FN for each VM that has some.  MISSED: a thread has
 * used one before, because nobody looked for a second.
 */
void java_look(struct java_vms *vms, void (*fn)(void *arg, pid_t pid, bool missed), void *arg);

/*
 * Ends the look: the threads that wait since they prepared these classes go on.  After
 * java_change(), too, which begins to let them wait.
 */
void java_release(struct java_vms *vms);

#endif
