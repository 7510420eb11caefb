// SPDX-License-Identifier: Apache-2.0
/* Parses a source and checks its types: programs and D libraries. */
#include "compile/private.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/report.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "compile/settings.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"
#include "lang/source.h"
#include "sema/sema.h"
#include "target/target.h"
#include "types/types.h"

static struct lex_macros macros(struct compiling *c, const char *name0)
{
	return (struct lex_macros){
		.name0 = name0,
		.argc = c->argc,
		.argv = c->argv,
		.defaultargs = c->set->defaultargs,
		.pid = getpid(),
		.ppid = getppid(),
		.pgid = getpgid(0),
		.sid = getsid(0),
		.uid = getuid(),
		.euid = geteuid(),
		.gid = getgid(),
		.egid = getegid(),
		.target = targets_first(c->targets),
	};
}

static struct sema_config configure(struct compiling *c, bool is_library)
{
	struct sema_config cfg = c->set->language;

	cfg.symbol = find_kernel_symbol;
	cfg.user_symbol = find_target_symbol;
	cfg.libraries = c->set->nolibs ? NULL : library_load;
	cfg.arg = c;
	cfg.is_library = is_library;
	cfg.lenient = is_library && c->library.system;
	return cfg;
}

static bool is_type(void *arg, const char *name)
{
	return sema_is_type(((struct compiling *)arg)->sema, name);
}

static void list_tree(struct compiling *c, const struct program *p)
{
	struct buf b = {0};

	if (!c->set->dump.ast)
		return;
	ast_dump(&b, p);
	if (!b.failed && b.data)
		fputs(b.data, c->report->listing);
	buf_free(&b);
}

/*
 * Parse.  The macros of an outer program are kept: a library can be compiled in the middle of it.
 */
static struct program *parse(struct compiling *c, struct parse_input *in, bool is_library)
{
	struct lex_macros *outer = c->macros;
	struct program *prog;

	c->macros = in->macros;
	if (!is_library)
		c->parsing = in;
	prog = parse_program(in);
	if (!is_library)
		c->parsing = NULL;
	c->macros = outer;
	if (!is_library)
		list_tree(c, prog);
	return prog;
}

struct sema_program *check_program(
	struct compiling *c, struct source *src, const char *name0, bool is_library)
{
	uint32_t errors = c->diags.list.len; /* the program's, when a library is compiled for it */
	struct sema_config cfg = configure(c, is_library);
	struct lex_macros m = macros(c, name0);
	struct parse_input in = {
		.arena = c->arena,
		.src = src,
		.diags = &c->diags,
		.macros = &m,
		.hooks = {on_pragma, is_type, c, !is_library && c->set->pspec,
			!is_library && src->is_file && c->set->cpp.len},
		.no_extensions = cfg.no_extensions && !is_library,
	};
	struct program *prog;

	sema_prepare(c->sema, &cfg, &c->diags);
	prog = parse(c, &in, is_library);
	if (c->diags.list.len > errors || (is_library && c->library.skip))
		return NULL;
	c->diags.hints = c->set->explain;
	cfg = configure(c, is_library); /* pragmas may have changed it */
	types_set_strsize(c->types, cfg.strsize);
	return sema_check(c->sema, prog, &cfg, &m, &c->diags);
}

bool check_again(struct compiling *c, const struct sema_clause *clause, const struct probe *p)
{
	struct sema_config cfg = configure(c, false);

	c->diags.hints = c->set->explain;
	return sema_check_with(c->sema, clause, p, &cfg, &c->diags);
}

bool check_library(struct compiling *c, const char *name, FILE *in)
{
	size_t len;
	const char *text = compile_read(c, in, &len);
	struct source *src;

	if (!text)
		return false;
	src = source_new(c->arena, name, true, SPEC_NAME, text, len);
	src->is_included = true; /* messages name the file */
	return check_program(c, src, name, true) != NULL || c->library.skip;
}
