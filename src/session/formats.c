// SPDX-License-Identifier: Apache-2.0
/* Knows the output formats of all folders. */
#include "session/formats.h"

#include <string.h>

#include "formats/writers.h"

#define SECOND 1000000000ull

const struct writer_format writer_formats[] = {
#define FORMAT_TEXT(name_, help_) {.name = name_, .help = help_},
#define FORMAT(name_, open_, help_, ...) \
	{.name = name_, .open = open_, .help = help_, ##__VA_ARGS__},
#include "formats/formats.def"
	{.name = NULL},
};

const struct writer_format *format_find(const char *name)
{
	for (const struct writer_format *f = writer_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}
