/* SPDX-License-Identifier: Apache-2.0 */
/* scope: which processes a description of probes of user code is about. */
#ifndef PROV_SCOPE_H
#define PROV_SCOPE_H

#include "probe/attach.h"

struct probe_pattern;
struct process_object;
struct provider_env;
struct strmap;

/*
 * Returns the scope of PROV, the provider field of a description.  NAME* is about all processes,
 * NAME123 about process 123, and about its descendants if it is followed.  Patterns that only some
 * numbers match have IN_PROCESS.
 */
enum attach_scope scope_of(struct provider_env *env, const char *prov);

/* Returns why user code, or that of PAT (unless NULL), cannot be probed; NULL: it can be. */
const char *scope_no_uprobes(const struct provider_env *env, const struct probe_pattern *pat);

/* True if PROV is about all processes where descriptions are attached by file. */
bool scope_is_all(const char *prov);

/* Returns the process whose number PROV ends in, pattern or not; 0 = there can be none. */
pid_t scope_process(const char *prov);

/* True if PROV is about a provider of the kernel's, as sys* is; looking at all processes costs. */
bool scope_matches_kernel(const char *prov);

/*
 * True if a probe of provider NAME (without a number) matches PROV in some process of its scope,
 * which is not IN_PROCESS.
 */
bool scope_serves(const char *prov, const char *name);

/*
 * Returns what probe.prov is for provider NAME by description PROV, whose scope is IN_FAMILY or
 * IN_ALL, and sets env->shared.
 */
const char *scope_provider(struct provider_env *env, const char *prov, const char *name);

/*
 * Call FN for each file that is mapped executable in a process that PROV's scope, which is not
 * IN_PROCESS, is about now: each file once, by the device and inode numbers of /proc/PID/maps.
 * PID is one of those that map it.  env->object: FN is called for that file alone.  0, what FN
 * returned if not 0, or a negative errno.
 */
int scope_files(struct provider_env *env, const char *prov,
	int (*fn)(void *arg, pid_t pid, const struct process_object *o), void *arg);

/*
 * Call FN for each process but this one, or for env->only alone, until it returns other than 0,
 * which is returned; or a negative errno.
 */
int scope_processes(struct provider_env *env, int (*fn)(void *arg, pid_t pid), void *arg);

/*
 * process_objects() and process_files(), but FN may use the arena of ENV: if it fails, nothing of
 * the search is left.
 */
int scope_objects(struct provider_env *env, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg);
int scope_files_of(struct provider_env *env, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg);

/*
 * Sets how the places of PLAN, whose scope is set, are attached to, in process PID if the scope is
 * one process: by uprobe.multi if the kernel has it.  It knows the process by the memory of its
 * first thread (uprobe_multi_link_filter()): if that has ended, a uprobe each finds it.
 */
void scope_set_multi(struct provider_env *env, pid_t pid, struct attach_plan *plan);

/*
 * True if process PID translates or copies the code of O, which must not be probed in it: ENV gets
 * the text of the error, unless others are asked about as well (env->only).  -x force: never.
 */
bool scope_is_copied(struct provider_env *env, pid_t pid, const struct process_object *o);

#endif
