/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java_attach: loads the agent of src/managed/java_agent into a running Java VM, and talks to it.
 *
 * Knows HotSpot's attach mechanism and the agent's lines (agent.c); nothing of probes.  The agent
 * gives the methods their own code back when it is closed, or when this process dies.
 */
#ifndef MANAGED_JAVA_ATTACH_H
#define MANAGED_JAVA_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct java_vms; /* the VMs of a session */
struct java_vm;

#define JAVA_WHY 640 /* bytes for a reason */

struct java_method {
	unsigned index; /* of the agent's table */
	bool is_static;
	const char *class, *name, *desc; /* com.example.Foo, add, (II)I */
};

/* NULL: no memory. */
struct java_vms *java_vms_new(void);
/* Closes all agents, after they have restored all methods. */
void java_vms_free(struct java_vms *vms);

/*
 * Returns the VM of process PID, with the agent loaded by the first call.  NULL: WHY, SIZE bytes,
 * is a sentence that says why not.
 */
struct java_vm *java_attach(struct java_vms *vms, pid_t pid, char *why, size_t size);

/* The agent's file, which has no name any more, open for reading. */
int java_file(const struct java_vm *vm);

/* Calls FN for each method with code of loaded classes that match GLOB.  0 or a negative errno. */
int java_methods(struct java_vm *vm, const char *glob,
	void (*fn)(void *arg, const struct java_method *m), void *arg);

/*
 * Returns the number of the method with INDEX, 0 and on by the order of asking; -1: there are no
 * more.  The method is changed by java_change().
 */
int java_enable(struct java_vm *vm, unsigned index, bool entry, bool ret, bool args);

/* Changes the enabled methods of all VMs; false, and WHY, if a VM refuses. */
bool java_change(struct java_vms *vms, char *why, size_t size);

#endif
