// SPDX-License-Identifier: Apache-2.0
/* Counts the requests to end. */
#include "base/interrupt.h"

static unsigned requests;

void interrupt_note(void)
{
	__atomic_fetch_add(&requests, 1, __ATOMIC_RELAXED);
}

unsigned interrupt_count(void)
{
	return __atomic_load_n(&requests, __ATOMIC_RELAXED);
}
