/* SPDX-License-Identifier: Apache-2.0 */
/* pid: the probes of the pid provider, between the files that implement it. */
#ifndef PROV_PID_H
#define PROV_PID_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/attach.h"

struct dt_return_site;
struct image_func;
struct probe;
struct probe_args;
struct provider_env;
struct user_file;

enum pid_what {
	ENTRY,
	SHIFTED, /* an entry, probed at the instruction after its first (insn_landing()) */
	/* a return: the kernel exchanges the return address at the entry */
	BY_ADDRESS,
	BY_INSN, /* a return: the instructions that return are probed */
	OFFSET,
};

/* The data of a probe. */
struct pid_place {
	struct user_file *file;
	const struct image_func *func; /* NULL: an absolute address */
	uint64_t addr;		       /* offset in the file */
	pid_t pid;		       /* IN_PROCESS */
	enum attach_scope scope;
	bool main; /* in the program itself */
	enum pid_what what;
	const struct dt_return_site *sites; /* BY_INSN: NSITES of them */
	uint32_t nsites;
};

/*
 * Chooses how the returns of P's function are probed (option returns), and sets what P says of
 * that.  *WHY: they cannot be, in words that follow the function's name; it is counted.  0;
 * -ENOMEM.
 */
int pid_returns(struct provider_env *env, struct pid_place *p, const char **why);

/* True if some function may have its returns probed as WHAT says. */
bool pid_may_return(const struct provider_env *env, enum pid_what what);

/* Fills in what all places of one kind have in common. */
void pid_plan_place(struct provider_env *env, enum attach_scope scope, pid_t pid,
	enum pid_what what, struct attach_plan *out);

/* These are struct provider's and struct user_provider's. */
int pid_describe(struct provider_env *env, const struct probe *probe, struct probe_args *out);
int pid_describe_types(struct provider_env *env, const struct probe *probe, struct probe_args *out);
int pid_plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out);
const char *pid_cost(struct provider_env *env, const struct probe *probe);

#endif
