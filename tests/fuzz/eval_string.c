// SPDX-License-Identifier: Apache-2.0
/* Evaluates subroutines on strings. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "eval.h"

const char *cut(struct machine *m, const char *s, size_t len)
{
	char *t;

	if (len > strlen(s))
		len = strlen(s);
	if (len > m->p->strsize)
		len = m->p->strsize;
	t = arena(len + 1);
	memcpy(t, s, len);
	return t;
}

static const char *substr(struct machine *m, const char *s, int64_t at, bool counted, int64_t count)
{
	int64_t len = (int64_t)strlen(s), end;

	if (at < 0)
		at += len;
	if (at < 0) {
		if (counted && count < 0)
			return "";
		if (counted)
			count += at;
		if (counted && count < 0)
			return "";
		at = 0;
	}
	if (at >= len)
		return "";
	end = !counted ? len : count < 0 ? len + count : at + count;
	if (end > len)
		end = len;
	return end <= at ? "" : cut(m, s + at, (size_t)(end - at));
}

static const char *base_name(struct machine *m, const char *s)
{
	size_t end = strlen(s), at;

	if (!end)
		return ".";
	while (end && s[end - 1] == '/')
		end--;
	if (!end)
		return "/";
	for (at = end; at && s[at - 1] != '/'; at--)
		;
	return cut(m, s + at, end - at);
}

static const char *dir_name(struct machine *m, const char *s)
{
	size_t end = strlen(s);

	while (end && s[end - 1] == '/')
		end--;
	if (!end)
		return *s ? "/" : ".";
	while (end && s[end - 1] != '/')
		end--;
	if (!end)
		return ".";
	while (end && s[end - 1] == '/')
		end--;
	return end ? cut(m, s, end) : "/";
}

static const char *clean_path(struct machine *m, const char *s)
{
	size_t len = strlen(s), end = 0, kept = 0; /* bytes of leading ".."s that stay */
	char *t = arena(len + 3);
	bool root = *s == '/';

	if (!len)
		return "";
	while (*s) {
		size_t n = strcspn(s, "/");

		if (n == 2 && !strncmp(s, "..", 2) && end > kept) {
			while (end > kept && t[end - 1] != '/')
				end--;
			if (end > kept)
				end--;
		} else if (n == 2 && !strncmp(s, "..", 2)) {
			if (!root) {
				end += (size_t)sprintf(t + end, "%s..", end ? "/" : "");
				kept = end;
			}
		} else if (n && !(n == 1 && *s == '.')) {
			if (root || end)
				t[end++] = '/';
			memcpy(t + end, s, n);
			end += n;
		}
		s += n;
		s += *s == '/';
	}
	if (!end)
		return root ? "/" : ".";
	return cut(m, t, end);
}

static const char *changed(struct machine *m, const char *s, bool up)
{
	char *t = (char *)cut(m, s, SIZE_MAX);

	for (char *c = t; *c; c++)
		if (*c >= (up ? 'a' : 'A') && *c <= (up ? 'z' : 'Z'))
			*c ^= 32;
	return t;
}

static int64_t position(const char *s, const char *t, int64_t start)
{
	int64_t len = (int64_t)strlen(s);
	const char *at;

	if (start < 0)
		start = 0;
	if (start > len)
		return -1;
	at = strstr(s + start, t);
	return at ? at - s : -1;
}

static int64_t last_position(const char *s, const char *t, bool given, int64_t start)
{
	int64_t len = (int64_t)strlen(s), n = (int64_t)strlen(t);

	if (!given || start > len)
		start = len;
	if (!n)
		return start < 0 ? 0 : start;
	for (int64_t i = start < len - n ? start : len - n; i >= 0; i--)
		if (!strncmp(s + i, t, (size_t)n))
			return i;
	return -1;
}

static const char *token(struct machine *m, const struct node *n)
{
	const char *s = n->nkids == 2 ? text(m, n->kid[0]) : m->token;
	const char *delims = text(m, n->kid[n->nkids - 1]), *t;
	size_t len;

	if (!s)
		fault(m, FAULT_BADADDR, 0);
	s += strspn(s, delims);
	len = strcspn(s, delims);
	t = len ? cut(m, s, len) : NULL;
	m->token = s + len; /* the delimiter may be none to the next call */
	return t;
}

static const char *based(struct machine *m, int64_t v, int64_t base)
{
	char digits[80], *t = digits + sizeof(digits) - 1;
	uint64_t u = (uint64_t)v;

	if (base == 10)
		return arena_printf("%lld", (long long)v);
	if (v <= 0 && (v || base == 8 || base == 16))
		undefined(m, "lltostr() of a negative number");
	*t = '\0';
	do
		*--t = "0123456789abcdefghijklmnopqrstuvwxyz"[u % (uint64_t)base];
	while (u /= (uint64_t)base);
	return arena_printf("%s%s", base == 16 ? "0x" : base == 8 ? "0" : "", t);
}

static int64_t parse(struct machine *m, const char *s, int base)
{
	if (base == 16 && strpbrk(s, "xX"))
		undefined(m, "strtoll() of 0x");
	return strtoll(s, NULL, base);
}

static struct value on_int(struct machine *m, const struct node *n)
{
	struct value v = {0};

	v.i = number(m, n->kid[0]);
	if (!strcmp(n->text, "lltostr")) {
		int64_t base = n->nkids > 1 ? (int32_t)number(m, n->kid[1]) : 10;

		v.s = cut(m, based(m, (int64_t)v.i, base), SIZE_MAX);
	} else if (!strcmp(n->text, "htons")) {
		v.i = __builtin_bswap16((uint16_t)v.i);
	} else if (!strcmp(n->text, "ntohl")) {
		v.i = __builtin_bswap32((uint32_t)v.i);
	} else {
		v.i = __builtin_bswap64(v.i);
	}
	return v;
}

static struct value search(struct machine *m, const struct node *n, const char *s)
{
	struct value v = {0};
	const char *t;

	if (!strcmp(n->text, "strchr") || !strcmp(n->text, "strrchr")) {
		int c = (char)number(m, n->kid[1]);

		v.s = n->text[3] == 'r' ? strrchr(s, c) : strchr(s, c);
		return v;
	}
	t = text(m, n->kid[1]);
	if (!strcmp(n->text, "strstr")) {
		v.s = strstr(s, t);
	} else {
		int64_t at = n->nkids > 2 ? (int32_t)number(m, n->kid[2]) : 0;

		v.i = (uint64_t)(*n->text == 'i' ? position(s, t, at)
						 : last_position(s, t, n->nkids > 2, at));
	}
	return v;
}

/* A char array or a pointer to chars. */
static const char *characters(struct machine *m, const struct node *n)
{
	struct place p = {0};
	char *t = arena(m->p->strsize + 1);
	unsigned most = m->p->strsize;

	if (n->type->kind == K_ARR) {
		p = locate(m, n);
		if (most > n->type->n)
			most = n->type->n;
	} else {
		struct value v = eval(m, n);

		p.o = v.o;
		p.off = v.off;
	}
	p.type = n->type->of;
	for (unsigned i = 0; i < most; i++, p.off++)
		if (!(t[i] = (char)read_int(m, &p)))
			break;
	return t;
}

struct value call(struct machine *m, const struct node *n)
{
	static const char *const ints[] = {"lltostr", "htons", "ntohl", "htonll"};
	static const char *const searches[] = {"strchr", "strrchr", "strstr", "index", "rindex"};
	struct value v = {0};
	const char *s;

	for (unsigned i = 0; i < sizeof(ints) / sizeof(ints[0]); i++)
		if (!strcmp(n->text, ints[i]))
			return on_int(m, n);
	if (!strcmp(n->text, "strtok")) {
		v.s = token(m, n);
		return v;
	}
	if (!strcmp(n->text, "stringof")) {
		if (is_str(n->kid[0]->type)) /* no change, NULL stays NULL */
			return eval(m, n->kid[0]);
		v.s = characters(m, n->kid[0]);
		return v;
	}
	s = text(m, n->kid[0]);
	for (unsigned i = 0; i < sizeof(searches) / sizeof(searches[0]); i++)
		if (!strcmp(n->text, searches[i]))
			return search(m, n, s);
	if (!strcmp(n->text, "strlen")) {
		v.i = strlen(s);
	} else if (!strcmp(n->text, "strtoll")) {
		v.i = (uint64_t)parse(m, s, n->nkids > 1 ? (int)number(m, n->kid[1]) : 10);
	} else if (!strcmp(n->text, "strjoin")) {
		v.s = arena_printf("%s%s", s, text(m, n->kid[1]));
	} else if (!strcmp(n->text, "basename")) {
		v.s = base_name(m, s);
	} else if (!strcmp(n->text, "dirname")) {
		v.s = dir_name(m, s);
	} else if (!strcmp(n->text, "cleanpath")) {
		v.s = clean_path(m, s);
	} else if (!strncmp(n->text, "to", 2)) {
		v.s = changed(m, s, n->text[2] == 'u');
	} else { /* substr */
		int64_t at = (int32_t)number(m, n->kid[1]), count = 0;

		if (n->nkids > 2)
			count = (int32_t)number(m, n->kid[2]);
		v.s = substr(m, s, at, n->nkids > 2, count);
	}
	if (v.s)
		v.s = cut(m, v.s, SIZE_MAX);
	return v;
}
