// SPDX-License-Identifier: Apache-2.0
/* Another unit: the body of a struct that sample.c only declares, and a function of the same name.
 */
#include "sample.h"

struct hidden {
	int secret;
	struct list *list;
};

static hidden_t one = {42, 0};
static volatile char counter[8];

static __attribute__((noinline, used)) long twice(hidden_t *h, long n)
{
	return h->secret * n + counter[0];
}

int hidden_main(void);
int hidden_main(void)
{
	return twice(&one, 2) == 1;
}
