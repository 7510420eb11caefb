#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# Every firing of processes that come and go is counted, once: where a file is known when tracing begins, under a wildcard,
# with pid* and with --follow; else the processes are counted that ran before the probes of their file were placed.
# @ref providers 16.4 by-file every-firing
set -u
. "${0%/*}/lib.sh"

cat >prov.d <<'END'
provider swarm { probe hit(int); probe loaded(int); };
END
"$DTRACE" -h -s prov.d || complain "no header"
cat >swarm.c <<'END'
/* swarm HOW PROCESSES HITS [LIBRARY]: prints how many hits there were, also of the library's probe */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prov.h"
extern char **environ;
static int hits;
__attribute__((noinline)) int work(int i)
{
	__asm__ volatile("" ::: "memory");
	SWARM_HIT(i);
	return i + 1;
}
static void *run(void *arg)
{
	for (int i = 0; i < hits; i++)
		work(i);
	return arg;
}
static void end(pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		abort();
}
static void once(const char *how, char **argv)
{
	char *again[] = {argv[0], "hits", "1", argv[3], NULL};
	pthread_t t[4];
	pid_t pid;

	if (!strcmp(how, "fork")) {
		pid = fork();
		if (!pid) {
			run(NULL);
			_exit(0);
		}
		end(pid);
	} else if (!strcmp(how, "vfork")) {
		pid = vfork();
		if (!pid) {
			execv(argv[0], again);
			_exit(1);
		}
		end(pid);
	} else if (!strcmp(how, "spawn")) {
		if (posix_spawn(&pid, argv[0], NULL, NULL, again, environ))
			abort();
		end(pid);
	} else if (!strcmp(how, "exec")) { /* a child becomes it twice */
		char *twice[] = {argv[0], "become", "1", argv[3], NULL};
		pid = fork();
		if (!pid) {
			execv(argv[0], twice);
			_exit(1);
		}
		end(pid);
	} else if (!strcmp(how, "become")) {
		run(NULL);
		execv(argv[0], again);
	} else if (!strcmp(how, "threads")) {
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, run, NULL);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
	} else if (!strcmp(how, "library")) {
		void *lib = dlopen(argv[4], RTLD_NOW);
		void (*f)(int) = lib ? (void (*)(int))dlsym(lib, "loaded") : NULL;
		f(hits);
		dlclose(lib);
	} else {
		run(NULL);
	}
}
int main(int argc, char **argv)
{
	int n = atoi(argv[2]), each;

	hits = atoi(argv[3]);
	each = !strcmp(argv[1], "threads") ? 4 * hits : !strcmp(argv[1], "exec") ? 2 * hits : hits;
	for (int i = 0; i < n; i++)
		once(argv[1], argv);
	if (strcmp(argv[1], "hits") && strcmp(argv[1], "become"))
		printf("%d\n", n * each);
	return 0;
}
END
cat >lib.c <<'END'
#include "prov.h"
void loaded(int);
void loaded(int n)
{
	for (int i = 0; i < n; i++)
		SWARM_LOADED(i);
}
END
cat >hold.c <<'END'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	if (!dlopen(argv[1], RTLD_NOW))
		return 1;
	sleep(1000);
	return 0;
}
END
gcc -O2 -pthread -o swarm swarm.c && gcc -O2 -shared -fPIC -o lib.so lib.c && gcc -O2 -o hold hold.c || complain "does not build"
processes=${EXACT_PROCESSES:-40}

# The number in a message about processes whose firings are unknown.
unplaced() {
	sed -n 's/^dtrace: \([0-9]*\) process.* ran before their probes were placed; their firings are unknown$/\1/p' messages.txt |
		awk '{ n += $1 } END { print n + 0 }'
}

# ./hold keeps the library known; -c has the program stand before the descriptions are matched.
./hold ./lib.so &
holder=$!
for how in fork vfork spawn exec threads library; do
	name=hit func=work module=swarm
	[[ $how == library ]] && name=loaded func=loaded module=lib.so
	for attached in "swarm*:::$name" "pid*:$module:$func:entry" "pid*:$PWD/$module:$func:return" \
		"--follow swarm\$target:::$name" "--follow pid\$target:$module:$func:entry"; do
		follow=() description=$attached factor=1
		[[ $attached == --follow* ]] && follow=(--follow) description=${attached#--follow }
		[[ $how == library && $description == pid* ]] && factor=10
		what="$how, $attached"
		rm -f counted.txt
		"$DTRACE" -Zq "${follow[@]}" -n "$description { @ = count(); }" -c "./swarm $how $processes 10 ./lib.so" \
			-o counted.txt >want.txt 2>messages.txt || complain "$(cat messages.txt)"
		want=$(($(<want.txt) / factor)) got=$(awk 'NF { print $NF }' counted.txt) lost=$(unplaced)
		if [[ $how != library || ${#follow[@]} == 0 ]]; then
			[[ $got == "$want" && $lost == 0 ]] || complain "$got of $want, $lost unplaced: $(cat messages.txt)"
		else # nobody of a family has the library before it is loaded
			[[ ${got:-0} -le $want && ( $got == "$want" || $lost -gt 0 ) ]] || complain "$got of $want, $lost unplaced"
		fi
	done
done
kill $holder
wait $holder 2>/dev/null

echo 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ./other hits 1 10; done' >many.sh
# Others that run the same file meanwhile are not followed; and dtrace itself is none of all processes.
what="others, and ourselves"
while :; do ./swarm hits 1 10; done >/dev/null 2>&1 &
others=$!
for description in 'swarm$target:::hit' 'pid$target:swarm:work:entry'; do
	try "$DTRACE" -q --follow -n "$description { @ = count(); } END { printa(\"all %@d\\n\", @); }" -c "./swarm fork $processes 10"
	[[ $out == *"all $((processes * 10))"$'\n'* ]] || complain "$description: $out"
done
kill $others
wait $others 2>/dev/null
try "$DTRACE" -qn 'pid*:libc.so.6:malloc:entry /pid == $pid/ { own++; }
	tick-20ms { @[n++] = count(); printa("", @); } tick-500ms { exit(0); } END { printf("own %d", own); }'
expect_match "our own calls" "$out" 'own 0'

# A file that nobody has mapped: what is missing is of processes that are counted.
for attached in "swarm*:::hit" "pid*:other:work:entry" "--follow swarm\$target:::hit" "--follow -x followlate swarm\$target:::hit"; do
	rm -f counted.txt
	cp swarm other
	read -ra follow <<<"$attached"
	description=${follow[-1]}
	unset 'follow[-1]'
	what="unknown file, $attached"
	"$DTRACE" -Zq "${follow[@]}" -n "$description { @ = count(); @p[probeprov] = count(); }
		END { printa(\"all %@d\\n\", @); printa(\"%s %@d\\n\", @p); }" \
		-c "sh many.sh" -o counted.txt >/dev/null 2>messages.txt
	got=$(sed -n 's/^all //p' counted.txt) lost=$(unplaced)
	whole=$(awk '$1 != "all" && $2 == 10' counted.txt | wc -l)
	twice=$(awk '$1 != "all" && $2 > 10' counted.txt)
	[[ -z $twice ]] || complain "counted twice: $twice"
	# followlate learns of processes by messages, which may come after another has their number
	least=20
	[[ $attached == *followlate* ]] && least=15
	[[ $((whole + lost)) -ge $least ]] || complain "$got firings, $whole whole processes, $lost unplaced: $(cat messages.txt)"
	[[ ${got:-0} == 200 || $lost -gt 0 ]] || complain "silent: $got of 200"
	rm other
done

# Programs that live 50 ms each, the first of which nobody knew: some firing of each, and all of the others.
what="programs that start later"
cat >brief.c <<'END'
#include <unistd.h>
#include "prov.h"
int main(void)
{
	for (int i = 0; i < 50; i++, usleep(1000))
		SWARM_HIT(i);
	return 0;
}
END
gcc -O2 -o brief brief.c || complain "does not build"
echo './brief; ./brief; ./brief; ./brief; ./brief' >five.sh
try "$DTRACE" -Zqn 'swarm*:::hit { @[pid] = count(); } END { printa("%d %@d\n", @); }' -c 'sh five.sh'
[[ $(awk '$2 > 0' out.txt | wc -l) == 5 && $(awk '$2 == 50' out.txt | wc -l) -ge 4 ]] || complain "of five processes with 50: $out"
finish
