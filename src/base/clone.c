// SPDX-License-Identifier: Apache-2.0
/* Knows the names that compilers give to copies and parts of a function. */
#include "base/clone.h"

#include <string.h>

#define DIGITS	 "0123456789"
#define IN_PLAIN " [clone "

/* A suffix: numbered, it goes on with a dot and digits. */
struct suffix {
	const char *text;
	bool numbered;
};

static const struct suffix copies[] = {
	{".constprop", true},
	{".isra", true},
	{".clone", true},
	{".lto_priv", true},
	{".llvm", true},
	{".__uniq", true},
	{".localalias", true},
	{".localalias", false},
};

static const struct suffix parts[] = {
	{".part", true},
	{".cold", true},
	{".cold", false},
};

/* Returns the length of the suffix that AT begins with, one of the N at V; 0: none. */
static size_t suffix_len(const struct suffix *v, size_t n, const char *at)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(v[i].text), digits;

		if (strncmp(at, v[i].text, len) != 0)
			continue;
		if (v[i].numbered) {
			digits = at[len] == '.' ? strspn(at + len + 1, DIGITS) : 0;
			if (!digits)
				continue;
			len += 1 + digits;
		}
		if (!at[len] || at[len] == '.' || at[len] == ']')
			return len;
	}
	return 0;
}

/* Returns what follows the suffixes of copies at AT. */
static const char *skip_copies(const char *at)
{
	size_t len;

	while ((len = suffix_len(copies, sizeof(copies) / sizeof(copies[0]), at)) != 0)
		at += len;
	return at;
}

/* True if TEXT is "[clone .isra.0] [clone .constprop.1]" and the like, with the blank before. */
static bool is_plain_copy(const char *text)
{
	while (!strncmp(text, IN_PLAIN, sizeof(IN_PLAIN) - 1)) {
		const char *at = text + sizeof(IN_PLAIN) - 1, *end = skip_copies(at);

		if (end == at || *end != ']')
			return false;
		text = end + 1;
	}
	return !*text;
}

/* Each suffix is looked at once: whoever makes a file can make names of nothing else. */
size_t clone_source_len(const char *name)
{
	const char *at = strstr(name, IN_PLAIN), *end;

	if (at && is_plain_copy(at))
		return (size_t)(at - name);
	for (at = strchr(name, '.'); at; at = end > at ? strchr(end, '.') : strchr(at + 1, '.')) {
		end = at > name ? skip_copies(at) : at;
		if (end > at && !*end)
			return (size_t)(at - name);
	}
	return strlen(name);
}

bool clone_is_of(const char *name, const char *source)
{
	size_t len = strlen(source);

	return !strncmp(name, source, len) && name[len] && clone_source_len(name) == len;
}

size_t clone_part_of(const char *name, size_t from)
{
	const char *at = strchr(name + from + (from != 0), '.');

	for (; at; at = strchr(at + 1, '.'))
		if (at > name && suffix_len(parts, sizeof(parts) / sizeof(parts[0]), at))
			return (size_t)(at - name);
	return 0;
}
