#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# -Z: clauses that use types of a library that the target opens later, or that is not mapped yet where evaltime holds
# it, are enabled when it is mapped; by process, with --follow, and after an exec, where what is attached stays so.
# @ref d-language 4 zdefs
set -u
. "${0%/*}/../pid/lib.sh"

cat >lib.c <<'C'
struct thing { int number; };
int work(struct thing *t);
int work(struct thing *t) { return t->number; }
C
cat >open.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
struct thing { int number; };
__attribute__((noinline)) void opened(void) { __asm__ volatile(""); }
/* COUNT: open the library, wait for the tracer, call it five times, and begin again with COUNT - 1 by exec. */
int main(int argc, char **argv)
{
	void *lib = dlopen("./lib.so", RTLD_NOW);
	int (*work)(struct thing *) = (int (*)(struct thing *))dlsym(lib, "work"), n = atoi(argv[1]);
	char left[] = {(char)('0' + n - 1), '\0'};
	struct thing t;

	opened();
	sleep(SECONDS); /* dtrace looks */
	for (t.number = 1; t.number <= 5; t.number++)
		work(&t);
	if (n > 1)
		execl(argv[0], argv[0], left, (char *)0);
	return 0;
}
C
cat >linked.c <<'C'
#include <unistd.h>
struct thing { int number; };
int work(struct thing *t);
int main(void)
{
	struct thing t;

	sleep(SECONDS); /* dtrace looks */
	for (t.number = 1; t.number <= 5; t.number++)
		work(&t);
	return 0;
}
C
${CC} -g -shared -fPIC -o lib.so lib.c && ${CC} -g -O1 -DSECONDS="${TIMEOUT_SCALE:-1}" -o open open.c && ${CC} -g -O1 -DSECONDS="${TIMEOUT_SCALE:-1}" -o linked linked.c ./lib.so || complain "does not build"
cat >s.d <<'D'
#pragma D option quiet
pid$target:a.out:opene*:entry { @n["opened"] = sum(1); }
pid$target:lib.so:work:entry { this->number = 0; self->calls++; @n["calls"] = sum(1); }
pid$target:lib.so:work:entry { this->number = args[0]->number; self->last = args[0]->number; @n["members"] = sum(args[0]->number); }
pid$target:lib.so:work:entry /this->number > 3/ { printf("%d of %d, ", this->number, self->calls); }
pid$target:lib.so:work:return /self->last/ { @n["returned"] = sum(arg1); }
END { printa("%s %@d, ", @n); }
D

try "$DTRACE" -Z -s s.d -c './open 1'
expect_err 'dtrace: 1 process ran before their probes were placed; their firings are unknown
'
expect_prints '4 of 4, 5 of 5, opened 1, calls 5, members 15, returned 15, '
printf '%s\n' './open 3' >run.sh
# the firings of what runs before it is looked at are unknown, and told
try "$DTRACE" -Z -s s.d -c './open 3'
expect_prints '4 of 4, 5 of 5, 4 of 9, 5 of 10, 4 of 14, 5 of 15, opened 3, calls 15, members 45, returned 45, '
try "$DTRACE" -Z -x evaltime=exec -s s.d -c './linked'
expect_match out "$out" '4 of 4, 5 of 5, calls 5, members 15, returned 15, '
try "$DTRACE" -Z -x hold=open --follow -s s.d -c "sh run.sh"
expect_text "with --follow" "$(tr -d '\n' <out.txt)" '4 of 4, 5 of 5, 4 of 9, 5 of 10, 4 of 14, 5 of 15, opened 3, calls 15, members 45, returned 45, '
finish
