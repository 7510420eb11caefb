#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A process whose first thread has ended is traced as any other: its functions and static probes by its number and among
# all processes, those of a library that comes later, the names of its stacks, and its end.
# @needs cc
# @timeout 120
set -u
. "${0%/*}/lib.sh"

cat >headless.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#define PROBE(name) \
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt, \"\", \"note\"\n.balign 4\n" \
			 ".4byte 992f - 991f, 994f - 993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
			 "993: .8byte 990b, 0, 0\n.asciz \"headless\"\n.asciz \"" #name "\"\n.asciz \"\"\n" \
			 "994: .balign 4\n.popsection")
__attribute__((noinline)) long step(long x)
{
	volatile long sum = 0;
	PROBE(goes_on);
	for (int i = 0; i < 300000; i++)
		sum += i;
	return sum + x;
}
static void *work(void *arg)
{
	long (*later)(long) = NULL;
	for (long i = 0; i < 60000 && access("stop", F_OK); i++) {
		step(i);
		if (!later && !access("load", F_OK))
			later = (long (*)(long))dlsym(dlopen("./liblater.so", RTLD_NOW), "later");
		if (later)
			later(i);
		usleep(1000);
	}
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	while (argc > 1 && access(argv[1], F_OK))
		usleep(1000);
	pthread_exit(NULL);
}
END
echo 'long later(long x) { return x + 1; }' >later.c
${CC:-cc} -O1 -fno-omit-frame-pointer -pthread -o headless headless.c -ldl && ${CC:-cc} -O1 -shared -fPIC -o liblater.so later.c ||
	{ echo "cannot compile"; exit 77; }

./headless &
pid=$!
first_ended() { [[ $(state_of $pid) == Z ]]; }
until_true first_ended

count() { # EXPECTED-NAMES PROGRAM ARGUMENT...
	local names=$1 program=$2
	shift 2
	try timeout 30 "$DTRACE" "$@" -qn "$program"' tick-1s { exit(0); } END { printa("%s\n", @); }'
	expect_status 0
	expect_err ""
	expect_text names "$(grep -v '^$' out.txt | sort)" "$names"
}
for confine in on off; do
	count $'entry\nreturn' 'pid$target:headless:step:entry, pid$target:headless:step:return { @[probename] = count(); }' -x confine=$confine -p $pid
	count 0 'pid$target:headless:step:0 { @[probename] = count(); }' -x confine=$confine -p $pid
	count goes_on 'headless$target:::goes_on { @[probename] = count(); }' -x confine=$confine -p $pid
	count $'entry\nreturn' 'pid*:headless:step:entry, pid*:headless:step:return /pid == '$pid'/ { @[probename] = count(); }' -x confine=$confine
	count goes_on 'headless*:::goes_on { @[probename] = count(); }' -x confine=$confine
done
# no other process fires, though they have the same file
./headless never &
other=$!
count $pid 'pid$target:headless:step:return, pid$target:headless:step:entry { @[lltostr(pid)] = count(); }' -p $pid
kill $other
wait $other 2>/dev/null

# ---- stacks
for how in "-p $pid" ""; do
	# shellcheck disable=SC2086
	try timeout 30 "$DTRACE" $how -qn 'profile-499 /pid == '$pid' && arg1/ { @[ustack(3)] = count(); } tick-1s { exit(0); }'
	expect_status 0
	expect_match "the stacks" "$out" 'headless`step\+0x[0-9a-f]+'
	expect_match "the stacks" "$out" 'headless`work\+0x[0-9a-f]+'
done

# ---- a library that comes, and the end
"$DTRACE" -x switchrate=20hz -Zqp $pid -n 'pid$target:liblater.so:later:entry { @[probefunc] = count(); }
	BEGIN { printf("begins\n"); } pid$target:liblater.so:later:entry /++n == 5/ { printf("came\n"); }' >out.txt 2>err.txt &
tracer=$!
until_true grep -q begins out.txt
>load
until_true grep -q came out.txt
>stop
wait $tracer || complain "status $?"
wait $pid
grep -qE '^ +later +[0-9]+$' out.txt || complain "the library: $(<out.txt)$(<err.txt)"

# ---- one whose first thread ends while it is traced, and that loads a library then; without uprobe.multi the kernel takes its
# uprobes away, and they are placed again for another thread
rm -f stop load ends
./headless ends &
pid=$!
: >out.txt
"$DTRACE" -Zp $pid -x switchrate=20hz -qn 'profile-499 /pid == $target && arg1/ { @[ustack(3)] = count(); }
	pid$target:headless:step:entry /++n == 20/ { printf("begins\n"); n = 0; }
	pid$target:liblater.so:later:entry, pid$target:liblater.so:later:return { @later[probename] = count(); }
	pid$target:liblater.so:later:entry /++later == 5/ { printf("came\n"); }
	END { printa(@); printa("%s of later: %@d\n", @later); }' >out.txt 2>err.txt &
tracer=$!
until_true grep -q begins out.txt
>ends
until_true first_ended
before=$(grep -c begins out.txt)
more() { (($(grep -c begins out.txt) > before + 5)); }
until_true more
>load
until_true grep -q came out.txt
>stop
wait $tracer || complain "status $?"
wait $pid
[[ $(grep -cE '^(entry|return) of later: [1-9]' out.txt) == 2 ]] || complain "of the library: $(grep later: out.txt)"
grep -q 'headless`step+0x' out.txt || complain "no names: $(tail -n 20 out.txt)"
! grep -qE '^ +0x[0-9a-f]+$' out.txt || complain "nameless: $(grep -E '^ +0x' out.txt | head -n 3)"
finish
