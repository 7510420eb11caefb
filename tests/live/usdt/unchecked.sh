#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# -Z: clauses that use members of args[] of static probes, which the program's provider block types, wait for their probes:
# with option hold every firing of processes that nobody knew counts, with --follow too, and those of a second program.
# @ref d-language 4 zdefs
# @ref providers 16.4 every-firing
set -u
. "${0%/*}/lib.sh"

printf '%s\n' 'provider waited { probe hit(void *); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
cat >prog.c <<'END'
#include "prov.h"
struct request { int number; const char *path; };
int main(void)
{
	struct request r = {0, "/index"};

	for (r.number = 0; r.number < 10; r.number++)
		WAITED_HIT(&r);
	return 0;
}
END
gcc -O2 -o prog prog.c || complain "does not build"
cat >block.d <<'END'
struct request { int number; char *path; };
provider waited { probe hit(struct request *); };
END
cat >programs.sh <<'END'
rm -f other; cp prog other
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ./prog; done & ./prog; ./other; wait
END

counts() { # PROVIDER DTRACE-ARGUMENTS...
	local hit=$1:::hit
	shift
	{
		cat block.d
		cat <<END
$hit { hits++; @n["hits"] = count(); self->odd = 0; }
$hit /args[0]->number & 1/ { self->odd = args[0]->number; odd += args[0]->number; @n["odd, which take a longer key"] = count(); }
$hit /self->odd/ { @paths[copyinstr((uintptr_t)args[0]->path), execname, self->odd] = count(); }
END { printf("%d %d\n", hits > 0, odd > 0); printa("%s %@d\n", @n); printa("%s %s %d %@d\n", @paths); }
END
	} >s.d
	try "$DTRACE" -Zq "$@" -s s.d -c "sh programs.sh"
	# a busy machine may open more files than the list of what is mapped has room for; those held are looked at anyway
	expect_text "messages" "$(grep -v -e 'lost events* of processes' -e 'buffer for forks' err.txt)" ""
	expect_out "1 1
odd, which take a longer key 110
hits 220
$(for n in 1 3 5 7 9; do echo "/index other $n 1"; done)
$(for n in 1 3 5 7 9; do echo "/index prog $n 21"; done)

"
}
for when in exec open; do
	counts 'waited*' -x hold=$when
	counts 'waited$target' --follow -x hold=$when
done

what="alone, with --follow"
{ cat block.d; echo 'waited$target:::hit { @[execname] = sum(args[0]->number); }'; } >s.d
try "$DTRACE" -Zq --follow -x hold=exec -s s.d -c "sh programs.sh"
expect_match out "$out" 'other +45
 +prog +945'
# a clause that is compiled while tracing and needs more stack than there is keeps numbers elsewhere
sum='args[0]->number'
for ((i = 96; i >= 0; i--)); do
	sum="(g$i + $sum)"
done
{
	cat block.d
	printf 'int g%d;' {0..96}
	echo "BEGIN { $(for ((i = 0; i < 97; i++)); do echo "g$i = $i;"; done) }"
	echo "waited*:::hit { @[$sum] = count(); } END { printa(\"%d %@d\\n\", @); }"
} >wide.d
try "$DTRACE" -Zq -x hold=exec -x aggsortkey -s wide.d -c "sh -c './prog; ./prog'"
expect_text "messages" "$(grep -v -e 'lost events* of processes' -e 'buffer for forks' err.txt)" ""
expect_out "$(for ((i = 0; i < 10; i++)); do echo "$((4656 + i)) 2"; done)

"

finish
