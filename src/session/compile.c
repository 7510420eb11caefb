// SPDX-License-Identifier: Apache-2.0
/* Compiling programs: text, preprocessor, parser, types; errors in DTrace's words. */
#include "session/handle.h"
#include "base/suggest.h"
#include "lang/parse.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- #pragma D ---- */

static void pragma_option(struct dtrace *d, struct loc loc, const char *arg)
{
	char *name = arena_strdup(d->arena, arg), *value;
	const char *text = "", *hint;
	int err;

	if (!*name) {
		diag_add(&d->diags, "D_PRAGMA_MALFORM", loc,
			"malformed #pragma option <option>=<val>");
		return;
	}
	if (strpbrk(name, " \t\"")) {
		diag_add(&d->diags, "D_PRAGMA_MALFORM", loc,
			"superfluous arguments specified for #pragma option");
		return;
	}
	value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	err = options_set(d->opts, name, value, FROM_PRAGMA, d->phase == PHASE_TRACING, &text);
	if (!err) {
		handle_refresh_options(d);
		d->macros->defaultargs = options_on(d->opts, OPT_defaultargs);
		if (d->parsing)
			d->parsing->no_extensions = options_on(d->opts, OPT_noextensions);
		if (d->parsing)
			d->parsing->hooks.pspec = options_on(d->opts, OPT_pspec);
		return;
	}
	if (value)
		diag_add(&d->diags, "D_PRAGMA_OPTSET", loc, "failed to set option '%s' to '%s': %s",
			name, value, text);
	else
		diag_add(&d->diags, "D_PRAGMA_OPTSET", loc, "failed to set option '%s': %s", name,
			text);
	hint = options_hint(d->opts, name, err);
	if (hint)
		diag_hint(&d->diags, "%s", hint);
}

/* The word after "#pragma D" is none of ours. */
static void unknown_pragma(struct dtrace *d, struct loc loc, const char *word)
{
	static const char *const known[] = {"option", "attributes", "binding", "depends_on"};
	struct suggest s;

	diag_add(&d->diags, "D_PRAGMA_INVAL", loc, "invalid #pragma D %s", word);
	suggest_begin(&s, word);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		suggest_offer(&s, known[i]);
	if (suggest_best(&s))
		diag_hint(&d->diags, "did you mean %s?", suggest_best(&s));
}

static void on_pragma(void *arg, struct loc loc, const char *text)
{
	struct dtrace *d = arg;
	size_t len = strcspn(text, " \t");
	const char *word = arena_strndup(d->arena, text, len), *rest = text + len;

	while (isspace((unsigned char)*rest))
		rest++;
	if (!strcmp(word, "option"))
		pragma_option(d, loc, rest);
	else if (!strcmp(word, "attributes") || !strcmp(word, "binding"))
		sema_pragma(d->sema, loc, word, rest);
	else if (!strcmp(word, "depends_on"))
		library_depends(d, loc, rest);
	else
		unknown_pragma(d, loc, word);
}

static bool on_is_type(void *arg, const char *name)
{
	return sema_is_type(((struct dtrace *)arg)->sema, name);
}

/* ---- errors ---- */

static unsigned last_line(const struct source *src)
{
	unsigned n = 1;

	for (size_t i = 0; i < src->len; i++)
		n += src->text[i] == '\n';
	return n;
}

static unsigned said_line(const struct diag *g)
{
	if (g->line)
		return g->line;
	return g->loc.line ? g->loc.line : last_line(g->loc.src);
}

int compile_report(struct dtrace *d)
{
	const struct diag *g = &d->diags.list.data[0];
	const struct source *src = g->loc.src;
	struct buf b = {0};

	if (options_on(d->opts, OPT_errtags) && *g->tag)
		buf_printf(&b, "[%s] ", g->tag);
	if (!*g->tag) {
		; /* errors of the code generator have neither */
	} else if (src && src->is_file) {
		if (src->is_included)
			buf_printf(&b, "\"%s\", ", src->name);
		buf_printf(&b, "line %u: ", said_line(g));
	} else if (g->region != REGION_NONE) {
		buf_printf(
			&b, "in %s: ", g->region == REGION_PREDICATE ? "predicate" : "action list");
	}
	buf_puts(&b, g->text);
	handle_error(d, -EINVAL, "%s", b.failed ? g->text : b.data);
	buf_free(&b);
	d->errhint = options_on(d->opts, OPT_explain) ? g->hint : NULL;
	return -EINVAL;
}

/* The file of an error as people know it: -C reads the script from a pipe. */
static const char *file_name(const struct dtrace *d, const struct source *src)
{
	if (!src->is_file)
		return NULL;
	return src->is_included || !d->script ? src->name : d->script;
}

unsigned dtrace_diag_count(const struct dtrace *d)
{
	return d->diags.list.len;
}

int dtrace_diag(const struct dtrace *d, unsigned i, struct dtrace_diag *out)
{
	const struct diag *g;

	if (i >= d->diags.list.len)
		return -ENOENT;
	g = &d->diags.list.data[i];
	memset(out, 0, sizeof(*out));
	out->tag = g->tag;
	out->text = g->text;
	out->hint = options_on(d->opts, OPT_explain) ? g->hint : NULL;
	out->line = g->loc.line;
	out->col = g->loc.col;
	if (g->loc.src) {
		out->file = file_name(d, g->loc.src);
		out->source = g->loc.line ? source_line(d->arena, g->loc.src, g->loc.line) : NULL;
	}
	return 0;
}

/* ---- programs ---- */

static struct lex_macros macros(struct dtrace *d, const char *name0)
{
	return (struct lex_macros){
		.name0 = name0,
		.argc = d->argc,
		.argv = d->argv,
		.defaultargs = options_on(d->opts, OPT_defaultargs),
		.pid = getpid(),
		.ppid = getppid(),
		.pgid = getpgid(0),
		.sid = getsid(0),
		.uid = getuid(),
		.euid = geteuid(),
		.gid = getgid(),
		.egid = getegid(),
		.target = targets_first(d->targets),
	};
}

/* kernel.perf_event_max_stack, which bounds what bpf_get_stack() can give (sysctl/kernel.rst) */
uint32_t compile_max_frames(struct dtrace *d)
{
	int64_t set = options_number(d->opts, OPT_maxframes);
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_stack", "r");
	int64_t most = 127;
	long v;

	if (f) {
		if (fscanf(f, "%ld", &v) == 1 && v > 0 && v < 4096)
			most = v;
		fclose(f);
	}
	return (uint32_t)(set > 0 && set < most ? set : most);
}

bool compile_kernel_symbol(void *arg, const char *module, const char *name, uint64_t *addr,
	uint64_t *size, bool *is_func)
{
	struct sym_named sym;

	if (!sym_kernel_named(module, name, &sym))
		return false;
	*addr = sym.addr;
	*size = sym.size;
	*is_func = sym.is_func;
	return true;
}

static struct attributes least_attributes(struct dtrace *d)
{
	int64_t n = options_number(d->opts, OPT_amin);

	return (struct attributes){(uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};
}

static struct sema_config config(struct dtrace *d)
{
	return (struct sema_config){
		.strsize = (uint32_t)options_number(d->opts, OPT_strsize),
		.stackframes = (uint32_t)options_number(d->opts, OPT_stackframes),
		.ustackframes = (uint32_t)options_number(d->opts, OPT_ustackframes),
		.jstackframes = (uint32_t)options_number(d->opts, OPT_jstackframes),
		.maxframes = compile_max_frames(d),
		.zdefs = options_on(d->opts, OPT_zdefs),
		.allow_empty = options_on(d->opts, OPT_empty),
		.argref = options_on(d->opts, OPT_argref),
		.no_extensions = options_on(d->opts, OPT_noextensions),
		.scratchsize = compile_scratch_size(d),
		.loopbound = (uint32_t)options_number(d->opts, OPT_loopbound),
		.symbol = compile_kernel_symbol,
		.user_symbol = compile_target_symbol,
		.has_amin = options_given(d->opts, OPT_amin),
		.amin = least_attributes(d),
		.version = options_given(d->opts, OPT_version)
			? (uint32_t)options_number(d->opts, OPT_version)
			: 0,
		.libraries = options_on(d->opts, OPT_nolibs) ? NULL : library_load,
		.arg = d,
	};
}

static void dump_ast(struct dtrace *d, const struct program *p)
{
	struct buf b = {0};

	if (!(options_number(d->opts, OPT_dump) & DUMP_AST) &&
		!(options_number(d->opts, OPT_tree) & TREE_PARSE))
		return;
	ast_dump(&b, p);
	if (!b.failed && b.data)
		fputs(b.data, d->dump);
	buf_free(&b);
}

static struct sema_program *check(
	struct dtrace *d, struct source *src, const char *name0, bool is_library)
{
	struct lex_macros m = macros(d, name0);
	struct parse_input in = {
		.arena = d->arena,
		.src = src,
		.diags = &d->diags,
		.macros = &m,
		.hooks = {on_pragma, on_is_type, d, !is_library && options_on(d->opts, OPT_pspec)},
	};
	struct sema_config cfg;
	struct program *prog;
	struct lex_macros *outer = d->macros;
	uint32_t errors = d->diags.list.len; /* a library is compiled for a program */

	cfg = config(d);
	cfg.is_library = is_library;
	cfg.lenient = is_library && d->library.system;
	sema_prepare(d->sema, &cfg, &d->diags);
	in.no_extensions = cfg.no_extensions && !is_library;
	if (!is_library)
		d->parsing = &in;
	d->macros = &m;
	prog = parse_program(&in);
	d->macros = outer;
	if (!is_library)
		d->parsing = NULL;
	if (!is_library)
		dump_ast(d, prog);
	if (d->diags.list.len > errors || (is_library && d->library.skip))
		return NULL;
	d->diags.hints = options_on(d->opts, OPT_explain);
	cfg = config(d); /* after parsing: pragmas have been seen */
	cfg.is_library = is_library;
	cfg.lenient = is_library && d->library.system;
	types_set_strsize(d->types, cfg.strsize);
	return sema_check(d->sema, prog, &cfg, &m, &d->diags);
}

static struct dtrace_prog *compile(struct dtrace *d, struct source *src, const char *name0)
{
	struct dtrace_prog *p;
	struct sema_program *checked;

	d->script = src->is_file ? src->name : NULL;
	checked = check(d, src, name0, false);
	if (!checked || d->diags.list.len) {
		/* the program's options stay: whether to explain may be one of them */
		compile_report(d);
		return NULL;
	}
	options_end_program(d->opts);
	p = arena_new_obj(d->arena, struct dtrace_prog);
	p->sema = checked;
	vec_for (b, &checked->providers)
		vec_push(d->arena, &d->blocks, *b);
	return p;
}

/* Running out of memory in the arena comes back here. */
static struct dtrace_prog *guarded(struct dtrace *d, struct source *src, const char *name0)
{
	jmp_buf oom;
	struct dtrace_prog *p;

	if (setjmp(oom)) {
		arena_on_oom(d->arena, NULL);
		d->errmsg = (char *)"Memory allocation failure";
		d->errhint = NULL;
		d->diags.list.len = 0;
		return NULL;
	}
	arena_on_oom(d->arena, &oom);
	p = compile(d, src, name0);
	arena_on_oom(d->arena, NULL);
	return p;
}

/* Forget the errors and options of the program before. */
static int begin(struct dtrace *d)
{
	d->diags.list.len = 0;
	d->diags.region = REGION_NONE;
	options_end_program(d->opts);
	return handle_prepare(d);
}

struct dtrace_prog *dtrace_compile_string(struct dtrace *d, const char *text, enum dtrace_spec spec)
{
	struct source *src;

	if (begin(d))
		return NULL;
	text = arena_strdup(d->arena, text);
	src = source_new(d->arena, text, false, (enum spec_level)spec, text, strlen(text));
	return guarded(d, src, d->name);
}

static char *read_all(struct dtrace *d, FILE *in, size_t *len)
{
	struct buf b = {0};
	char chunk[4096];
	size_t n;
	char *text = NULL;

	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		buf_put(&b, chunk, n);
	if (!ferror(in) && !b.failed) {
		text = arena_strndup(d->arena, b.data ? b.data : "", b.len);
		*len = b.len;
	}
	buf_free(&b);
	return text;
}

struct dtrace_prog *dtrace_compile_file(struct dtrace *d, const char *path, FILE *in)
{
	size_t len;
	const char *text;
	struct source *src;

	if (begin(d))
		return NULL;
	text = read_all(d, in, &len);
	if (!text) {
		handle_error(d, -EIO, "Error occurred while reading from input stream");
		return NULL;
	}
	if (options_on(d->opts, OPT_cpp) && preprocess(d, &text, &len))
		return NULL;
	if (memchr(text, '\0', len))
		len = strlen(text);
	src = source_new(d->arena, arena_strdup(d->arena, path), true, SPEC_NAME, text, len);
	return guarded(d, src, src->name);
}

bool compile_library(struct dtrace *d, const char *path, FILE *in)
{
	size_t len;
	const char *text = read_all(d, in, &len);
	struct source *src;

	if (!text)
		return false;
	src = source_new(d->arena, path, true, SPEC_NAME, text, len);
	src->is_included = true; /* messages name the file */
	return check(d, src, path, true) != NULL || d->library.skip;
}

int dtrace_prog_enable(struct dtrace *d, struct dtrace_prog *p)
{
	if (d->phase != PHASE_NEW)
		return handle_error(d, -EBUSY, "Operation illegal when tracing is active");
	for (uint32_t i = 0; i < p->sema->clauses.len; i++)
		p->sema->clauses.data[i]->enabled = true;
	return 0;
}

int dtrace_prog_awaits(const struct dtrace_prog *p)
{
	for (uint32_t i = 0; i < p->sema->clauses.len; i++)
		if (p->sema->clauses.data[i]->late)
			return 1;
	return 0;
}

unsigned dtrace_prog_matches(const struct dtrace_prog *p)
{
	return p->sema->nmatches;
}

int dtrace_session_check(struct dtrace *d)
{
	int err = begin(d);

	if (!err)
		err = codegen(d);
	return err && d->diags.list.len ? compile_report(d) : err;
}
