// SPDX-License-Identifier: Apache-2.0
/* Names of copies and parts of functions. */
#include "test.h"

#include "base/clone.h"

static void check_source(const char *name, const char *source)
{
	CHECK_INT(clone_source_len(name), strlen(source));
	CHECK(!strncmp(name, source, strlen(source)));
	CHECK_INT(clone_is_of(name, source), strcmp(name, source) != 0);
}

int main(void)
{
	check_source("work", "work");
	check_source("work.constprop.0", "work");
	check_source("work.isra.0.constprop.12", "work");
	check_source("work.llvm.1234567890", "work");
	check_source("inner.3.isra.0", "inner.3"); /* a nested function of GNU C */
	check_source("main.work", "main.work");	   /* Go's */
	check_source("main.isra.x", "main.isra.x");
	check_source("work.constprop.", "work.constprop.");
	check_source("work.constprop.0x", "work.constprop.0x");
	check_source("work.part.0", "work.part.0");
	check_source("work.isra.0.cold", "work.isra.0.cold");
	check_source("work.part.0.constprop.0", "work.part.0");
	check_source(".isra.0", ".isra.0");
	check_source("shop::add(int) [clone .isra.0]", "shop::add(int)");
	check_source("shop::add(int) [clone .isra.0] [clone .constprop.1]", "shop::add(int)");
	check_source("shop::add(int) [clone .cold]", "shop::add(int) [clone .cold]");
	check_source("", "");
	CHECK(!clone_is_of("worker.isra.0", "work"));
	CHECK(!clone_is_of("work.isra.0", "work.isra.0"));

	CHECK_INT(clone_part_of("work", 0), 0);
	CHECK_INT(clone_part_of("work.cold", 0), 4);
	CHECK_INT(clone_part_of("work.cold", 4), 0);
	CHECK_INT(clone_part_of("work.part.0.cold.3", 0), 4);
	CHECK_INT(clone_part_of("work.part.0.cold.3", 4), 11);
	CHECK_INT(clone_part_of("work.part.0.cold.3", 11), 0);
	CHECK_INT(clone_part_of("work.isra.0.cold", 0), 11);
	CHECK_INT(clone_part_of("work.colder", 0), 0);
	CHECK_INT(clone_part_of("work.part.x", 0), 0);
	return test_done();
}
