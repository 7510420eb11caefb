#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -Z: a clause that does not compile without its probes is told once when they come, with the place of an error that it has
# then too; the other clauses are traced meanwhile.
# @ref d-language 4 zdefs
set -u
. "${0%/*}/lib.sh"

cat >lateprog.c <<'C'
#include <unistd.h>
struct thing { int number; };
__attribute__((noinline)) int work(struct thing *t) { return t->number; }
int main(void)
{
	struct thing t = {5};
	int sum = 0;

	for (int i = 0; i < 20; i++) {
		sum += work(&t);
		usleep(50000);
	}
	return sum != 100;
}
C
cc -g -O1 -o lateprog lateprog.c || exit 1
cat >s.d <<'D'
pid*:lateprog:work:entry
{
	@n = count();
}

pid*:lateprog:work:entry
{
	printf("never %d\n",
		args[0]->nosuch);
}

pid*:lateprog:work:entry
{
	@m = sum(args[0]->number);
}

nosuch*:::fire
{
	trace(args[0]->nosuch);
}

BEGIN
{
	system("./lateprog &");
}


tick-5s
{
	printa("counted %@d\n", @n);
	exit(0);
}
D
try "$DTRACE" -wZqs s.d
expect_status 0
[[ $out =~ ^counted\ ([0-9]+)$'\n'+$ ]] && ((BASH_REMATCH[1] > 0)) || complain "no calls: $out"
expect_text "of the one with an error" "$(grep -c 'now, but does not compile' err.txt)" 1
expect_match stderr "$err" 'pid\*:lateprog:work:entry matches probes now, but does not compile: line 9: nosuch is not a member of struct thing'
expect_text "of the one without" "$(grep -c 'start again to run them' err.txt)" 1
finish
