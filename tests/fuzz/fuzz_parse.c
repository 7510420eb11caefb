// SPDX-License-Identifier: Apache-2.0
/* Feeds any text to the lexer, the parser and the type checker. */
#include "compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fuzz_way way = {.is_file = true, .level = SPEC_NAME};

	fuzz_compile(data, size, &way);
	return 0;
}
