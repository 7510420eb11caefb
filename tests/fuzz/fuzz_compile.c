// SPDX-License-Identifier: Apache-2.0
/* Feeds any text to the whole compiler, up to the object that would be loaded. */
#include "compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_compile(data, size, true);
	return 0;
}
