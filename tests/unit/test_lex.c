// SPDX-License-Identifier: Apache-2.0
/*
 * Tokens: literals and their types, operators, contexts, macro variables, control lines, positions.
 * @ref d-language 1.1
 * @ref d-language 1.3
 * @ref d-language 1.4
 * @ref d-language 1.5 radixes suffixes digit-of-radix overflow type-decimal type-hexadecimal
 * @ref d-language 1.5 type-suffixed trailing-letters
 * @ref d-language 1.6 packing wide-type empty too-long
 * @ref d-language 1.7 control-escapes octal-escapes hexadecimal-escapes other-escapes-kept
 * @ref d-language 1.8
 * @ref d-language 1.9
 * @ref d-language 2 integer-operand identifier-operand string-operand empty-operand
 * @ref d-language 18 line
 * @ref d-errors 2.8
 */
#include "lang/lex.h"

#include "base/arena.h"
#include "lang/source.h"
#include "test.h"

static struct arena *arena;
static struct diags diags;
static struct lex_macros macros;
static char pragmas[256];

static void on_pragma(void *arg, struct loc loc, const char *text)
{
	char *out = arg;

	snprintf(out + strlen(out), sizeof(pragmas) - strlen(out), "%u:%s|", loc.line, text);
}

static bool is_type(void *arg, const char *name)
{
	(void)arg;
	return !strcmp(name, "known_t");
}

static const struct lex_hooks hooks = {on_pragma, NULL, is_type, pragmas, false, false};

static struct lexer *start(const char *text)
{
	struct source *src = source_new(arena, "test.d", true, SPEC_NAME, text, strlen(text));

	diags = (struct diags){.arena = arena};
	pragmas[0] = 0;
	return lex_new(arena, src, &diags, &macros, &hooks);
}

static struct token first(const char *text)
{
	return lex_next(start(text), LEX_EXPR);
}

/* The tag of the only error of TEXT, read to its end in CTX. */
static const char *error_in(const char *text, enum lex_context ctx)
{
	struct lexer *lx = start(text);
	unsigned n = 0;

	while (lex_next(lx, ctx).kind != TOK_EOF && !diags.list.len && n++ < 100)
		;
	return diags.list.len ? diags.list.data[0].tag : "none";
}

static const char *error_of(const char *text)
{
	return error_in(text, LEX_EXPR);
}

/* The spellings of the tokens of TEXT, each followed by a blank. */
static const char *tokens(const char *text, enum lex_context ctx)
{
	static char out[1024];
	struct lexer *lx = start(text);

	out[0] = 0;
	for (;;) {
		struct token t = lex_next(lx, ctx);
		size_t n = strlen(out);

		if (t.kind == TOK_EOF || t.kind == TOK_ERROR || n > sizeof(out) - 64)
			return out;
		if (t.kind == TOK_INTEGER)
			snprintf(out + n, sizeof(out) - n, "%lld ", (long long)t.value);
		else if (t.kind == TOK_STRINGLIT)
			snprintf(out + n, sizeof(out) - n, "\"%s\" ", t.str);
		else if (t.kind == TOK_IDENT)
			snprintf(out + n, sizeof(out) - n, "%s ", t.str);
		else if (t.kind == TOK_AGGNAME)
			snprintf(out + n, sizeof(out) - n, "@%s ", t.str);
		else if (t.kind == TOK_PROBESPEC)
			snprintf(out + n, sizeof(out) - n, "<%s> ", t.str);
		else if (t.kind == TOK_PREDEND)
			snprintf(out + n, sizeof(out) - n, "END/ ");
		else
			snprintf(out + n, sizeof(out) - n, "%s ", lex_token_spelling(t.kind));
	}
}

static void check_integer(const char *text, uint64_t value, enum int_kind kind, int line)
{
	struct token t = first(text);

	test_check(t.kind == TOK_INTEGER, __FILE__, line, text);
	test_check_int((int64_t)t.value, (int64_t)value, __FILE__, line, text);
	test_check_int(t.ikind, kind, __FILE__, line, text);
	test_check_int(t.len, (int64_t)strlen(text), __FILE__, line, text);
}

#define CHECK_INTEGER(text, value, kind) check_integer((text), (value), (kind), __LINE__)

static void test_integers(void)
{
	CHECK_INTEGER("0", 0, INT_INT);
	CHECK_INTEGER("2147483647", 2147483647, INT_INT);
	CHECK_INTEGER("2147483648", 2147483648, INT_LONG);
	CHECK_INTEGER("4294967295", 4294967295, INT_LONG);
	CHECK_INTEGER("9223372036854775807", INT64_MAX, INT_LONG);
	CHECK_INTEGER("00", 0, INT_INT);
	CHECK_INTEGER("017", 15, INT_INT);
	CHECK_INTEGER("037777777777", UINT32_MAX, INT_UINT);
	CHECK_INTEGER("0x7fffffff", INT32_MAX, INT_INT);
	CHECK_INTEGER("0x80000000", 0x80000000, INT_UINT);
	CHECK_INTEGER("0XffFFffFF", UINT32_MAX, INT_UINT);
	CHECK_INTEGER("0x100000000", 0x100000000, INT_LONG);
	CHECK_INTEGER("0x7fffffffffffffff", INT64_MAX, INT_LONG);
	CHECK_INTEGER("0xffffffffffffffff", UINT64_MAX, INT_ULONG);
	CHECK_INTEGER("01777777777777777777777", UINT64_MAX, INT_ULONG);
	CHECK_INTEGER("1u", 1, INT_UINT);
	CHECK_INTEGER("4294967296U", 4294967296, INT_ULONG);
	CHECK_INTEGER("18446744073709551615u", UINT64_MAX, INT_ULONG);
	CHECK_INTEGER("1l", 1, INT_LONG);
	CHECK_INTEGER("0x8000000000000000L", 1ull << 63, INT_ULONG);
	CHECK_INTEGER("1ul", 1, INT_ULONG);
	CHECK_INTEGER("1LU", 1, INT_ULONG);
	CHECK_INTEGER("1ll", 1, INT_LLONG);
	CHECK_INTEGER("0xffffffffffffffffll", UINT64_MAX, INT_ULLONG);
	CHECK_INTEGER("1ull", 1, INT_ULLONG);
	CHECK_INTEGER("1LLU", 1, INT_ULLONG);

	CHECK_STR(error_of("9223372036854775808"), "D_INT_OFLOW");
	CHECK_STR(error_of("9223372036854775808l"), "D_INT_OFLOW");
	CHECK_STR(error_of("18446744073709551616u"), "D_INT_OFLOW");
	CHECK_STR(error_of("0x10000000000000000"), "D_INT_OFLOW");
	CHECK_STR(error_of("02000000000000000000000"), "D_INT_OFLOW");
	CHECK_STR(error_of("089"), "D_INT_DIGIT");
	CHECK_STR(error_of("0128"), "D_INT_DIGIT");
	CHECK_STR(error_of("12x"), "D_SYNTAX");
	CHECK_STR(error_of("0x"), "D_SYNTAX");
	CHECK_STR(error_of("1uu"), "D_SYNTAX");
	CHECK_STR(error_of("1lul"), "D_SYNTAX");
	CHECK_STR(error_of("1lll"), "D_SYNTAX");
	CHECK_STR(error_of("1.5"), "D_SYNTAX");
	CHECK_STR(error_of("1."), "D_SYNTAX");
	CHECK_STR(error_of(".5"), "D_SYNTAX");
	CHECK_STR(error_of("1e3"), "D_SYNTAX");
	CHECK_STR(error_of("1 2 0x3"), "none");
}

static void test_characters(void)
{
	CHECK_INTEGER("'a'", 'a', INT_INT);
	CHECK_INTEGER("'ab'", 0x6162, INT_INT);
	CHECK_INTEGER("'abcd'", 0x61626364, INT_INT);
	CHECK_INTEGER("'abcde'", 0x6162636465, INT_LONG);
	CHECK_INTEGER("'12345678'", 0x3132333435363738, INT_LONG);
	CHECK_INTEGER("'\\n'", 10, INT_INT);
	CHECK_INTEGER("'\\0'", 0, INT_INT);
	CHECK_INTEGER("'\\101'", 'A', INT_INT);
	CHECK_INTEGER("'\\1012'", 0x4132, INT_INT);
	CHECK_INTEGER("'\\x41'", 'A', INT_INT);
	CHECK_INTEGER("'\\\\'", '\\', INT_INT);
	CHECK_INTEGER("'\"'", '"', INT_INT);
	/* DTrace keeps the backslash of what is no escape of its own, and '\'' is no exception */
	CHECK_INTEGER("'\\''", 23591, INT_INT);
	CHECK_INTEGER("'\\?'", 23615, INT_INT);

	CHECK_STR(error_of("''"), "D_CHR_NULL");
	CHECK_STR(error_of("'123456789'"), "D_CHR_OFLOW");
	CHECK_STR(error_of("'a\n'"), "D_CHR_NL");
	CHECK(strcmp(error_of("'a"), "none") != 0);
}

static const char *string_of(const char *text)
{
	struct token t = first(text);

	CHECK_INT(t.kind, TOK_STRINGLIT);
	if (t.kind != TOK_STRINGLIT)
		return NULL;
	CHECK_INT(t.str_len, (int64_t)strlen(t.str));
	return t.str;
}

static void test_strings(void)
{
	CHECK_STR(string_of("\"\""), "");
	CHECK_STR(string_of("\"plain\""), "plain");
	CHECK_STR(string_of("\"\\a\\b\\f\\n\\r\\t\\v\""), "\a\b\f\n\r\t\v");
	CHECK_STR(string_of("\"\\\"\\\\\""), "\"\\");
	CHECK_STR(string_of("\"\\101\\60\\1012\""), "A0A2");
	CHECK_STR(string_of("\"\\x41\\x7e\\x141\""), "A~A");
	CHECK_STR(string_of("\"\\q\\'\\?\""), "\\q\\'\\?");
	CHECK_STR(string_of("\"a\\0b\""), "a");
	CHECK_STR(string_of("\"/* no comment */\""), "/* no comment */");
	CHECK_STR(string_of("\"$1 $pid\""), "$1 $pid");
	CHECK_STR(error_of("\"a\nb\""), "D_STR_NL");
	CHECK(strcmp(error_of("\"a"), "none") != 0);
}

static void test_punctuation(void)
{
	CHECK_STR(tokens("+ - * / % ++ -- & | ^ ~ << >> ! && || ^^", LEX_EXPR),
		"+ - * / % ++ -- & | ^ ~ << >> ! && || ^^ ");
	CHECK_STR(tokens("== != < <= > >= ? : , = . -> [ ] ( ) { } ;", LEX_EXPR),
		"== != < <= > >= ? : , = . -> [ ] ( ) { } ; ");
	CHECK_STR(tokens("+= -= *= /= %= &= |= ^= <<= >>=", LEX_EXPR),
		"+= -= *= /= %= &= |= ^= <<= >>= ");
	CHECK_STR(tokens("a+++b---c", LEX_EXPR), "a ++ + b -- - c ");
	CHECK_STR(tokens("a<<=b>>=c<=d>=e", LEX_EXPR), "a <<= b >>= c <= d >= e ");
	CHECK_STR(tokens("a^^b^c^=d", LEX_EXPR), "a ^^ b ^ c ^= d ");
	CHECK_STR(tokens("a&&b&c&=d->e-f", LEX_EXPR), "a && b & c &= d -> e - f ");
	CHECK_STR(tokens("@ @a @a1[b] @_", LEX_EXPR), "@_ @a @a1 [ b ] @_ ");
	CHECK_STR(tokens("a`b `c _d e1", LEX_EXPR), "a`b `c _d e1 ");
	CHECK_STR(tokens("9p`a 9`b 8021q``c", LEX_EXPR), "9p`a 9`b 8021q``c ");
	CHECK_STR(tokens("int integer self selfish sizeof", LEX_EXPR),
		"int integer self selfish sizeof ");
	CHECK_STR(error_of("a \\ b"), "D_SYNTAX");
	CHECK_STR(error_of("a \x01"), "D_SYNTAX");
	CHECK_INT(first("while").kind, TOK_WHILE);
	CHECK_INT(first("whiles").kind, TOK_IDENT);
}

static void test_blanks(void)
{
	CHECK_STR(tokens(" \t\v\f\r\n a /* b */ c /**/d/***/e", LEX_EXPR), "a c d e ");
	CHECK_STR(tokens("/* a\n * b\n */ c", LEX_EXPR), "c ");
	CHECK_STR(tokens("a \\\n b", LEX_EXPR), "a b ");
	CHECK_STR(tokens("a // b \\\n/c", LEX_EXPR), "a / c ");
	CHECK_STR(tokens("a \\\r\n b", LEX_EXPR), "a b ");
	CHECK_STR(tokens("#! any line\n  #! another\na", LEX_EXPR), "a ");
	CHECK_STR(error_of("/* a"), "D_SYNTAX");
	CHECK_STR(error_of("/* a /* b */"), "D_SYNTAX");
	CHECK_STR(error_of("a # b\n"), "D_SYNTAX");
	CHECK_STR(tokens("", LEX_EXPR), "");
}

static void test_contexts(void)
{
	CHECK_STR(
		tokens("BEGIN syscall::open*:entry", LEX_OUTER), "<BEGIN> <syscall::open*:entry> ");
	CHECK_STR(tokens("a:b:c:d,e /", LEX_OUTER), "<a:b:c:d> , <e> / ");
	CHECK_STR(tokens("p[a-z]:[!b]?:c\\*d:* 17", LEX_OUTER), "<p[a-z]:[!b]?:c\\*d:*> <17> ");
	CHECK_STR(tokens("tick-1sec profile-97hz lib.so.6:f", LEX_OUTER),
		"<tick-1sec> <profile-97hz> <lib.so.6:f> ");
	/* brackets of C++ and Java belong to a function's name, which a colon comes before */
	CHECK_STR(tokens("p:m:f(int, char *):entry, q:m:g<a, b>(c)::~h() const:return", LEX_OUTER),
		"<p:m:f(int, char *):entry> , <q:m:g<a, b>(c)::~h() const:return> ");
	CHECK_STR(
		tokens("p:m:operator()(int):entry{", LEX_OUTER), "<p:m:operator()(int):entry> { ");
	CHECK_STR(tokens("p:m:int twice<int>(int):entry /x/", LEX_OUTER),
		"<p:m:int twice<int>(int):entry> / <x> / ");
	CHECK_STR(tokens("p:m:P::operator<(P const&) const:entry,p:m:g:return", LEX_OUTER),
		"<p:m:P::operator<(P const&) const:entry> , <p:m:g:return> ");
	CHECK_STR(tokens("p:m:P::operator=(P&&) &&:entry", LEX_OUTER),
		"<p:m:P::operator=(P&&) &&:entry> ");
	CHECK_STR(tokens("p:m:P::operator,(P):return p:m:operator/(P, P):entry", LEX_OUTER),
		"<p:m:P::operator,(P):return p:m:operator/(P, P):entry> ");
	CHECK_STR(tokens("p:m:P::operator->() const:entry {", LEX_OUTER),
		"<p:m:P::operator->() const:entry> { ");
	CHECK_STR(tokens("p:m:P::operator bool() const:entry;", LEX_OUTER),
		"<p:m:P::operator bool() const:entry> ; ");
	CHECK_STR(tokens("p:m:main::{lambda(int)#1}::operator()(int) const:entry", LEX_OUTER),
		"<p:m:main::{lambda(int)#1}::operator()(int) const:entry> ");
	CHECK_STR(tokens("p:m:<a::B<T> as core::C>::d::{{closure}}:entry", LEX_OUTER),
		"<p:m:<a::B<T> as core::C>::d::{{closure}}:entry> ");
	CHECK_STR(tokens("p:libstdc++.so.6:f@V_1.2:entry", LEX_OUTER),
		"<p:libstdc++.so.6:f@V_1.2:entry> ");
	CHECK_STR(tokens("p:m:f(int) [clone .isra.0]:entry", LEX_OUTER),
		"<p:m:f(int) [clone .isra.0]:entry> ");
	/* what is none of these ends at the blank */
	CHECK_STR(tokens("p:m:f:entry {", LEX_OUTER), "<p:m:f:entry> { ");
	CHECK_STR(tokens("p:m:f:entry /a", LEX_OUTER), "<p:m:f:entry> / <a> ");
	CHECK_STR(tokens("p:m::{", LEX_OUTER), "<p:m::> { ");
	CHECK_STR(tokens("p:m:f q, r:s", LEX_OUTER), "<p:m:f> <q> , <r:s> ");
	CHECK_STR(tokens("operator=", LEX_OUTER), "<operator> = ");
	CHECK_STR(tokens("f(a)", LEX_OUTER), "<f> ( <a> ) ");
	CHECK_STR(tokens("p:f(a{b)", LEX_OUTER), "<p:f> ( <a> { <b> ) ");
	/* a word that is a type begins a declaration, but for what only descriptions have in them
	 */
	CHECK_STR(tokens("known_t", LEX_OUTER), "known_t ");
	CHECK_STR(tokens("known_t:a other_t known_tt", LEX_OUTER),
		"<known_t:a> <other_t> <known_tt> ");
	CHECK_STR(tokens("int", LEX_OUTER), "int ");
	CHECK_STR(tokens("int:a", LEX_OUTER), "<int:a> ");
	CHECK_INT(lex_next(start("int*p"), LEX_OUTER).kind, TOK_INT);
	CHECK_INT(lex_next(start("known_t*p"), LEX_OUTER).kind, TOK_IDENT);
	CHECK_INT(lex_next(start("open*"), LEX_OUTER).kind, TOK_PROBESPEC);
	CHECK_STR(tokens("string<8> self this translator provider", LEX_OUTER),
		"string < <8> > self this translator provider ");
	CHECK_STR(tokens("return if continue sizeof", LEX_OUTER),
		"<return> <if> <continue> <sizeof> ");

	CHECK_STR(tokens("a / b /", LEX_PREDICATE), "a / b END/ ");
	CHECK_STR(tokens("a / b / {", LEX_PREDICATE), "a / b END/ { ");
	CHECK_STR(tokens("a / /* c */ {", LEX_PREDICATE), "a END/ { ");
	CHECK_STR(tokens("a / ;", LEX_PREDICATE), "a END/ ; ");
	CHECK_STR(tokens("a /\n\n{", LEX_PREDICATE), "a END/ { ");
	CHECK_STR(tokens("a / (", LEX_PREDICATE), "a / ( ");
	CHECK_STR(tokens("a /= b", LEX_PREDICATE), "a /= b ");
	CHECK_STR(tokens("a / {", LEX_EXPR), "a / { ");
}

static void test_macros(void)
{
	static const char *const argv[] = {
		"17", "-0x10", "name", "two words", "\"quoted\\t\"", "", "+5ul", "int"};
	static const char *const big[] = {"99999999999999999999"};

	macros = (struct lex_macros){.name0 = "script.d",
		.argc = 8,
		.argv = (char *const *)argv,
		.pid = 12,
		.ppid = 11,
		.pgid = 10,
		.sid = 9,
		.uid = 8,
		.euid = 7,
		.gid = 6,
		.egid = 5,
		.target = 4};
	CHECK_STR(tokens("$1 $2 $3 $4 $5 $6 $7", LEX_EXPR),
		"17 -16 name \"two words\" \"quoted\t\" \"\" 5 ");
	CHECK_STR(
		tokens("$$1 $$2 $$3 $$6 $$8", LEX_EXPR), "\"17\" \"-0x10\" \"name\" \"\" \"int\" ");
	CHECK_STR(tokens("$0 $$0", LEX_EXPR), "\"script.d\" \"script.d\" ");
	CHECK_INT(first("$7").ikind, INT_ULONG);
	CHECK_INT(first("$8").kind, TOK_INT);
	CHECK_STR(tokens("$pid $ppid $pgid $sid $uid $euid $gid $egid $target", LEX_EXPR),
		"12 11 10 9 8 7 6 5 4 ");
	CHECK_STR(tokens("$$pid $$target", LEX_EXPR), "\"12\" \"4\" ");
	CHECK_STR(tokens("a$1", LEX_OUTER), "<a17> ");
	CHECK_STR(tokens("pid$target:$3:$$3:x", LEX_OUTER), "<pid4:name:name:x> ");
	CHECK_STR(error_of("$9"), "D_MACRO_UNDEF");
	CHECK_STR(error_of("$$9"), "D_MACRO_UNDEF");
	CHECK_STR(error_of("$nosuch"), "D_MACRO_UNDEF");
	CHECK_STR(error_of("$"), "D_SYNTAX");
	CHECK_STR(error_in("a:$9:b", LEX_OUTER), "D_PDESC_INVAL");

	macros.last_used = false;
	tokens("$1 $7", LEX_EXPR);
	CHECK(!macros.last_used);
	tokens("$$8", LEX_EXPR);
	CHECK(macros.last_used);
	macros.last_used = false;
	tokens("x$8", LEX_OUTER);
	CHECK(macros.last_used);

	macros.defaultargs = true;
	CHECK_STR(tokens("$9 $$9 $100", LEX_EXPR), "0 \"\" 0 ");
	CHECK_STR(error_of("$nosuch"), "D_MACRO_UNDEF");

	macros = (struct lex_macros){.argc = 1, .argv = (char *const *)big};
	CHECK_STR(error_of("$1"), "D_MACRO_OFLOW");
	CHECK_STR(tokens("$$1", LEX_EXPR), "\"99999999999999999999\" ");
	macros = (struct lex_macros){0};
}

static void test_control_lines(void)
{
	CHECK_STR(tokens("#pragma D option quiet\na", LEX_EXPR), "a ");
	CHECK_STR(pragmas, "1:option quiet|");
	CHECK_STR(tokens("a\n \t# pragma\tD   option  x=1 \nb\n#pragma D nosuch\nc", LEX_EXPR),
		"a b c ");
	CHECK_STR(pragmas, "2:option  x=1|4:nosuch|");
	CHECK_STR(tokens("#pragma other\n#ident \"x\"\n#pragma ident x\na", LEX_EXPR), "a ");
	CHECK_STR(tokens("#pragma D ident x\na", LEX_EXPR), "a ");
	CHECK_STR(pragmas, "");
	CHECK_STR(error_of("#error stop\n"), "D_PRAGERR");
	CHECK_STR(error_of("#pragma error stop\n"), "D_PRAGERR");
	CHECK_STR(error_of("#define A 1\n"), "D_PRAGCTL_INVAL");
	CHECK_STR(error_of("#line nonsense\n"), "D_PRAGMA_MALFORM");
	CHECK_STR(error_of("#line\n"), "D_PRAGMA_MALFORM");
	CHECK_STR(error_of("# 5x\n"), "D_PRAGMA_MALFORM");
	CHECK_STR(error_of("# 5 \"a\n"), "D_PRAGMA_MALFORM");
	CHECK_STR(error_of("# 5 a\n"), "D_PRAGMA_MALFORM");
	CHECK_STR(error_of("# 5 \"a\" b\n"), "D_PRAGMA_MALFORM");
	CHECK_STR(tokens("# 5 \"a\" 1 3 4\n# 6\n#line 7 \"b\"\n#\na", LEX_EXPR), "a ");
	/* the end of the line belongs to it */
	CHECK_STR(error_of("#pragma D option quiet"), "D_SYNTAX");
	CHECK_STR(error_of("#ident x"), "D_SYNTAX");
	CHECK_STR(tokens("a\n#! x", LEX_EXPR), "a ");
	CHECK_STR(pragmas, "");
	CHECK_STR(tokens("#pragma D attributes Stable/Stable/Common a\n"
			 "#pragma D binding \"1.0\" a\n#pragma D depends_on provider a\nb",
			  LEX_OUTER),
		"<b> ");
	CHECK_STR(pragmas,
		"1:attributes Stable/Stable/Common a|2:binding \"1.0\" a|"
		"3:depends_on provider a|");
}

/* A look ahead leaves no trace. */
static void test_peek(void)
{
	struct lexer *lx = start("a b\n# 50 \"x\"\n#pragma D option quiet\nc 019 d");
	struct token t;

	CHECK_STR(lex_peek(lx, LEX_EXPR, 1).str, "a");
	CHECK_STR(lex_next(lx, LEX_EXPR).str, "a");
	CHECK_STR(lex_peek(lx, LEX_EXPR, 1).str, "b");
	CHECK_STR(lex_peek(lx, LEX_EXPR, 2).str, "c");
	CHECK_INT(lex_peek(lx, LEX_EXPR, 3).kind, TOK_ERROR);
	CHECK_INT(lex_peek(lx, LEX_EXPR, 4).kind, TOK_ERROR);
	CHECK_INT(diags.list.len, 0);
	CHECK_STR(pragmas, "");
	CHECK_STR(lex_next(lx, LEX_EXPR).str, "b");
	CHECK_INT(lex_peek(lx, LEX_OUTER, 1).kind, TOK_PROBESPEC);
	t = lex_next(lx, LEX_EXPR);
	CHECK_STR(t.str, "c");
	CHECK_INT(t.loc.line, 51);
	CHECK_STR(pragmas, "50:option quiet|");
	CHECK_INT(lex_peek(start(""), LEX_EXPR, 3).kind, TOK_EOF);
}

static void test_positions(void)
{
	struct lexer *lx = start("a\n  bc /* x\n*/ d\n# 50 \"other.d\"\n\te");
	struct token a = lex_next(lx, LEX_EXPR), b = lex_next(lx, LEX_EXPR);
	struct token d = lex_next(lx, LEX_EXPR), e = lex_next(lx, LEX_EXPR);

	CHECK_INT(a.loc.line, 1);
	CHECK_INT(a.loc.col, 1);
	CHECK_INT(b.loc.line, 2);
	CHECK_INT(b.loc.col, 3);
	CHECK_INT(b.len, 2);
	CHECK_INT(d.loc.line, 3);
	CHECK_INT(d.loc.col, 4);
	CHECK_INT(e.loc.line, 50);
	CHECK_STR(e.loc.src->name, "other.d");
	CHECK(e.loc.src->is_included);
	CHECK_STR(a.loc.src->name, "test.d");
	CHECK_STR(source_line(arena, b.loc.src, b.loc.line), "  bc /* x");
	CHECK_STR(source_line(arena, e.loc.src, e.loc.line), "\te");
	CHECK_INT(lex_next(lx, LEX_EXPR).kind, TOK_EOF);
	CHECK_INT(lex_next(lx, LEX_EXPR).kind, TOK_EOF);

	/* the same text again, read otherwise */
	lx = start("x\n a-b");
	lex_next(lx, LEX_EXPR);
	a = lex_next(lx, LEX_EXPR);
	CHECK_STR(a.str, "a");
	lex_rewind(lx, &a);
	b = lex_next(lx, LEX_OUTER);
	CHECK_INT(b.kind, TOK_PROBESPEC);
	CHECK_STR(b.str, "a-b");
	CHECK_INT(b.loc.line, 2);
	CHECK_INT(b.loc.col, 2);
}

static void test_resync(void)
{
	struct lexer *lx = start("a { b } c } d");

	lex_resync(lx, 0, false); /* the closing brace of the one that opens */
	CHECK_STR(lex_next(lx, LEX_EXPR).str, "c");
	lx = start("a b; c");
	lex_resync(lx, 0, false);
	CHECK_STR(lex_next(lx, LEX_EXPR).str, "c");
	lx = start("a (\"}\" /* } */ '}'; { x; } } y");
	lex_resync(lx, 0, false);
	CHECK(lex_next(lx, LEX_EXPR).kind != TOK_ERROR);
	lx = start("a { b");
	lex_resync(lx, 0, false);
	CHECK_INT(lex_next(lx, LEX_EXPR).kind, TOK_EOF);
}

int main(void)
{
	arena = arena_new();
	test_integers();
	test_characters();
	test_strings();
	test_punctuation();
	test_blanks();
	test_contexts();
	test_macros();
	test_control_lines();
	test_peek();
	test_positions();
	test_resync();
	arena_free(arena);
	return test_done();
}
