// SPDX-License-Identifier: Apache-2.0
/* Names of numbers, as the run-time library has them (src/rt/flags.bpf.c), in user space. */
#include "abi/flags.h"
#include "abi/flags_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *help;
} sets[] = {
#define NAMES(set, bits, rest, help) {#set, help},
#include "abi/flags.def"
};

static const char *const enums[FLAGS_MAX] = {
#define ENUM(set, name) [FLAGS_##set] = name,
#include "abi/flags.def"
};

const char *flag_set_name(unsigned set)
{
	return set < FLAGS_MAX ? sets[set].name : NULL;
}

const char *flag_set_help(unsigned set)
{
	return set < FLAGS_MAX ? sets[set].help : NULL;
}

const char *flag_set_enum(enum flag_set set)
{
	return enums[set];
}

unsigned flag_set_bits(enum flag_set set)
{
	return dt_flags.set[set].bits;
}

bool flag_set_is_error(enum flag_set set)
{
	return dt_flags.set[set].rest >= FLAG_REST_ERRNO;
}

enum flag_set flag_set_find(const char *name)
{
	unsigned i = 0;

	while (i < FLAGS_MAX && strcmp(sets[i].name, name) != 0)
		i++;
	return (enum flag_set)i;
}

/* Appends TEXT at LEN, cut to what fits; returns the new length. */
static size_t append(char *buf, size_t size, size_t len, const char *text)
{
	size_t n = strnlen(text, size - 1 - len);

	memcpy(buf + len, text, n);
	buf[len + n] = '\0';
	return len + n;
}

/* Appends the number LEFT, which no row names. */
static size_t append_rest(
	char *buf, size_t size, size_t len, const struct dt_flag_set *set, __u64 left)
{
	char text[40];

	if (set->rest == FLAG_REST_HEX && left)
		snprintf(text, sizeof(text), "%#" PRIx64, (uint64_t)left);
	else if (set->rest == FLAG_REST_OCT)
		snprintf(text, sizeof(text), "%#" PRIo64, (uint64_t)left);
	else
		snprintf(text, sizeof(text), "%s%" PRId64,
			set->rest == FLAG_REST_ERROR ? DT_UNKNOWN_ERROR : "",
			set->rest == FLAG_REST_DEC && set->bits == 32 ? (int32_t)left
								      : (int64_t)left);
	return append(buf, size, len, text);
}

size_t flag_text(enum flag_set number, __u64 value, char *buf, size_t size)
{
	const struct dt_flag_set *set = &dt_flags.set[number];
	bool named = false;
	size_t len = 0;

	if (set->rest >= FLAG_REST_ERRNO && (int32_t)value < 0)
		value = -value;
	if (set->bits == 32)
		value = (uint32_t)value;
	buf[0] = '\0';
	for (unsigned i = set->first; i < set->end && (value || !named); i++) {
		const struct dt_flag_row *row = &dt_flags.row[i];

		if ((value & row->mask) != row->value)
			continue;
		if (named)
			len = append(buf, size, len, "|");
		len = append(buf, size, len, (const char *)&dt_flags.text + row->text);
		value &= ~row->mask;
		named = true;
	}
	if (named && !value && set->rest != FLAG_REST_OCT)
		return len;
	if (named)
		len = append(buf, size, len, "|");
	return append_rest(buf, size, len, set, value);
}

bool flag_is_named(enum flag_set number, __u64 value)
{
	const struct dt_flag_set *set = &dt_flags.set[number];

	if (set->bits == 32)
		value = (uint32_t)value;
	if (!value && dt_flags.row[set->first].mask != ~0ull)
		return true;
	for (unsigned i = set->first; i < set->end; i++)
		if ((value & dt_flags.row[i].mask) == dt_flags.row[i].value)
			return true;
	return false;
}

const char *flag_newer_name(const struct flag_newer *newer, enum flag_set set, __u64 value)
{
	for (unsigned i = 0; newer && i < newer->n; i++)
		if (newer->names[i].set == set && newer->names[i].value == value)
			return newer->names[i].name;
	return NULL;
}

void flag_each(enum flag_set number,
	void (*visit)(void *arg, __u64 mask, __u64 value, const char *text), void *arg)
{
	const struct dt_flag_set *set = &dt_flags.set[number];

	for (unsigned i = set->first; i < set->end; i++)
		visit(arg, dt_flags.row[i].mask, dt_flags.row[i].value,
			(const char *)&dt_flags.text + dt_flags.row[i].text);
}
