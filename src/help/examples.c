// SPDX-License-Identifier: Apache-2.0
/* Holds the table of examples. */
#include <errno.h>

#include "dtrace/dtrace.h"

static const struct dtrace_example examples[] = {
#define EXAMPLE(title, needs, command, trigger, shows) {title, command, needs},
#include "help/examples.def"
};

int dtrace_example(unsigned i, struct dtrace_example *out)
{
	if (i >= sizeof(examples) / sizeof(examples[0]))
		return -ENOENT;
	*out = examples[i];
	return 0;
}
