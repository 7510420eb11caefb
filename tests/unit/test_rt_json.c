// SPDX-License-Identifier: Apache-2.0
/*
 * json() in the run-time library against a parser that calls itself, on random texts, whole and
 * damaged.
 * @ref d-language 21
 */
#include "rt_run.h"

static const enum fn tested[] = {FN_dt_json};

/* ---- the reference: a pointer past what was parsed, NULL when it isn't JSON ---- */

static const char *ref_value(const char *p);

static const char *ref_space(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* Stands for \u0000, which no path has in a name and which ends a result. */
#define ZERO '\xff'

static char *ref_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		*out++ = c ? (char)c : ZERO;
	} else if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*out++ = (char)(0xe0 | c >> 12);
		*out++ = (char)(0x80 | (c >> 6 & 63));
		*out++ = (char)(0x80 | (c & 63));
	} else {
		*out++ = (char)(0xf0 | c >> 18);
		*out++ = (char)(0x80 | (c >> 12 & 63));
		*out++ = (char)(0x80 | (c >> 6 & 63));
		*out++ = (char)(0x80 | (c & 63));
	}
	return out;
}

/* \uXXXX at P; -1 when it isn't. */
static int32_t ref_unit(const char *p)
{
	char digits[5] = "";

	if (p[0] != '\\' || p[1] != 'u')
		return -1;
	strncpy(digits, p + 2, 4);
	if (strspn(digits, "0123456789abcdefABCDEF") != 4)
		return -1;
	return (int32_t)strtol(digits, NULL, 16);
}

/* Writes the string's meaning to OUT, which may be NULL. */
static const char *ref_string(const char *p, char *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char skip[8];

	for (p++; *p != '"'; out = out ? out : NULL) {
		char *to_here = out ? out : skip, *end = to_here;
		int32_t unit = ref_unit(p), low;

		if ((unsigned char)*p < ' ')
			return NULL;
		if (*p != '\\') {
			*end++ = *p++;
		} else if (unit >= 0) {
			p += 6;
			low = ref_unit(p);
			if (unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
				unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
				p += 6;
			}
			end = ref_utf8(end, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit);
		} else {
			if (!p[1] || !strchr(from, p[1]))
				return NULL;
			*end++ = to[strchr(from, p[1]) - from];
			p += 2;
		}
		if (out)
			out = end;
	}
	if (out)
		*out = '\0';
	return p + 1;
}

static const char *ref_digits(const char *p)
{
	size_t n = strspn(p, "0123456789");

	return n ? p + n : NULL;
}

static const char *ref_number(const char *p)
{
	p += *p == '-';
	if (*p == '0')
		p++;
	else if (!(p = ref_digits(p)))
		return NULL;
	if (*p == '.' && !(p = ref_digits(p + 1)))
		return NULL;
	if (*p == 'e' || *p == 'E') {
		p++;
		p += *p == '+' || *p == '-';
		p = ref_digits(p);
	}
	return p;
}

/* Of an array or object; *PATH names what is wanted in it, NULL nothing: then *FOUND isn't set. */
static const char *ref_container(const char *p, const char *path, const char **found);

static const char *ref_value(const char *p)
{
	switch (*p) {
	case '{':
	case '[':
		return ref_container(p, NULL, NULL);
	case '"':
		return ref_string(p, NULL);
	case 't':
		return strncmp(p, "true", 4) ? NULL : p + 4;
	case 'f':
		return strncmp(p, "false", 5) ? NULL : p + 5;
	case 'n':
		return strncmp(p, "null", 4) ? NULL : p + 4;
	}
	return ref_number(p);
}

/* Does NAME, a string's meaning, begin PATH, which is moved on then? */
static int ref_same_name(const char *name, const char **path)
{
	size_t n = strlen(name);

	if (strcspn(*path, ".[") != n || memcmp(*path, name, n))
		return 0;
	*path += n + ((*path)[n] == '.');
	return 1;
}

/* The index that PATH begins with; -1 when there is none. */
static int64_t ref_index(const char **path)
{
	size_t n = strspn(*path + 1, "0123456789");
	const char *end = *path + 1 + n;
	long index = strtol(*path + 1, NULL, 10);

	if (!n || *end != ']' || !strchr(".[", end[1]) || index > UINT32_MAX)
		return -1;
	*path = end + 1 + (end[1] == '.');
	return index;
}

static void ref_find(const char *p, const char *path, const char **found)
{
	if (!*path)
		*found = p;
	else if (*p == (*path == '[' ? '[' : '{'))
		ref_container(p, path, found);
}

static const char *ref_container(const char *p, const char *path, const char **found)
{
	int64_t index = 0;
	int array = *p == '[';

	if (path && array && (index = ref_index(&path)) < 0)
		return NULL;
	p = ref_space(p + 1);
	if (*p == (array ? ']' : '}'))
		return p + 1;
	for (;; p = ref_space(p + 1)) {
		int here = path && !index--;

		if (!array) {
			char *name = malloc(strlen(p) + 1);

			p = *p == '"' && strlen(p) > 1 ? ref_string(p, name) : NULL;
			here = p && path && ref_same_name(name, &path);
			free(name);
			p = p ? ref_space(p) : NULL;
			if (!p || *p != ':')
				return NULL;
			p = ref_space(p + 1);
		}
		if (here) {
			ref_find(p, path, found);
			return NULL; /* the first is the one */
		}
		p = ref_value(p);
		if (!p ||
			(p[-1] != '"' && p[-1] != '}' && p[-1] != ']' &&
				!(*p && strchr(" \t\r\n,]}", *p))))
			return NULL;
		p = ref_space(p);
		if (*p == (array ? ']' : '}'))
			return p + 1;
		if (*p != ',')
			return NULL;
	}
}

/* The value's text, to be freed; NULL: absent. */
static char *ref_json(const char *text, const char *path)
{
	const char *found = NULL, *root = ref_space(text), *end;
	char *out;

	ref_find(root, path, &found);
	end = found ? ref_value(found) : NULL;
	if (!end)
		return NULL;
	out = calloc(1, strlen(found) + 1);
	if (*found == '"') {
		ref_string(found, out);
		*strchrnul(out, ZERO) = '\0';
	} else if (strchr("[{", *found) || (*end && strchr(" \t\r\n,]}", *end)) ||
		(!*end && found == root)) {
		memcpy(out, found, (size_t)(end - found));
	} else {
		return free(out), NULL;
	}
	return out;
}

/* ---- checking ---- */

static void put(uint32_t off, const char *text)
{
	memset(mem + off, '~', room);
	strncpy(mem + off, text, strsize);
	mem[off + strsize] = '\0';
}

/* Text and path are in their places. */
static void check_json(uint32_t dst, uint32_t text, uint32_t path)
{
	uint64_t n = run_string(FN_dt_json, dst, text, path, 0);
	char *want = ref_json(mem + text, mem + path);
	int failed = test_failed;

	if (want)
		check_string(n, dst, want);
	else
		CHECK_INT(n, -1);
	if (test_failed > failed)
		printf("\ttext [%s]\n\tpath [%s]\n", mem + text, mem + path);
	free(want);
}

static void expect(const char *text, const char *path, const char *want)
{
	put(0, text);
	put(room, path);
	check_json(2 * room, 0, room);
	if (want)
		CHECK_STR(after + 2 * room, want);
	else
		CHECK_INT(run_string(FN_dt_json, 2 * room, 0, room, 0), -1);
}

/* ---- examples ---- */

static void test_paths(void)
{
	const char *doc = " { \"a\" : {\"b\":[10, {\"c\":\"x\"},[1,[2, 3 ]]]}, \"e\":\"\","
			  "\"n\":null,\"t\":true,\"f\" : false,\"m\":-1.5e+10 , \"a\":7} ";

	expect(doc, "a.b[0]", "10");
	expect(doc, "a.b.[0]", "10");
	expect(doc, "a..b", NULL);
	expect(doc, "a.b[1].c", "x");
	expect(doc, "a.b[1]", "{\"c\":\"x\"}");
	expect(doc, "a.b[2][1][1]", "3");
	expect(doc, "a.b[2][1]", "[2, 3 ]");
	expect(doc, "a.b[3]", NULL);
	expect(doc, "a.b[4294967296]", NULL);
	expect(doc, "a.b[]", NULL);
	expect(doc, "a.b[0", NULL);
	expect(doc, "a.b[0]c", NULL);
	expect(doc, "a.b.c", NULL);
	expect(doc, "a[0]", NULL);
	expect(doc, "a.b[0].c", NULL);
	expect(doc, "[0]", NULL);
	expect(doc, "b", NULL);
	expect(doc, "e", "");
	expect(doc, "n", "null");
	expect(doc, "t", "true");
	expect(doc, "f", "false");
	expect(doc, "m", "-1.5e+10");
	expect("[[1],[2,3]]", "[1][0]", "2");
	expect("[[1],[2,3]]", "[1].", "[2,3]");
	expect("[{\"a\":1}]", "[0].a", "1");
	expect("{\"\":{\"\":1}}", ".", "{\"\":1}");
	expect("{\"\":{\"\":1}}", "..", "1");
	expect("{\"ab\":1,\"a\":2,\"abc\":3}", "a", "2");
	expect("{\"ab\":1,\"a\":2,\"abc\":3}", "abc", "3");
	expect("{\"a.b\":1,\"a\":{\"b\":2}}", "a.b", "2");
	expect("{\"x\":{\"a\":1},\"a\":2}", "a", "2");
	expect("{\"x\":[{\"a\":1}],\"y\":\"a\",\"a\":2}", "a", "2");
	expect(" 12 ", "", "12");
	expect("12", "", "12");
	expect("[1, 2]", "", "[1, 2]");
	expect("\"s\"", "", "s");
	expect("", "", NULL);
	expect("", "a", NULL);
}

static void test_strings(void)
{
	expect("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}", "a", "\"\\/\b\f\n\r\t");
	expect("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00z\"", "",
		"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	expect("{\"\\u0061\\n\":1}", "a\n", "1");
	expect("{\"\xc3\xa9\":1}", "\xc3\xa9", "1");
	expect("{\"\\u00e9\":1}", "\xc3\xa9", "1");
	expect("{\"x\":\"\\u0000\",\"a\\u0000\":1,\"a\":\"b\\u0000c\"}", "a", "b");
	/* half a pair */
	expect("\"\\ud83dx\"", "", "\xef\xbf\xbdx");
	expect("\"\\ud83d\\n\"", "", "\xef\xbf\xbd\n");
	expect("\"\\ud83d\"", "", "\xef\xbf\xbd");
	expect("\"\\ud83d\\ud83d\\ude00\"", "", "\xef\xbf\xbd\xf0\x9f\x98\x80");
	expect("\"\\ud83d\\u0041\"", "",
		"\xef\xbf\xbd"
		"A");
	expect("\"\\ude00\\ud83d\"", "", "\xef\xbf\xbd\xef\xbf\xbd");
}

static void test_malformed(void)
{
	static const char *const bad[] = {"{\"b\":01,\"a\":1}", "{\"b\":1.,\"a\":1}",
		"{b:1,\"a\":1}", "{\"b\":.5,\"a\":1}", "{\"b\":+5,\"a\":1}", "{\"b\":1e,\"a\":1}",
		"{\"b\":tru,\"a\":1}", "{\"b\":truex,\"a\":1}", "{\"b\":\"\\x\",\"a\":1}",
		"{\"b\":\"\\u12g4\",\"a\":1}", "{\"b\":\"\n\",\"a\":1}", "{\"b\":1 \"a\":1}",
		"{\"b\" 1,\"a\":1}", "{\"b\":[1],],\"a\":1}", "{\"b\":[1},\"a\":1}",
		"{\"b\":[1,],\"a\":1}", "{\"b\":{\"c\":1,},\"a\":1}", "{,\"a\":1}", "[\"a\":1]",
		"{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":01}", "{\"a\":1x}", "{\"a\":\"",
		"{\"a\":[1}", "{\"a\":[1", "{\"a\":nul}", "{\"a\":nulll}", "{'a':1}", "x", ",", "]",
		"-", "1,2"};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect(bad[i], "a", NULL);
	/* what follows is not looked at */
	expect("{\"a\":1,,,", "a", "1");
	expect("{\"a\":{\"b\":[]} x", "a", "{\"b\":[]}");
}

/* No deeper than 64. */
static void test_deep(void)
{
	char text[200], path[200] = "", *p = path;

	for (int n = 60; n <= 68; n++) {
		memset(text, '[', (size_t)n);
		text[n] = '5';
		memset(text + n + 1, ']', (size_t)n);
		text[2 * n + 1] = '\0';
		put(0, text);
		put(room, "");
		if (n <= 64)
			check_string(run_string(FN_dt_json, 2 * room, 0, room, 0), 2 * room, text);
		else
			CHECK_INT(run_string(FN_dt_json, 2 * room, 0, room, 0), -1);
	}
	memset(text, '[', 64);
	strcpy(text + 64, "\"deep\"");
	for (int n = 0; n < 64; n++)
		p = stpcpy(p, "[0]");
	expect(text, path, "deep");
}

/* ---- random ones ---- */

struct text {
	char *at, *end;
};

static void add(struct text *t, const char *s)
{
	size_t n = strlen(s);

	if (t->at + n <= t->end)
		memcpy(t->at, s, n), t->at += n;
}

static void add_any(struct text *t, const char *const *from, uint32_t n)
{
	add(t, from[any(n)]);
}

static void add_space(struct text *t)
{
	static const char *const spaces[] = {" ", "\n", "\t", "\r "};

	if (!any(6))
		add_any(t, spaces, 4);
}

static void add_string(struct text *t)
{
	static const char *const parts[] = {"a", "b", "\\n", "\\\"", "\\u0061", "\\u00E9",
		"\\u20ac", "\\ud83d\\ude00", "\\ud800", "\\udc00", "\\u0000", "\xc3\xa9", ".", "[",
		"{", "\\\\"};

	add(t, "\"");
	for (uint32_t n = any(4); n; n--)
		add_any(t, parts, any(2) ? 3 : 16);
	add(t, "\"");
}

static void add_name(struct text *t)
{
	static const char *const names[] = {
		"\"a\"", "\"b\"", "\"ab\"", "\"\\u0061\"", "\"\"", "\"abc\""};

	if (any(8))
		add_any(t, names, 6);
	else
		add_string(t);
}

static void add_value(struct text *t, int depth)
{
	static const char *const scalars[] = {
		"true", "false", "null", "0", "-0", "12", "-3.25", "1e9", "0.5E-7", "10E+1"};
	uint32_t kind = any(depth ? 4 : 2), n = any(4);

	add_space(t);
	if (kind == 0) {
		add_any(t, scalars, 10);
	} else if (kind == 1) {
		add_string(t);
	} else {
		add(t, kind == 2 ? "[" : "{");
		for (uint32_t i = 0; i < n; i++) {
			if (i)
				add(t, ",");
			add_space(t);
			if (kind == 3) {
				add_name(t);
				add_space(t);
				add(t, ":");
			}
			add_value(t, depth - 1);
		}
		add_space(t);
		add(t, kind == 2 ? "]" : "}");
	}
	add_space(t);
}

static void any_path(uint32_t off)
{
	static const char *const parts[] = {"a", "b", "ab", "[0]", "[1]", "[2]", "a", "[0]", "",
		"abc", "[01]", "[x]", "\xc3\xa9"};
	struct text t = {mem + off, mem + off + strsize};

	for (uint32_t n = any(4), i = 0; i < n; i++) {
		const char *part = parts[any(any(3) ? 8 : 13)];

		if (i && (*part != '[' || !any(8)))
			add(&t, ".");
		add(&t, part);
	}
	*t.at = '\0';
}

static void damage(char *text)
{
	static const char junk[] = "{}[]\",:\\au0- e.";
	size_t n = strlen(text), at = n ? any((uint32_t)n) : 0;

	switch (n ? any(4) : 0) {
	case 1:
		text[at] = '\0';
		break;
	case 2:
		text[at] = junk[any(sizeof(junk) - 1)];
		break;
	case 3:
		memmove(text + at, text + at + 1, n - at);
		break;
	}
}

static void try_json(void)
{
	struct text t;
	uint32_t p[3];

	any_places(p);
	any_string(p[0], "junk");
	memset(mem + p[1], '~', room);
	t.at = mem + p[1], t.end = t.at + strsize;
	add_value(&t, 1 + any(4));
	*t.at = '\0';
	if (any(2))
		damage(mem + p[1]);
	for (int i = 0; i < 4; i++) {
		any_path(p[2]);
		check_json(p[0], p[1], p[2]);
	}
}

static void test_any(uint32_t size, int rounds)
{
	rt_open(size, 0);
	check_bounds(FN_dt_json, 3);
	for (int i = 0; i < rounds; i++)
		try_json();
	rt_close();
}

/* A long text, all of whose bytes need more than one round. */
static void test_long(void)
{
	struct text t;

	rt_open(65536, 0);
	t.at = mem, t.end = mem + 65536 - 8;
	add(&t, "[\"");
	while (t.at + 6 <= t.end)
		add(&t, "\\ud800");
	strcpy(t.at, "\", 1]");
	strcpy(mem + room, "[0]");
	check_json(2 * room, 0, room);
	strcpy(mem + room, "[1]");
	check_json(2 * room, 0, room);
	CHECK_STR(after + 2 * room, "1");
	t.at = mem;
	while (t.at + 2 <= t.end)
		add(&t, t.at == mem ? "[0" : ",0");
	strcpy(t.at, "]");
	/* and a long path */
	memset(mem + room, '0', 65536);
	mem[room] = '[';
	strcpy(mem + room + 65530, "32000]");
	check_json(2 * room, 0, room);
	CHECK_STR(after + 2 * room, "0");
	rt_close();
}

int main(void)
{
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(tested, 1);
	rt_open(256, 0);
	test_paths();
	test_strings();
	test_malformed();
	test_deep();
	rt_close();
	for (uint32_t size = 1; size < 20; size++)
		test_any(size, 100);
	test_any(40, 2000);
	test_any(100, 3000);
	test_any(256, 3000);
	test_any(1000, 300);
	test_any(4096, 60);
	test_long();
	rt_end();
	return test_done();
}
