// SPDX-License-Identifier: Apache-2.0
/* Parses a source and checks its types: programs and D libraries. */
#include "compile/private.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/report.h"
#include "base/safe.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "compile/settings.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"
#include "lang/source.h"
#include "lang/tool.h"
#include "sema/hint.h"
#include "sema/sema.h"
#include "sym/sym.h"
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

static const struct param_value *find_param(void *arg, const char *name)
{
	const struct compiling *c = arg;

	for (uint32_t i = c->params.len; i-- > 0;) /* the last one holds */
		if (!strcmp(c->params.data[i].name, name))
			return &c->params.data[i];
	return NULL;
}

static struct sema_config configure(struct compiling *c, bool is_library)
{
	struct sema_config cfg = c->set->language;

	cfg.symbol = find_kernel_symbol;
	cfg.hides = sym_kernel_hides;
	cfg.user_symbol = find_target_symbol;
	cfg.param = find_param;
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
		safe_put(c->report->listing, b.data, b.len);
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

static struct parse_input input(struct compiling *c, struct source *src, struct lex_macros *m,
	const struct sema_config *cfg, bool is_library)
{
	return (struct parse_input){
		.arena = c->arena,
		.src = src,
		.diags = &c->diags,
		.macros = m,
		.hooks = {on_pragma, NULL, is_type, c, !is_library && c->set->pspec,
			!is_library && src->is_file && c->set->cpp.len},
		.no_extensions = cfg->no_extensions && !is_library,
	};
}

/* Give error number I a hint if it is about a probe that the parser cannot read. */
static void hint_at_error(struct compiling *c, uint32_t i)
{
	struct diag *e = &c->diags.list.data[i];

	if (!strcmp(e->tag, "D_SYNTAX") && e->loc.src && e->loc.line)
		e->hint = hint_syntax(c->arena, source_line(c->arena, e->loc.src, e->loc.line));
}

struct sema_program *check_program(
	struct compiling *c, struct source *src, const char *name0, bool is_library)
{
	uint32_t errors = c->diags.list.len; /* the program's, when a library is compiled for it */
	struct sema_config cfg = configure(c, is_library);
	struct lex_macros m = macros(c, name0);
	struct parse_input in = input(c, src, &m, &cfg, is_library);
	struct program *prog;

	sema_prepare(c->sema, &cfg, &c->diags);
	prog = parse(c, &in, is_library);
	c->diags.hints = c->set->explain;
	if (c->diags.list.len > errors && c->diags.hints)
		hint_at_error(c, errors);
	if (c->diags.list.len > errors || (is_library && c->library.skip))
		return NULL;
	cfg = configure(c, is_library); /* pragmas may have changed it */
	types_set_strsize(c->types, cfg.strsize);
	return sema_check(c->sema, prog, &cfg, &m, &c->diags);
}

void check_incomplete(struct compiling *c, struct source *src, const char *name0)
{
	struct sema_config cfg = configure(c, false);
	struct lex_macros m = macros(c, name0);
	struct parse_input in = input(c, src, &m, &cfg, false);
	struct program *prog;

	cfg.lenient = true;
	sema_prepare(c->sema, &cfg, &c->diags);
	prog = parse(c, &in, false);
	sema_check(c->sema, prog, &cfg, &m, &c->diags);
	sema_prepare(c->sema, &cfg, &c->diags); /* for libraries that are asked for later */
	c->diags.list.len = 0;
}

void compile_macros(struct compiling *c, const char *name0, struct lex_macros *out)
{
	*out = macros(c, name0);
}

bool check_again(struct compiling *c, struct sema_clause *clause, const struct probe *const *probes,
	uint32_t n)
{
	struct sema_config cfg = configure(c, false);

	c->diags.hints = c->set->explain;
	return sema_check_with(c->sema, clause, probes, n, &cfg, &c->diags);
}

/* True if TEXT is UTF-16: it has that byte-order mark, or begins with two ASCII characters. */
static bool is_utf16(const char *text, size_t len)
{
	if (len >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2)))
		return true;
	return len >= 4 && !text[0] == !text[2] && !text[1] == !text[3] && !text[0] != !text[1];
}

bool check_text(struct compiling *c, const struct source *src)
{
	const char *nul = memchr(src->text, '\0', src->len);
	struct loc loc = {src, 1, 1};

	if (is_utf16(src->text, src->len)) {
		diag_add(&c->diags, "D_SYNTAX", loc,
			"the text is UTF-16: D programs are ASCII or UTF-8");
		return false;
	}
	if (!nul)
		return true;
	while (loc.line < src->nlines && src->lines[loc.line] <= nul - src->text)
		loc.line++;
	loc.col = (uint32_t)(nul - src->text) - src->lines[loc.line - 1] + 1;
	diag_add(&c->diags, "D_SYNTAX", loc, "NUL byte in the text");
	return false;
}

void check_unread(struct compiling *c, const char *name, const char *why)
{
	struct source *src = source_new(c->arena, name, true, SPEC_NAME, "", 0);

	src->is_included = true;
	diag_add(&c->diags, "D_SYNTAX", (struct loc){src, 1, 0}, "%s", why);
}

bool check_library(struct compiling *c, const char *name, FILE *in)
{
	size_t len;
	const char *why, *text = compile_read(c, in, &len, &why);
	struct source *src;

	if (!text) {
		check_unread(c, name, why);
		return false;
	}
	src = source_new(c->arena, name, true, SPEC_NAME, text, len);
	src->is_included = true; /* messages name the file */
	return check_text(c, src) && (check_program(c, src, name, true) || c->library.skip);
}

void compile_library_names(struct compiling *c)
{
	struct sema_config cfg = configure(c, false);

	sema_prepare(c->sema, &cfg, &c->diags);
	sema_libraries(c->sema);
}
