// SPDX-License-Identifier: Apache-2.0
#include "out/writer.h"

const struct writer_format writer_formats[] = {
	{"text", "what dtrace prints", NULL, false},
	{NULL, NULL, NULL, false},
};
