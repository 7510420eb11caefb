// SPDX-License-Identifier: Apache-2.0
/* Feeds any text to the whole compiler, up to the object that would be loaded. */
#include "compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fuzz_way way = {.is_file = true, .level = SPEC_NAME, .through = true};

	fuzz_compile(data, size, &way);
	return 0;
}
