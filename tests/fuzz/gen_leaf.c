// SPDX-License-Identifier: Apache-2.0
/* Chooses at random: constants, and names of D's own. */
#include <string.h>

#include "gen.h"

bool on(const struct gen *g, const char *name)
{
	const char *at = g->off;
	size_t n = strlen(name);

	while (at && *at) {
		if (!strncmp(at, name, n) && (at[n] == ',' || !at[n]))
			return false;
		at = strchr(at, ',');
		at += at != NULL;
	}
	return true;
}

uint64_t draw(struct gen *g)
{
	uint64_t z = (g->state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

unsigned below(struct gen *g, unsigned n)
{
	return (unsigned)(draw(g) % n);
}

bool chance(struct gen *g, unsigned percent)
{
	return below(g, 100) < percent;
}

struct node *node(enum node_kind kind, const char *op, struct node *a, struct node *b)
{
	struct node *n = arena(sizeof(*n));

	n->kind = kind;
	n->op = op;
	if (a)
		n->kid[n->nkids++] = a;
	if (b)
		n->kid[n->nkids++] = b;
	return n;
}

struct node *leaf(enum node_kind kind, const char *text, const struct ty *type)
{
	struct node *n = node(kind, NULL, NULL, NULL);

	n->text = text;
	n->type = type;
	return n;
}

struct node *small(uint64_t v)
{
	struct node *n = leaf(N_INT, arena_printf("%llu", (unsigned long long)v), &types[T_INT]);

	n->value = v;
	return n;
}

static const struct ty *fit(uint64_t v, bool hex, bool u, bool l, bool ll)
{
	bool s = !u, both = hex || u;

	if (!l && !ll && s && v <= INT32_MAX)
		return &types[T_INT];
	if (!l && !ll && both && v <= UINT32_MAX)
		return &types[T_UINT];
	if (s && v <= INT64_MAX)
		return &types[ll ? T_LLONG : T_LONG];
	return &types[ll ? T_ULLONG : T_ULONG];
}

const struct ty *int_type(struct gen *g)
{
	return &types[g->p->enums && chance(g, 8) ? T_ENUM : below(g, T_NINTS)];
}

static struct node *enumerator(struct gen *g)
{
	static const struct {
		const char *text;
		int value;
	} all[] = {{"EA", 0}, {"EB", 7}, {"EC", 8}, {"ED", -3}};
	unsigned i = below(g, 4);
	struct node *n = leaf(N_INT, all[i].text, &types[T_INT]);

	n->value = (uint64_t)(int64_t)all[i].value;
	return n;
}

struct node *constant_int(struct gen *g)
{
	static const uint64_t interesting[] = {0, 1, 2, 3, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64, 65,
		100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536, 0x7ffffffe, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
		0xffffffffffffffff, 0xdeadbeefcafe};
	uint64_t v = chance(g, 70) ? PICK(g, interesting) : draw(g) >> below(g, 64);
	bool hex = chance(g, 30), octal = !hex && chance(g, 5);
	bool u = chance(g, 20), l = chance(g, 15), ll = !l && chance(g, 10);
	struct node *n;

	if (g->p->enums && chance(g, 6))
		return enumerator(g);
	if (chance(g, 3)) {
		static const struct {
			const char *text;
			uint64_t value;
		} chars[] = {{"'a'", 97}, {"'ab'", 0x6162}, {"'\\t'", 9}, {"'\\0'", 0},
			{"'\\x41'", 65}, {"' '", 32}, {"'/'", 47}};
		unsigned i = below(g, sizeof(chars) / sizeof(chars[0]));

		n = leaf(N_INT, chars[i].text, &types[T_INT]);
		n->value = chars[i].value;
		return n;
	}
	if (!hex && !octal && !u && v > INT64_MAX)
		hex = true;
	n = leaf(N_INT, NULL, fit(v, hex || octal, u, l, ll));
	n->value = v;
	n->text = arena_printf(hex ? "0x%llx%s%s"
			: octal	   ? "0%llo%s%s"
				   : "%llu%s%s",
		(unsigned long long)v, u ? "u" : "",
		ll	    ? "LL"
			: l ? "L"
			    : "");
	return n;
}

struct node *literal(struct gen *g)
{
	static const char *const texts[] = {"", "a", "b", "ab", "abc", "BEGIN", "END", "entry",
		"getppid", "dtrace", "/", "//", "/usr/bin/cc", "usr", "/usr/", "a/b/c//", "a/", ".",
		"..", "0", "-1", "hello, world", "tab\there", "12345678", "1234567",
		"123456789abcdef", "123456789abcdef0", "123456789abcdef01", "\"quoted\"",
		"back\\slash", "\xe4\xf6\xfc", "a/./b/../c", "../../x", "/..", "Mixed CASE 42",
		"  -17 apples", "7fffffff", "zz", "99999999999999999999", "a,b;c d", ",,a,",
		"a rather long string that takes more than sixty-four bytes of room, surely"};

	return leaf(N_STR, PICK(g, texts), &types[T_STRING]);
}

struct node *raw_int(struct gen *g)
{
	static const struct {
		const char *text;
		unsigned type;
	} raw[] = {{"arg0", T_INT64}, {"arg1", T_INT64}, {"arg2", T_INT64}, {"arg5", T_INT64},
		{"arg9", T_INT64}, {"pid", T_INT}, {"tid", T_INT}, {"ppid", T_INT}, {"cpu", T_INT},
		{"uid", T_UINT}, {"gid", T_UINT}, {"timestamp", T_UINT64}, {"vtimestamp", T_UINT64},
		{"walltimestamp", T_INT64}, {"epid", T_UINT64}, {"id", T_UINT}, {"errno", T_INT},
		{"rand()", T_INT}, {"curthread->pid", T_INT}, {"curthread->prio", T_INT},
		{"(uint64_t)curthread->mm", T_UINT64}, {"(uint64_t)curthread->mm->pgd", T_UINT64},
		{"curthread->real_parent->tgid", T_INT}, {"*(int *)(arg0 + 8)", T_INT},
		{"*(unsigned char *)arg1", T_UCHAR}, {"(arg0 > 0 ? arg1 : arg2)", T_INT64},
		{"curthread->real_parent->real_parent->comm[1]", T_CHAR}};
	unsigned i = below(g, sizeof(raw) / sizeof(raw[0]));

	return leaf(N_RAW, arena_printf("(%s)", raw[i].text), &types[raw[i].type]);
}

struct node *raw_string(struct gen *g)
{
	static const char *const raw[] = {"execname", "probefunc", "probename", "probemod",
		"copyinstr(arg0)", "copyinstr(arg1, 20)", "copyinstr(arg1, arg2)",
		"stringof(curthread->comm)", "stringof(curthread->real_parent->comm)",
		"(string)curthread->comm", "stringof(arg1)", "stringof(copyin(arg0, 8))"};

	return leaf(N_RAW, arena_printf("(%s)", PICK(g, raw)), &types[T_STRING]);
}

struct node *known_int(struct gen *g)
{
	static const struct {
		const char *text;
		unsigned type;
	} any[] = {{"(unsigned int)strlen(probename)", T_UINT},
		{"(int)(probename == \"END\")", T_INT}, {"(pid == curthread->tgid)", T_INT},
		{"(timestamp - timestamp)", T_UINT64}, {"(timestamp != 0)", T_INT},
		{"(execname == stringof(curthread->comm))", T_INT},
		{"(tid == curthread->pid)", T_INT},
		{"(ppid == curthread->real_parent->tgid)", T_INT}, {"(rand() & 0)", T_INT},
		{"(probeprov < \"dtracf\")", T_INT}, {"(walltimestamp > 1)", T_INT},
		{"(vtimestamp == vtimestamp)", T_INT}, {"(epid == epid)", T_INT},
		{"(uid == uid && gid == gid)", T_INT}};
	static const char *const args[] = {"arg0", "arg1", "arg2", "arg4", "arg7", "arg9"};
	unsigned i = below(g, sizeof(any) / sizeof(any[0]));

	if (g->on == ON_ERROR && !g->p->ncalls && chance(g, 20))
		return leaf(N_KNOWN, "(arg4 == 11 ? arg5 : 0)", &types[T_INT64]);
	if (!g->in_def && chance(g, 60) && g->on <= ON_ERROR &&
		!(g->on == ON_ERROR && g->p->ncalls))
		return leaf(N_KNOWN, PICK(g, args), &types[T_INT64]);
	if (!g->in_def && chance(g, 20) && g->on <= ON_ERROR)
		return leaf(N_KNOWN, "id", &types[T_UINT]);
	if (!g->in_def && chance(g, 20) && g->on <= ON_ERROR)
		return leaf(N_KNOWN, "errno", &types[T_INT]);
	return leaf(N_KNOWN, any[i].text, &types[any[i].type]);
}
