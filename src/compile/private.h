/* SPDX-License-Identifier: Apache-2.0 */
/* private: the stages that compile.c calls, each in a file of its name. */
#ifndef COMPILE_PRIVATE_H
#define COMPILE_PRIVATE_H

#include <stdio.h>

#include "base/diag.h"
#include "base/strmap.h"
#include "ir/plan.h"

struct compiling;
struct image;
struct ir_module;
struct kernel_code;
struct lowered;
struct places;
struct probe;
struct provider_env;
struct sema_clause;
struct symbol;
struct target;
struct type;

/* preprocess.c: TEXT through cpp.  0 or a negative errno. */
int preprocess(struct compiling *c, const char **text, size_t *len);

/* check.c: parse SRC and check its types; a library has declarations and inlines only.  NULL: an
 * error is in the diags. */
struct sema_program *check_program(
	struct compiling *c, struct source *src, const char *name0, bool is_library);

/* check.c: the same of a program that may be unfinished: what has an error is left out. */
void check_incomplete(struct compiling *c, struct source *src, const char *name0);

/* check.c: check a clause once more, with probes that it matches now.  False: an error. */
bool check_again(struct compiling *c, struct sema_clause *clause, const struct probe *const *probes,
	uint32_t n);

/* check.c: check a library file; NAME is for messages.  False: an error is in the diags. */
bool check_library(struct compiling *c, const char *name, FILE *in);

/* check.c: report that library NAME is not read, and WHY. */
void check_unread(struct compiling *c, const char *name, const char *why);

/* check.c: false after a report: SRC holds what no D program can, NUL bytes or UTF-16. */
bool check_text(struct compiling *c, const struct source *src);

/* pragma.c: lex_hooks.pragma, of a struct compiling. */
void on_pragma(void *arg, struct loc loc, const char *text);

/* library.c: sema_config.libraries: compile the system's libraries. */
bool library_load(void *arg);
/* library.c: compile those of option libdir.  False: an error is in the diags. */
bool library_load_given(struct compiling *c);
/* library.c: "#pragma D depends_on TEXT". */
void library_depends(struct compiling *c, struct loc loc, const char *text);

/* symbols.c: sema_config.symbol, .user_symbol; types of the target's programs. */
bool find_kernel_symbol(void *arg, const char *module, const char *name, uint64_t *addr,
	uint64_t *size, bool *is_func);
/* struct target.code */
bool symbols_kernel_code(const char *const *names, uint32_t n, struct kernel_code *out);
bool find_target_symbol(void *arg, const char *module, const char *name, struct symbol *out,
	const struct type **type);
struct dwarf_file *symbols_target_program(void *arg, const char *name);

/* machine.c: fill in what providers ask of the machine. */
void machine_answer(struct compiling *c, struct provider_env *env);

/* The parts of the object that is being made. */
struct build {
	const struct target *target;
	struct lowering_plan plan;
	struct lowered *lowered;
	struct bpf_code **programs;  /* one for each of the module's programs */
	struct bpf_code **functions; /* dt_error(), dt_each() and the bodies of loops */
	uint32_t nfunctions;
	struct strmap by_name; /* the functions' code */
};

/* compile.c: what compile_object() does for TARGET; BEFORE, PLACES: as lower_session() has them. */
int make_object(struct compiling *c, const struct target *target, const struct lowered *before,
	const struct places *places, const struct image **out);

/* image.c: returns the image of a whole build and of c->object, in the arena. */
const struct image *image_of(struct compiling *c, const struct build *b);

/* object.c: the stages of compile_object(); false or -errno after an error, which is reported. */
bool object_optimise_module(struct compiling *c, struct ir_module *m);
void object_generate_code(struct compiling *c, struct build *b);
/*
 * Returns which units need more stack than the kernel allows, as plan.short_stack has them; NULL
 * if none do.
 */
const bool *object_long_stacks(struct compiling *c, const struct build *b);
/* False if a program in pieces needs too much, of which the kernel allows less. */
bool object_pieces_fit(const struct build *b);
bool object_check_stacks(struct compiling *c, const struct build *b);
void object_list_stages(struct compiling *c, const struct build *b);

#endif
