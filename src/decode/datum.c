// SPDX-License-Identifier: Apache-2.0
/* Reads recorded integers and strings. */
#include "decode/datum.h"

#include <string.h>

#include "print/print.h"

bool datum_is_text(const struct datum *d, const struct rec_view *src, bool whole)
{
	const char *text = datum_bytes(d, src);
	size_t len = strnlen(text, d->size), end = d->size;

	while (whole && end && !text[end - 1])
		end--;
	return d->is_char && (!whole || len == end) && print_is_text(text, len);
}

size_t datum_string_size(const struct datum *d, size_t len)
{
	if (d->string_size)
		return d->string_size;
	return d->kind == DATUM_STRING ? d->size : len + 1;
}
