// SPDX-License-Identifier: Apache-2.0
/* The parser: what it makes of well-formed text, and how it goes on after what isn't. */
#include "base/buf.h"
#include "lang/parse.h"

#include "test.h"

static struct arena *arena;
static struct diags diags;

static bool is_type(void *arg, const char *name)
{
	(void)arg;
	return !strcmp(name, "known_t");
}

static void on_pragma(void *arg, struct loc loc, const char *text)
{
	(void)arg;
	(void)loc;
	(void)text;
}

static struct program *parse_as(const char *text, bool is_file, enum spec_level level)
{
	struct lex_macros macros = {0};
	struct parse_input in = {
		.arena = arena,
		.src = source_new(arena, "test.d", is_file, level, text, strlen(text)),
		.diags = &diags,
		.macros = &macros,
		.hooks = {on_pragma, is_type, NULL},
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
	return expr_text(arena, p->items.data[0].clause->stmts.data[0].expr);
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
	CHECK_STR(errors("BEGIN { { a; } }"), "1:9 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { (int a; }"), "1:14 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { \"a\" \"b\"; }"), "1:13 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { 1 2; }"), "1:11 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN { @; @a b; }"), "1:15 D_SYNTAX; ");
	CHECK_STR(errors("BEGIN // { a; }"), "1:8 D_SYNTAX; ");
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
	arena_free(arena);
	return test_done();
}
