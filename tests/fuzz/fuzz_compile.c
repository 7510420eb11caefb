// SPDX-License-Identifier: Apache-2.0
/* Any text through the whole compiler, to the object that would be loaded. */
#include "compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_compile(data, size, true);
	return 0;
}
