// SPDX-License-Identifier: Apache-2.0
/*
 * The parser: what it makes of well-formed text, and how it goes on after what isn't.
 * @ref d-language 1.9
 * @ref d-language 3
 * @ref d-language 7.1
 * @ref d-language 16.1
 * @ref d-language 18
 * @ref d-language 21
 * @ref d-language 23
 * @ref d-errors 2.13
 */
#include <string.h>

#include "base/buf.h"
#include "lang/parse.h"

#include "base/arena.h"
#include "lang/ast.h"
#include "lang/source.h"
#include "test.h"

static struct arena *arena;
static struct diags diags;

static bool is_type(void *arg, const char *name)
{
	(void)arg;
	return !strcmp(name, "known_t");
}

static struct parse_input in;

/* "noextensions" does what the option of that name does. */
static void on_pragma(void *arg, struct loc loc, const char *text)
{
	(void)arg;
	(void)loc;
	in.no_extensions |= !strcmp(text, "noextensions");
}

static struct program *parse_as(const char *text, bool is_file, enum spec_level level)
{
	struct lex_macros macros = {0};

	in = (struct parse_input){
		.arena = arena,
		.src = source_new(arena, "test.d", is_file, level, text, strlen(text)),
		.diags = &diags,
		.macros = &macros,
		.hooks = {.pragma = on_pragma, .is_type = is_type},
	};

	diags = (struct diags){.arena = arena};
	return parse_program(&in);
}

static struct program *parse(const char *text)
{
	return parse_as(text, true, SPEC_NAME);
}

static const char *dump(const struct program *p)
{
	static char text[4096];
	struct buf out = {0};

	ast_dump(&out, p);
	snprintf(text, sizeof(text), "%.*s", (int)out.len, (const char *)out.data);
	buf_free(&out);
	return text;
}

/* The only statement of BEGIN { TEXT }, as a tree. */
static const char *tree(const char *text)
{
	struct program *p = parse(arena_printf(arena, "BEGIN { %s }", text));

	if (diags.list.len)
		return diags.list.data[0].text;
	if (p->items.len != 1 || p->items.data[0].clause->stmts.len != 1)
		return "not one statement";
	return ast_expr_text(arena, p->items.data[0].clause->stmts.data[0].expr);
}

/* "LINE:COLUMN TAG; " for each error of TEXT. */
static const char *errors(const char *text)
{
	static char out[1024];

	parse(text);
	out[0] = 0;
	vec_for (d, &diags.list)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%u:%u %s; ", d->loc.line,
			d->loc.col, d->tag);
	return out;
}

static void test_program(void)
{
	struct program *p = parse("int a;\nBEGIN, END /a/ { b; c }\n1 { }\ninline int d = 2;\n");
	const struct clause *c;

	CHECK_INT(diags.list.len, 0);
	CHECK_INT(p->items.len, 4);
	if (p->items.len != 4)
		return;
	CHECK_INT(p->items.data[0].kind, ITEM_DECL);
	CHECK_INT(p->items.data[1].kind, ITEM_CLAUSE);
	CHECK_INT(p->items.data[3].kind, ITEM_INLINE);
	c = p->items.data[1].clause;
	CHECK_INT(c->specs.len, 2);
	CHECK_STR(c->specs.data[0].text, "BEGIN");
	CHECK_STR(c->specs.data[1].text, "END");
	CHECK(!c->specs.data[0].is_id);
	CHECK(c->predicate && c->predicate->kind == EXPR_VAR);
	CHECK(c->has_body);
	CHECK_INT(c->stmts.len, 2);
	CHECK_INT(c->stmts.data[1].loc.line, 2);
	CHECK_INT(c->stmts.data[1].loc.col, 21);
	c = p->items.data[2].clause;
	CHECK(c->specs.data[0].is_id);
	CHECK(!c->predicate && c->has_body && !c->stmts.len);

	p = parse("");
	CHECK_INT(p->items.len, 0);
}

static void test_declaration(void)
{
	struct program *p = parse("self unsigned long long *x[int, string], y[4];");
	const struct decl *d;
	const struct declarator *x, *y;

	CHECK_INT(diags.list.len, 0);
	CHECK_INT(p->items.len, 1);
	if (p->items.len != 1)
		return;
	d = p->items.data[0].decl;
	CHECK_INT(d->spec->storage, STORAGE_SELF);
	CHECK(d->spec->words & WORD_UNSIGNED);
	CHECK(d->spec->words & WORD_LONGLONG);
	CHECK_INT(d->names.len, 2);
	x = d->names.data[0];
	y = d->names.data[1];
	CHECK_STR(x->name, "x");
	CHECK_INT(x->mods.len, 2);
	CHECK_INT(x->mods.data[0].kind, MOD_ASSOC);
	CHECK_INT(x->mods.data[0].params.len, 2);
	CHECK_INT(x->mods.data[1].kind, MOD_PTR);
	CHECK_INT(y->mods.len, 1);
	CHECK_INT(y->mods.data[0].kind, MOD_ARRAY);
	CHECK_INT((int64_t)y->mods.data[0].size->value, 4);

	/* a name is a type, or it is a variable: after a typedef, in a cast */
	CHECK_STR(tree("(known_t)a"), "(cast <known_t> a)");
	CHECK_STR(tree("(other_t)(a)"), "(call other_t a)");
	CHECK_STR(tree("(known_t *)a"), "(cast <known_t *> a)");
	CHECK_STR(tree("sizeof(known_t)"), "(sizeof <known_t>)");
	CHECK_STR(tree("sizeof(other_t)"), "(sizeof other_t)");
	p = parse("typedef int my_t; BEGIN { (my_t)a; } self my_t b;");
	CHECK_INT(diags.list.len, 0);
	CHECK_STR(dump(p),
		"(decl typedef int my_t)\n(clause BEGIN\n  (cast <my_t> a))\n(decl self my_t b)\n");
}

static void test_expressions(void)
{
	CHECK_STR(tree("a + b * c"), "(+ a (* b c))");
	CHECK_STR(tree("a = b = c"), "(= a (= b c))");
	CHECK_STR(tree("a ? b : c ? d : e"), "(?: a b (?: c d e))");
	CHECK_STR(tree("self->a++ + --this->b"), "(+ (post++ self->a) (-- this->b))");
	CHECK_STR(tree("@a[b, 1] = count()"), "(= (@a b 1) (call count))");
	CHECK_STR(tree("a->int"), "(-> a int)");
	CHECK_STR(tree("a.self->this"), "(-> (. a self) this)");
	CHECK_STR(tree("((((((((((a))))))))))"), "a");
	CHECK_STR(tree("f(g(h(i(j()))))"), "(call f (call g (call h (call i (call j)))))");
	CHECK_STR(tree("a[b[c[d[e]]]]"), "(index a (index b (index c (index d e))))");
	CHECK_STR(tree("- - - -a"), "(- (- (- (- a))))");
	CHECK_STR(tree("$$nosuch"), "macro variable $nosuch is not defined");
}

/* Depth has a limit that ordinary programs stay far from. */
static void test_depth(void)
{
	char text[8192];
	size_t n;

	for (int depth = 50; depth <= 3000; depth += 2950) {
		n = (size_t)snprintf(text, sizeof(text), "BEGIN { ");
		memset(text + n, '(', (size_t)depth);
		n += (size_t)depth;
		text[n++] = 'a';
		memset(text + n, ')', (size_t)depth);
		n += (size_t)depth;
		snprintf(text + n, sizeof(text) - n, "; }");
		CHECK_STR(errors(text)[0] ? "error" : "fine", depth > 100 ? "error" : "fine");

		n = (size_t)snprintf(text, sizeof(text), "BEGIN { ");
		memset(text + n, '!', (size_t)depth);
		snprintf(text + n + depth, sizeof(text) - n - (size_t)depth, "a; }");
		CHECK_STR(errors(text)[0] ? "error" : "fine", depth > 100 ? "error" : "fine");

		n = (size_t)snprintf(text, sizeof(text), "BEGIN { ");
		for (int i = 0; i < depth; i++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "a?");
		n += (size_t)snprintf(text + n, sizeof(text) - n, "b");
		for (int i = 0; depth < 100 && i < depth; i++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, ":c");
		snprintf(text + n, sizeof(text) - n, "; }");
		CHECK_STR(errors(text)[0] ? "error" : "fine", depth > 100 ? "error" : "fine");
	}
}

static void test_errors(void)
{
	CHECK_STR(errors("BEGIN { a; }"), "");
	CHECK_STR(errors("BEGIN { a b; }"), "1:11 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a +; }"), "1:12 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a = ; }"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { (a; }"), "1:11 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a); }"), "1:10 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a[1; }"), "1:12 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a] }"), "1:10 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { [a] }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { f(a,); }"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { f(,a); }"), "1:11 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a ? b; }"), "1:14 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a.1; }"), "1:10 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a->; }"), "1:12 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { self; }"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { self.a; }"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { sizeof; }"), "1:15 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { int a; }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { (int a; }"), "1:14 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { \"a\" \"b\"; }"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { 1 2; }"), "1:11 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { @; @a b; }"), "1:15 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN // { a; }"), "1:16 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN /a/ /b/ { a; }"), "1:11 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN, { a; }"), "1:8 D_SYNTAX; ");
	CHECK_STR(errors(", BEGIN { a; }"), "1:1 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN END { a; }"), "1:7 D_SYNTAX; ");
	CHECK_STR(errors("{ a; }"), "1:1 D_SYNTAX; ");
	CHECK_STR(errors("/a/ { a; }"), "1:1 D_SYNTAX; ");
	CHECK_STR(errors("int a"), "1:6 D_SYNTAX; ");
	CHECK_STR(errors("int a[int;"), "1:10 D_SYNTAX; ");
	CHECK_STR(errors("int (a;"), "1:7 D_SYNTAX; ");
	CHECK_STR(errors("int 5;"), "1:5 D_SYNTAX; ");
	CHECK_STR(errors("struct { int a }; "), "1:16 D_SYNTAX; ");
	CHECK_STR(errors("enum { 1 };"), "1:8 D_SYNTAX; ");
	CHECK_STR(errors("inline int a;"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN {\n a;\n"), "3:1 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { a; /* b"), "1:12 D_SYNTAX; ");
}

/* Errors are found in each of several broken clauses, and what is whole is kept. */
static void test_recovery(void)
{
	struct program *p;
	unsigned whole = 0;

	CHECK_STR(errors("BEGIN { a +; }\nEND { b; }\nBEGIN { c d; }\nEND /e +/ { }\n"),
		"1:12 D_SYNTAX; 3:11 D_SYNTAX; 4:9 D_SYNTAX; ");
	CHECK_STR(errors("int 5;\nint a;\nint b c;\nBEGIN { d e; }"),
		"1:5 D_SYNTAX; 3:7 D_SYNTAX; 4:11 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { 019; }\nEND { 12x; }\nEND { f(''); }"),
		"1:9 D_INT_DIGIT; 2:7 D_SYNTAX; 3:9 D_CHR_NULL; ");

	p = parse("BEGIN { a +; }\nEND { b; }\nBEGIN { { c; } d; }\nEND { e; }");
	vec_for (it, &p->items)
		whole += it->kind == ITEM_CLAUSE && it->clause->specs.len &&
			!strcmp(it->clause->specs.data[0].text, "END");
	CHECK_INT(whole, 2);
}

/* A command-line program may leave out the body, a script may not. */
static void test_bodies(void)
{
	struct program *p = parse_as("BEGIN", false, SPEC_NAME);

	CHECK_INT(diags.list.len, 0);
	CHECK_INT(p->items.len, 1);
	CHECK(!p->items.data[0].clause->has_body);
	parse_as("a:b, c", false, SPEC_FUNCTION);
	CHECK_INT(diags.list.len, 0);
	parse_as("BEGIN /a/", false, SPEC_NAME);
	parse_as("int a; BEGIN { a = 1; }", false, SPEC_NAME);
	CHECK_INT(diags.list.len, 0);
	CHECK_STR(errors("BEGIN"), "1:6 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN /a/"), "1:10 D_SYNTAX; ");
}

/* ---- control flow ---- */

/*
 * The first item of TEXT as a tree.  A broken clause follows TEXT, so that nothing behind the
 * parser could have had a say, and its error must be the only one.
 */
static const char *item(const char *text)
{
	static const char tail[] = "\n(clause END\n  (+ 1 0))\n";
	struct program *p = parse(arena_printf(arena, "%s\nEND { 1 + ; }\n", text));
	const char *all = dump(p), *end = strstr(all, tail);

	if (diags.list.len != 1 || strcmp(diags.list.data[0].text, "syntax error near \";\""))
		return diags.list.data[0].text;
	return end ? arena_strndup(arena, all, (size_t)(end - all)) : "no END";
}

/* The statements of BEGIN { TEXT }. */
static const char *stmts(const char *text)
{
	static const char head[] = "(clause BEGIN";
	const char *s = item(arena_printf(arena, "BEGIN { %s }", text));
	size_t n = strlen(s);

	if (strncmp(s, head, sizeof(head) - 1))
		return s;
	return arena_strndup(arena, s + sizeof(head) - 1, n - sizeof(head));
}

static void test_if(void)
{
	CHECK_STR(stmts("if (a) b;"), "\n  (if a\n    (then\n      b))");
	CHECK_STR(stmts("if (a) b"), "\n  (if a\n    (then\n      b))");
	CHECK_STR(stmts("if (a) ;"), "\n  (if a\n    (then))");
	CHECK_STR(stmts("if (a) { } b"), "\n  (if a\n    (then))\n  b");
	CHECK_STR(stmts("if (a) { b; c } else { d } e"),
		"\n  (if a\n    (then\n      b\n      c)\n    (else\n      d))\n  e");
	CHECK_STR(stmts("if (a) b; else c; d"),
		"\n  (if a\n    (then\n      b)\n    (else\n      c))\n  d");
	/* else belongs to the nearest if */
	CHECK_STR(stmts("if (a) if (b) c; else d"),
		"\n  (if a\n    (then\n      (if b\n        (then\n          c)\n"
		"        (else\n          d))))");
	CHECK_STR(stmts("if (a) { if (b) c } else d"),
		"\n  (if a\n    (then\n      (if b\n        (then\n          c)))\n"
		"    (else\n      d))");
	CHECK_STR(stmts("if (a) b; else if (c) d; else { e }"),
		"\n  (if a\n    (then\n      b)\n    (else\n      (if c\n        (then\n          "
		"d)\n"
		"        (else\n          e))))");
	CHECK_STR(errors("BEGIN { if a b; }"), "1:12 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { if () b; }"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { if (a) }"), "1:16 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { if (a) b else c; }"), "1:18 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { if (a) b;; else c; }"), "1:20 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { else b; }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { if = 1; }"), "1:12 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN / if (a) b / { }"), "1:9 D_SYNTAX; ");
}

static void test_loops(void)
{
	CHECK_STR(stmts("while (a < 3) a++;"), "\n  (while (< a 3)\n    (post++ a))");
	CHECK_STR(stmts("while (a) { b; break } c"), "\n  (while a\n    b\n    (break))\n  c");
	CHECK_STR(stmts("for (i = 0; i < 3; i++) { if (a) continue; b }"),
		"\n  (for (= i 0) (< i 3) (post++ i)\n    (if a\n      (then\n        "
		"(continue)))\n"
		"    b)");
	CHECK_STR(stmts("for (;;) break;"), "\n  (for - - -\n    (break))");
	CHECK_STR(stmts("for (i = 0, j = 1; ; ) ;"), "\n  (for (, (= i 0) (= j 1)) - -)");
	CHECK_STR(errors("BEGIN { while a; }"), "1:15 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { for (a; b) c; }"), "1:18 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { for (a; b; c; d) e; }"), "1:21 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { break; }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { while (a) b; continue; }"), "1:22 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { while (a) { break 1; } }"), "1:27 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { return; }"), "1:9 D_SYNTAX; ");
	CHECK_STR(dump(parse("BEGIN { if (a) break; }")),
		"(clause BEGIN\n  (if a\n    (then\n      (break))))\n");
	/* reserved for nothing */
	CHECK_STR(errors("BEGIN { do a; while (b); }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { switch (a) { case 1: b; } }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { case 1: b; }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { default: b; }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { goto a; }"), "1:9 D_SYNTAX; ");
}

/* foreach and in are words like any other where no foreach stands. */
static void test_foreach(void)
{
	const struct stmt *s;
	struct program *p;

	CHECK_STR(stmts("foreach (k in a) b;"), "\n  (foreach (k) a\n    b)");
	CHECK_STR(stmts("foreach (k, l, m in self->a) { b; c } d"),
		"\n  (foreach (k l m) self->a\n    b\n    c)\n  d");
	CHECK_STR(stmts("foreach (in in in) break;"), "\n  (foreach (in) in\n    (break))");
	CHECK_STR(stmts("foreach (foreach in a) foreach (foreach);"),
		"\n  (foreach (foreach) a\n    (call foreach foreach))");
	CHECK_STR(stmts("foreach = in; in++; foreach(in); foreach(a, b); foreach[in] = 1"),
		"\n  (= foreach in)\n  (post++ in)\n  (call foreach in)\n  (call foreach a b)\n"
		"  (= (index foreach in) 1)");
	CHECK_STR(stmts("foreach\n#pragma D option quiet\n(k /* in */\nin a) b"),
		"\n  (foreach (k) a\n    b)");
	/* a key is a variable, though a type has its name, while the loop lasts */
	CHECK_STR(stmts("foreach (known_t in a) (known_t)(b); (known_t)(b)"),
		"\n  (foreach (known_t) a\n    (call known_t b))\n  (cast <known_t> b)");
	p = parse("BEGIN { a;\n foreach (k,\n l in self->b) ; }");
	s = &p->items.data[0].clause->stmts.data[1];
	CHECK_INT(s->kind, STMT_FOREACH);
	CHECK_INT(s->loc.line, 2);
	CHECK_INT(s->keys.len, 2);
	CHECK_INT(s->keys.data[1].loc.line, 3);
	CHECK_INT(s->keys.data[1].loc.col, 2);
	CHECK_INT(s->over->kind, EXPR_VAR);
	CHECK_INT(s->over->scope, SCOPE_SELF);
	CHECK_INT(s->over->loc.col, 7);
	CHECK_STR(errors("BEGIN { foreach (k in 5) a; }"), "1:23 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { foreach (k in @a) a; }"), "1:23 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { foreach (k in this->a) a; }"), "1:23 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { foreach (k in a[1]) a; }"), "1:24 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { foreach (k, in a) a; }"), "1:24 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { foreach (1 in a) a; }"), "1:20 D_SYNTAX; ");
}

static void test_blocks(void)
{
	char text[8192];
	int n;

	CHECK_STR(stmts("{ a; } b"), "\n  (block\n    a)\n  b");
	CHECK_STR(stmts("{ }"), "\n  (block)");
	CHECK_STR(stmts("; ; { ; } ;"), "\n  (block)");
	CHECK_STR(stmts("{ { a } { b; c } }"),
		"\n  (block\n    (block\n      a)\n    (block\n      b\n      c))");
	CHECK_STR(errors("BEGIN { { a; }"), "1:15 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { { a b; } c; }\nEND { d e; }"), "1:13 D_SYNTAX; 2:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { if (a) { b + } c; }\nEND { d e; }"),
		"1:22 D_SYNTAX; 2:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { while (a { b; } c; }\nEND { d e; }"),
		"1:18 D_SYNTAX; 2:9 D_SYNTAX; ");
	/* no depth of nesting is too much for the parser, though it may refuse it */
	for (int depth = 60; depth <= 2000; depth += 1940) {
		for (unsigned kind = 0; kind < 3; kind++) {
			static const char *const open[] = {"{", "if(a)", "if(a);else "};

			n = snprintf(text, sizeof(text), "BEGIN { ");
			for (int i = 0; i < depth && n < 8000; i++)
				n += snprintf(text + n, sizeof(text) - (size_t)n, "%s", open[kind]);
			n += snprintf(text + n, sizeof(text) - (size_t)n, ";");
			for (int i = 0; !kind && i < depth; i++)
				n += snprintf(text + n, sizeof(text) - (size_t)n, "}");
			snprintf(text + n, sizeof(text) - (size_t)n, "}\nEND { a b; }");
			CHECK_STR(strstr(errors(text), "1:") ? "error" : "fine",
				depth > 100 ? "error" : "fine");
			CHECK(strstr(errors(text), "2:9 D_SYNTAX"));
		}
	}
}

static void test_functions(void)
{
	struct program *p;

	CHECK_STR(item("int f(int a, known_t *b) { if (a) return 1; return *b }"),
		"(function int f (int a, known_t b *)\n  (if a\n    (then\n      (return 1)))\n"
		"  (return (* b)))");
	CHECK_STR(
		item("struct s *f(void) { return }"), "(function struct s f (void) *\n  (return))");
	CHECK_STR(item("known_t f() { }"), "(function known_t f ())");
	CHECK_STR(item("string<8> f(string<16> a) { return a; }"),
		"(function string<8> f (string<16> a)\n  (return a))");
	/* a parameter is a variable in the body, whatever type has its name; f is one from here */
	CHECK_STR(item("int f(int known_t) { return (known_t)(1); }"),
		"(function int f (int known_t)\n  (return (call known_t 1)))");
	CHECK_STR(item("int f(int); extern int g(int, ...);"),
		"(decl int f (int))\n(decl extern int g (int, ...))");
	p = parse("int f(void) { return 1; }\nBEGIN { f(); }\n;int a;");
	CHECK_INT(p->items.len, 3);
	CHECK_INT(p->items.data[0].kind, ITEM_FUNCTION);
	CHECK_INT(p->items.data[1].kind, ITEM_CLAUSE);
	CHECK_INT(p->items.data[2].kind, ITEM_DECL);
	CHECK_STR(errors("int f { }"), "1:7 D_SYNTAX; ");
	CHECK_STR(errors("int (*f)(int) { }"), "1:15 D_SYNTAX; ");
	CHECK_STR(errors("typedef int f(int a) { }"), "1:22 D_SYNTAX; ");
	CHECK_STR(errors("int f(int a), g(int b) { }"), "1:24 D_SYNTAX; ");
	CHECK_STR(errors("int f(self int a) { }"), "1:7 D_SYNTAX; ");
	CHECK_STR(errors("int f(int a) { break; }"), "1:16 D_SYNTAX; ");
	CHECK_STR(errors("int f(int a) { int b; }\nEND { a b; }"), "1:16 D_SYNTAX; 2:9 D_SYNTAX; ");
	CHECK_STR(errors("int f(int a) { return a +; }\nEND { a b; }\nBEGIN { return; }"),
		"1:26 D_SYNTAX; 2:9 D_SYNTAX; 3:9 D_SYNTAX; ");
}

/* ---- types ---- */

static void test_string_sizes(void)
{
	const struct decl *d;

	CHECK_STR(item("string<64> a, b;"), "(decl string<64> a, b)");
	CHECK_STR(item("self string<32>s;"), "(decl self string<32> s)");
	CHECK_STR(item("this const string < 2 * 8 > s;"), "(decl this const string<(* 2 8)> s)");
	CHECK_STR(
		item("typedef string<N> t[4]; t a;"), "(decl typedef string<N> t [4])\n(decl t a)");
	CHECK_STR(item("struct s { string<8> a; };"), "(decl struct s {string<8> a})");
	CHECK_STR(item("int a[string<8>, int];"), "(decl int a [string<8>, int])");
	CHECK_STR(item("int a[string<8>];"), "(decl int a [string<8>])");
	CHECK_STR(stmts("(string<8>)x; sizeof (string<16>);"),
		"\n  (cast <string<8>> x)\n  (sizeof <string<16>>)");
	CHECK_STR(stmts("(string)x < 8; (string<8> *)x > y"),
		"\n  (< (cast <string> x) 8)\n  (> (cast <string<8> *> x) y)");
	/* where another '<' or '>' is near */
	CHECK_STR(stmts("xlate <string<8>>(x)"), "\n  (xlate <string<8>> x)");
	CHECK_STR(item("translator string<int i> { };"), "(translator <string> <int> i)");
	CHECK_STR(item("translator string<8> < string<4> s > { };"),
		"(translator <string<8>> <string<4>> s)");
	d = parse("string<8> a; string b;")->items.data[0].decl;
	CHECK(d->spec->str_size && d->spec->str_size->value == 8);
	d = parse("string b;")->items.data[0].decl;
	CHECK(!d->spec->str_size);
	CHECK_STR(errors("string<> a;"), "1:8 D_SYNTAX; ");
	CHECK_STR(errors("string<8 a;"), "1:10 D_SYNTAX; ");
	CHECK_STR(errors("int<8> a;"), "1:4 D_SYNTAX; ");
	CHECK_STR(errors("string<8>> a;"), "1:10 D_SYNTAX; ");
}

static void test_structs(void)
{
	CHECK_STR(item("struct s;"), "(decl struct s)");
	CHECK_STR(item("struct s { int a:3, *b; struct { char c[4]; } d; int :2; } x, *y;"),
		"(decl struct s {int a : 3, b *; struct {char c [4]} d; int : 2} x, y *)");
	CHECK_STR(item("union { known_t a; const char *b; } x;"),
		"(decl union {known_t a; const char b *} x)");
	CHECK_STR(item("enum { A, B = 4 };"), "(decl enum {A, B = 4})");
	CHECK_STR(item("enum e { A = 1 << 2, } x;"), "(decl enum e {A = (<< 1 2)} x)");
	CHECK_STR(item("struct s { enum { A } a; };"), "(decl struct s {enum {A} a})");
	CHECK_STR(item("typedef struct { int a; } t; t *b;"),
		"(decl typedef struct {int a} t)\n(decl t b *)");
	/* D declares no anonymous members, and no type is empty */
	CHECK_STR(errors("struct s { struct { int a; }; };"), "1:29 D_SYNTAX; ");
	CHECK_STR(errors("struct s { union { int a; long b; }; int c; };"), "1:36 D_SYNTAX; ");
	CHECK_STR(errors("struct s { int; };"), "1:15 D_SYNTAX; ");
	CHECK_STR(errors("struct s { };"), "1:12 D_SYNTAX; ");
	CHECK_STR(errors("enum e { };"), "1:10 D_SYNTAX; ");
	CHECK_STR(errors("struct s { other_t a; };"), "1:12 D_SYNTAX; ");
	/* one name too many, or one type */
	CHECK_STR(errors("self other_t x;"), "1:14 D_SYNTAX; ");
	CHECK_STR(errors("int a b;"), "1:7 D_SYNTAX; ");
	CHECK_STR(errors("struct s { int a; } struct t { int b; };"), "1:21 D_DECL_COMBO; ");
	CHECK_STR(errors("struct s { int a; }\nknown_t *x;"), "2:1 D_DECL_COMBO; ");
	CHECK_STR(errors("int known_t x;"), "1:5 D_DECL_COMBO; ");
	CHECK_STR(errors("self this int x;"), "1:6 D_DECL_CLASS; ");
	CHECK_STR(errors("int a[self int];"), "1:7 D_SYNTAX; ");
}

/* A name that is a type is a variable too: once it was one, or where a type makes no sense. */
static void test_type_or_variable(void)
{
	CHECK_STR(stmts("(known_t)a; (known_t *)a; (known_t (*)(int))a; sizeof (known_t)"),
		"\n  (cast <known_t> a)\n  (cast <known_t *> a)\n  (cast <known_t * (int)> a)\n"
		"  (sizeof <known_t>)");
	CHECK_STR(stmts("(known_t++); (known_t--); (known_t[1]); (known_t, 1)"),
		"\n  (post++ known_t)\n  (post-- known_t)\n  (index known_t 1)\n  (, known_t 1)");
	CHECK_STR(stmts("(known_t.a); (known_t->a); (known_t + 1)"),
		"\n  (. known_t a)\n  (-> known_t a)\n  (+ known_t 1)");
	CHECK_STR(stmts("(known_t = 1); (known_t)(2)"), "\n  (= known_t 1)\n  (call known_t 2)");
	CHECK_STR(stmts("known_t[1] = 1; sizeof (known_t)"),
		"\n  (= (index known_t 1) 1)\n  (sizeof known_t)");
	CHECK_STR(item("int known_t; BEGIN { (known_t)(1); }"),
		"(decl int known_t)\n(clause BEGIN\n  (call known_t 1))");
	CHECK_STR(item("enum { known_t }; BEGIN { (known_t)(1); }"),
		"(decl enum {known_t})\n(clause BEGIN\n  (call known_t 1))");
	CHECK_STR(item("self int known_t; BEGIN { (known_t)(1); }"),
		"(decl self int known_t)\n(clause BEGIN\n  (cast <known_t> 1))");
	CHECK_STR(item("inline int f[int known_t] = (known_t)(1); known_t x;"),
		"(inline inline int f [int known_t] = (call known_t 1))\n(decl known_t x)");
	/* words that no declaration begins with are probes' names */
	CHECK_STR(item("return, while { a }"), "(clause return while\n  a)");
}

/* ---- translators, providers, control lines ---- */

static void test_translators(void)
{
	const struct translator_ast *t;

	CHECK_STR(item("translator known_t < struct s *a > { b = a->c; self = sizeof (a); };"),
		"(translator <known_t> <struct s *> a\n  (= b (-> a c))\n  (= self (sizeof a)))");
	CHECK_STR(item("translator struct s *<int i>{};"), "(translator <struct s *> <int> i)");
	CHECK_STR(item("translator struct s < void *known_t > { a = (known_t)(1); }; known_t b;"),
		"(translator <struct s> <void *> known_t\n  (= a (call known_t 1)))\n"
		"(decl known_t b)");
	t = parse("translator struct s < int i > {\n a = 1;\n b = 2; };")->items.data[0].translator;
	CHECK_STR(t->param, "i");
	CHECK(!t->in->decl->name);
	CHECK_INT(t->members.len, 2);
	CHECK_INT(t->members.data[1].loc.line, 3);
	CHECK_STR(errors("translator other_t < int i > { };"), "1:12 D_SYNTAX; ");
	CHECK_STR(errors("translator known_t < other_t i > { };"), "1:22 D_SYNTAX; ");
	CHECK_STR(errors("translator known_t < int > { };"), "1:26 D_SYNTAX; ");
	CHECK_STR(errors("translator known_t < int i { };"), "1:28 D_SYNTAX; ");
	CHECK_STR(errors("translator known_t < int i > { a = 1 };"), "1:38 D_SYNTAX; ");
	CHECK_STR(errors("translator known_t < int i > { a; };"), "1:33 D_SYNTAX; ");
	CHECK_STR(errors("translator known_t < int i > { a = 1; }\nBEGIN { }"), "2:1 D_SYNTAX; ");
	CHECK_STR(errors("translator known_t < int i > { a = +; b = 1; };\nEND { c d; }"),
		"1:37 D_SYNTAX; 2:9 D_SYNTAX; ");
}

static void test_providers(void)
{
	const struct provider_ast *pr;

	CHECK_STR(item("provider p { probe a__b(int x, char *) : (string s, int x); probe c(); };"),
		"(provider p\n  (probe a__b (int x, char *) (string s, int x))\n  (probe c ()))");
	CHECK_STR(item("provider p { probe a(void) : (); probe b(int, ...); };"),
		"(provider p\n  (probe a (void) ())\n  (probe b (int, ...)))");
	CHECK_STR(item("provider p { };"), "(provider p)");
	pr = parse("provider p {\n probe a(void);\n probe b(void, int); };")
		     ->items.data[0]
		     .provider;
	CHECK_STR(pr->name, "p");
	CHECK_INT(pr->probes.len, 2);
	CHECK_INT(pr->probes.data[1].loc.line, 3);
	CHECK_INT(pr->probes.data[1].loc.col, 8);
	CHECK_INT(pr->probes.data[0].params.len, 1);
	CHECK(pr->probes.data[0].params.data[0]->spec->words == WORD_VOID);
	CHECK(!pr->probes.data[0].has_xparams);
	CHECK_STR(errors("provider p { probe a(int) };"), "1:27 D_SYNTAX; ");
	CHECK_STR(errors("provider p { a(int); };"), "1:14 D_SYNTAX; ");
	CHECK_STR(errors("provider { };"), "1:10 D_SYNTAX; ");
	CHECK_STR(errors("provider p { probe a; };"), "1:21 D_SYNTAX; ");
	CHECK_STR(errors("provider p { probe a(other_t b); };"), "1:22 D_SYNTAX; ");
	CHECK_STR(errors("provider p { probe a(int) : int; };"), "1:29 D_SYNTAX; ");
	CHECK_STR(errors("provider p { probe a(int); }\nBEGIN { }"), "2:1 D_SYNTAX; ");
}

/* -x noextensions: what DTrace never had is an error at the word that it does not know. */
static void test_no_extensions(void)
{
	static const char off[] = "#pragma D noextensions\n";
	static const char *const texts[] = {
		"BEGIN { if (a) b; }",
		"BEGIN { while (a) b; }",
		"BEGIN { for (;;) b; }",
		"BEGIN { foreach (a in b) c; }",
		"BEGIN { break; }",
		"BEGIN { continue; }",
		"BEGIN { return; }",
		"BEGIN { { a; } }",
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		CHECK_STR(errors(arena_printf(arena, "%s%s", off, texts[i])), "2:9 D_SYNTAX; ");
	CHECK_STR(diags.list.data[0].text, "syntax error near \"{\"");
	errors("#pragma D noextensions\nBEGIN { if (a) b; }");
	CHECK_STR(diags.list.data[0].text, "syntax error near \"if\"");
	CHECK_STR(errors("#pragma D noextensions\nint f(int a) { return a; }"), "2:14 D_SYNTAX; ");
	CHECK_STR(errors("#pragma D noextensions\nstring<8> a;"), "2:7 D_SYNTAX; ");
	CHECK_STR(errors("#pragma D noextensions\nBEGIN { (string<8>)a; }"), "2:16 D_SYNTAX; ");
	CHECK_STR(errors("#pragma D noextensions\nBEGIN { foreach(a, in); int++; }"),
		"2:25 D_SYNTAX; ");
	CHECK_STR(errors("#pragma D noextensions\nint f(int); string a; BEGIN { foreach = in; }"),
		"");
}

/* A control line between tokens counts once, though the parser looked ahead over it. */
static void test_control_lines(void)
{
	CHECK_STR(errors("BEGIN { (\n# 50 \"x\"\na); b c; }"), "50:7 D_SYNTAX; ");
	CHECK_STR(
		errors("BEGIN { foreach (a\n# 50 \"x\" 1 3\nin b) c; d e; }"), "50:12 D_SYNTAX; ");
	CHECK_STR(errors("# 7 \"a\\\"b\"\nBEGIN { a b; }"), "7:11 D_SYNTAX; ");
	CHECK_STR(diags.list.data[0].loc.src->name, "a\"b");
}

int main(void)
{
	arena = arena_new();
	test_program();
	test_declaration();
	test_expressions();
	test_depth();
	test_errors();
	test_recovery();
	test_bodies();
	test_if();
	test_loops();
	test_foreach();
	test_blocks();
	test_functions();
	test_string_sizes();
	test_structs();
	test_type_or_variable();
	test_translators();
	test_providers();
	test_no_extensions();
	test_control_lines();
	arena_free(arena);
	return test_done();
}
