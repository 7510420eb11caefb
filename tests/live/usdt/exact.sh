#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# Every firing of processes that come and go is counted, once: where a file is known when tracing begins, under a wildcard,
# with pid* and with --follow; else the processes are counted that ran before the probes of their file were placed.
# @ref providers 16.4 by-file every-firing
set -u
. "${0%/*}/lib.sh"

"$DTRACE" -h -s "$SRCDIR/tests/stress/swarm.d" -o swarm.h || complain "no header"
cat >lib.c <<'END'
#include "swarm.h"
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
# Files have names of their own: descriptions match programs of the whole machine.
swarm=swarm$$ lib=lib$$.so other=other$$ brief=brief$$
gcc -O2 -pthread -I. -o $swarm "$SRCDIR/tests/stress/swarm.c" && gcc -O2 -shared -fPIC -o $lib lib.c && gcc -O2 -o hold hold.c || complain "does not build"
processes=${EXACT_PROCESSES:-40}

# The number in a message about processes whose firings are unknown.
unplaced() {
	sed -n 's/^dtrace: \([0-9]*\) process.* ran before their probes were placed; their firings are unknown$/\1/p' messages.txt |
		awk '{ n += $1 } END { print n + 0 }'
}

# ./hold keeps the library known; -c has the program stand before the descriptions are matched.
./hold ./$lib &
holder=$!
for how in fork vfork spawn exec threads library; do
	name=hit func=work module=$swarm
	[[ $how == library ]] && name=loaded func=loaded module=$lib
	for attached in "swarm*:$module::$name" "pid*:$module:$func:entry" "pid*:$PWD/$module:$func:return" \
		"--follow swarm\$target:$module::$name" "--follow pid\$target:$module:$func:entry"; do
		follow=() description=$attached factor=1
		[[ $attached == --follow* ]] && follow=(--follow) description=${attached#--follow }
		[[ $how == library && $description == pid* ]] && factor=10
		what="$how, $attached"
		rm -f counted.txt
		"$DTRACE" -Zq "${follow[@]}" -n "$description { @ = count(); }" -c "./$swarm $how $processes 10 ./$lib" \
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

echo "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ./$other hits 1 10; done" >many.sh
# Others that run the same file meanwhile are not followed; and dtrace itself is none of all processes.
what="others, and ourselves"
while :; do ./$swarm hits 1 10; done >/dev/null 2>&1 &
others=$!
for description in 'swarm$target:::hit' "pid\$target:$swarm:work:entry"; do
	try "$DTRACE" -q --follow -n "$description { @ = count(); } END { printa(\"all %@d\\n\", @); }" -c "./$swarm fork $processes 10"
	[[ $out == *"all $((processes * 10))"$'\n'* ]] || complain "$description: $out"
done
kill $others
wait $others 2>/dev/null
try "$DTRACE" -qn 'pid*:libc.so.6:malloc:entry /pid == $pid/ { own++; }
	tick-20ms { @[n++] = count(); printa("", @); } tick-500ms { exit(0); } END { printf("own %d", own); }'
expect_match "our own calls" "$out" 'own 0'

# A file that nobody has mapped: what is missing is of processes that are counted.
for attached in "swarm*:$other::hit" "pid*:$other:work:entry" "--follow swarm\$target:::hit" "--follow -x followlate swarm\$target:::hit"; do
	rm -f counted.txt
	cp $swarm $other
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
	[[ $((whole + lost)) -ge 20 ]] || complain "$got firings, $whole whole processes, $lost unplaced: $(cat messages.txt)"
	[[ ${got:-0} == 200 || $lost -gt 0 ]] || complain "silent: $got of 200"
	rm $other
done

# Programs that live 1 s each, the first of which nobody knew: some firing of each, and all of the others.
what="programs that start later"
cat >brief.c <<'END'
#include <unistd.h>
#include "swarm.h"
int main(void)
{
	for (int i = 0; i < 50; i++, usleep(20000))
		SWARM_HIT(i, 0);
	return 0;
}
END
gcc -O2 -o $brief brief.c || complain "does not build"
echo "./$brief; ./$brief; ./$brief; ./$brief; ./$brief" >five.sh
try "$DTRACE" -Zqn "swarm*:$brief::hit { @[pid] = count(); } END { printa(\"%d %@d\\n\", @); }" -c 'sh five.sh'
[[ $(awk '$2 > 0' out.txt | wc -l) == 5 && $(awk '$2 == 50' out.txt | wc -l) -ge 4 ]] || complain "of five processes with 50: $out$err"
finish
