// SPDX-License-Identifier: Apache-2.0
/* The kernel loads every function of the run-time library. */
#define RT_STACK_FRAMES 2048
#include "rt_run.h"

int main(void)
{
	enum fn all[FN_MAX];
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	for (int i = 0; i < FN_MAX; i++)
		all[i] = (enum fn)i;
	rt_start(all, FN_MAX);
	rt_open(256, 64 << 10);
	for (int i = 0; i < FN_MAX; i++) {
		bool loaded = load->slots[i].prog && bpf_program__fd(load->slots[i].prog) >= 0;

		if (!loaded)
			printf("%s is not loaded\n", fns[i].name);
		CHECK(loaded);
	}
	rt_close();
	rt_end();
	return test_done();
}
