// SPDX-License-Identifier: Apache-2.0
/* Parses, prints and compares stability attributes. */
#include "probe/stability.h"

#include <stdio.h>
#include <string.h>

static const char *const levels[] = {"Internal", "Private", "Obsolete", "External", "Unstable",
	"Evolving", "Stable", "Standard"};
static const char *const classes[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const char *stability_name(unsigned level)
{
	return level < COUNT(levels) ? levels[level] : "?";
}

const char *stability_class_name(unsigned klass)
{
	return klass < COUNT(classes) ? classes[klass] : "?";
}

/* The number of the word at *TEXT that END ends, and *TEXT after it; -1 when there is none. */
static int take_word(const char **text, char end, const char *const *words, size_t n)
{
	size_t len = strcspn(*text, "/");

	for (size_t i = 0; i < n; i++) {
		if (strlen(words[i]) != len || memcmp(words[i], *text, len) || (*text)[len] != end)
			continue;
		*text += len + (end != '\0');
		return (int)i;
	}
	return -1;
}

bool attributes_parse(const char *text, struct attributes *out)
{
	int name = take_word(&text, '/', levels, COUNT(levels)), data, klass;

	if (name < 0)
		return false;
	data = take_word(&text, '/', levels, COUNT(levels));
	klass = data < 0 ? -1 : take_word(&text, '\0', classes, COUNT(classes));
	if (klass < 0)
		return false;
	*out = (struct attributes){(uint8_t)name, (uint8_t)data, (uint8_t)klass};
	return true;
}

char *attributes_text(struct attributes a, char *buf, size_t size)
{
	snprintf(buf, size, "%s/%s/%s", stability_name(a.name), stability_name(a.data),
		stability_class_name(a.klass));
	return buf;
}

struct attributes attributes_least(struct attributes a, struct attributes b)
{
	a.name = a.name < b.name ? a.name : b.name;
	a.data = a.data < b.data ? a.data : b.data;
	a.klass = a.klass < b.klass ? a.klass : b.klass;
	return a;
}

bool attributes_below(struct attributes a, struct attributes least)
{
	return a.name < least.name || a.data < least.data || a.klass < least.klass;
}
