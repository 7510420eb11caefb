/* SPDX-License-Identifier: Apache-2.0 */
/* stability: attributes as text, Name/Data/Class, and the order of both scales. */
#ifndef PROBE_STABILITY_H
#define PROBE_STABILITY_H

#include <stddef.h>

#include "probe/provider.h"

/* Of enum stability and enum stab_class; "?" for a number beyond them. */
const char *stability_name(unsigned level);
const char *stability_class_name(unsigned klass);

/* "Evolving/Evolving/Common" to *OUT; false when that is no three known names. */
bool attributes_parse(const char *text, struct attributes *out);

/* The text of A into BUF, which is returned. */
char *attributes_text(struct attributes a, char *buf, size_t size);

/* Component by component. */
struct attributes attributes_least(struct attributes a, struct attributes b);
bool attributes_below(struct attributes a, struct attributes least);

#endif
