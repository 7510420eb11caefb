#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# Probes of several processes by one pattern, of those that start, fork and load a library while it traces; who is traced
# knows it by its semaphore, also after the tracer was killed.
# @ref providers 16.4 description globs one-row-of-several-sites
# @ref providers 16.3 semaphore
set -u
. "${0%/*}/lib.sh"

cat >prov.d <<'END'
provider shop { probe line(char *, int); probe child(int); probe loaded(); };
END
"$DTRACE" -h -s prov.d || complain "no header"
cat >prog.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prov.h"
int main(void)
{
	char line[100];
	int n = 0;

	setlinebuf(stdout);
	puts("ready");
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		n++;
		if (!strcmp(line, "enabled")) {
			printf("%d\n", SHOP_LINE_ENABLED() != 0);
			continue;
		}
		if (!strcmp(line, "fork")) {
			pid_t pid = fork();
			if (!pid) {
				/* until it is found, which its semaphore does not tell: its parent's was copied */
				for (int i = 0; i < 2000; i++, usleep(1000))
					SHOP_CHILD(getppid());
				_exit(0);
			}
			waitpid(pid, NULL, 0);
		} else if (!strcmp(line, "load")) {
			void (*f)(void) = (void (*)(void))dlsym(dlopen("./lib.so", RTLD_NOW), "loaded");
			f();
		} else {
			SHOP_LINE(line, n);
		}
		puts(line);
	}
	return 0;
}
END
cat >lib.c <<'END'
#include "prov.h"
void loaded(void);
void loaded(void)
{
	while (!SHOP_LOADED_ENABLED())
		usleep(1000);
	usleep(300000); /* without uprobe.multi the semaphore is up before the program is there */
	SHOP_LOADED();
}
END
gcc -O2 -o prog prog.c && gcc -O2 -shared -fPIC -o lib.so lib.c || complain "does not build"

# A process with its lines in and out.
start() { # NAME
	mkfifo "$1.in" "$1.out"
	./prog <"$1.in" >"$1.out" &
	declare -g "$1_pid=$!"
	exec {fd}>"$1.in"
	declare -g "$1_in=$fd"
	exec {fd}<"$1.out"
	declare -g "$1_out=$fd"
	answer "$1" ready
}
answer() { # NAME WANT
	local got= fd=$1_out
	read -r -t 20 -u "${!fd}" got
	[[ $got == "$2" ]] || complain "$1 answers '$got', not '$2'"
}
tell() { # NAME LINE [ANSWER]
	local fd=$1_in
	echo "$2" >&"${!fd}"
	answer "$1" "${3:-$2}"
}
await() { # FILE TEXT
	local i
	for ((i = 0; i < 400; i++)); do
		grep -q "$2" "$1" && return
		sleep 0.05
	done
	complain "$1 has no '$2': $(cat "$1")"
}

start one
start two
tell one enabled 0

what="-l of two processes"
try "$DTRACE" -l -n 'shop*:::line'
expect_text rows "$(awk 'NR > 1 { print $2, $3, $4, $5 }' out.txt | sort)" "$(printf '%s\n' "shop$one_pid prog main line" "shop$two_pid prog main line" | sort)"
try "$DTRACE" -l -n "shop$one_pid:::"
expect_text rows "$(awk 'NR > 1 { print $2, $3, $4, $5 }' out.txt | sort)" "$(printf '%s\n' "shop$one_pid prog main child" "shop$one_pid prog main line")"
try "$DTRACE" -n "shop$one_pid:::nothing"
expect_status 1
expect_match stderr "$err" "probe description shop$one_pid:::nothing does not match any probes"

trace() { # PROGRAM
	rm -f events.txt
	"$DTRACE" -Z -q -x switchrate=20ms -o events.txt -n "BEGIN { printf(\"on\\n\"); } $1" 2>trace.err &
	tracer=$!
	for ((i = 0; i < 400; i++)); do [[ -s events.txt ]] && break; sleep 0.05; done
	await events.txt '^on$'
}

what="one process of two"
trace "shop$one_pid:::line { printf(\"%s %s %d\\n\", probefunc, copyinstr(arg0), (int)arg1); }"
tell one enabled 1
tell one first
tell two unseen
tell one second
await events.txt second
kill -TERM $tracer; wait $tracer
expect_text events "$(cat events.txt)" "on
main first 3
main second 4"
tell one enabled 0

what="all, also those that come"
trace 'shop*:::line { printf("%d %s\n", pid, copyinstr(arg0)); } shop*:::child /!seen[pid]++/ { printf("%d child of %d\n", pid == arg0, (int)arg0); }
	shop*:::loaded { printf("%d %s loaded\n", pid, probemod); }'
tell one a
tell two b
start three
# it is attached to some moments after its start
for ((i = 0; i < 400; i++)); do
	echo enabled >&"$three_in"
	read -r -t 20 -u "$three_out" got
	[[ $got == 1 ]] && break
	sleep 0.02
done
tell three c
tell two fork
tell one load
tell one d
await events.txt "$one_pid d"
kill -TERM $tracer; wait $tracer
expect_text events "$(grep . events.txt | sort)" "$(printf '%s\n' on "$one_pid a" "$two_pid b" "$three_pid c" "0 child of $two_pid" "$one_pid lib.so loaded" "$one_pid d" | sort)"
tell one enabled 0

what="a tracer that is killed"
trace 'shop*:::line { printf("%s\n", copyinstr(arg0)); }'
tell two enabled 1
kill -KILL $tracer; wait $tracer 2>/dev/null
for ((i = 0; i < 400; i++)); do
	echo enabled >&"$two_in"
	read -r -t 20 -u "$two_out" got
	[[ $got == 0 ]] && break
	sleep 0.02
done
tell two enabled 0
tell one still
exec {one_in}>&- {two_in}>&- {three_in}>&-
wait
finish
