/* SPDX-License-Identifier: Apache-2.0 */
/* pid_search: a description of the pid provider while its probes are looked for. */
#ifndef PROV_PID_SEARCH_H
#define PROV_PID_SEARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "probe/attach.h"
#include "probe/provider.h"
#include "prov/pid.h"

struct image_func;
struct probe_pattern;
struct process_object;
struct provider_env;
struct user_file;

/* A description being looked for. */
struct pid_search {
	struct provider_env *env;
	const struct probe_pattern *pat;
	probe_emit_fn emit;
	void *arg;
	const char *prov;
	enum attach_scope scope;
	pid_t pid;		  /* the process being looked at */
	bool entry, ret, offsets; /* what NAME matches */
	bool one;		  /* NAME is one offset, or address */
	uint64_t offset;
	bool main;	   /* the object being looked at is the program itself */
	bool spelled;	   /* FUNC is one function: what cannot be probed is an error */
	bool found_module; /* "-": the module is there, though the address may not be */
	const struct process_object *object; /* that is being looked at */
	uint32_t places;		     /* found by their offsets */
	int error;
	VEC(const struct user_file *) seen; /* in process SEEN_IN */
	pid_t seen_in;
};

/* Sets the error of ENV that refuses the description; -EINVAL. */
int pid_refuse(struct provider_env *env, const char *tag, const char *text);

/* True if FILE's instruction at VADDR can have a probe. */
bool pid_can_probe(const struct user_file *file, uint64_t vaddr);

/* True if an instruction begins at OFFSET, bytes, of F, a function of FILE. */
bool pid_begins_insn(const struct user_file *file, const struct image_func *f, uint64_t offset);

/* True if a probe at VADDR would replace a 5-byte NOP and change data below the stack pointer. */
bool pid_nop_at(struct provider_env *env, const struct user_file *file, uint64_t vaddr);

/* Emits the probe NAME at VADDR of FILE; F is the function that it is in, NULL for an address. */
void pid_emit_place(struct pid_search *s, struct user_file *file, const struct image_func *f,
	enum pid_what what, uint64_t vaddr, const char *name);

/* Emit what the description matches of function F, or of all of FILE's.  0, or a negative errno. */
int pid_emit_function(struct pid_search *s, struct user_file *file, const struct image_func *f);
int pid_in_file(struct pid_search *s, struct user_file *file);

#endif
