#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# More different stacks as keys than the table has room for, as fast as a program can take them: none is lost, in any output. If
# dtrace cannot follow, what is lost is told, by each output.
# @timeout 120
# @alone
# @vm no: a program is slower there than the reader
# @ref d-language 15 stack-values
. "$SRCDIR/tests/live/buffers/lib.sh"
cat >many.c <<'END'
#include <stdlib.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) static void go(unsigned bits, int depth)
{
	if (!depth)
		getppid();
	else if (bits & 1)
		go(bits >> 1, depth - 1);
	else
		go(bits >> 1, depth - 1), sink++;
	sink++;
}
int main(int argc, char **argv)
{
	int depth = atoi(argv[1]);

	for (unsigned i = 0; i < 1u << depth; i++) {
		go(i, depth);
		if (i % 1024 == 1023) /* 200 KB: on a busy machine the reader waits for a CPU */
			usleep(2000);
	}
	return 0;
}
END
gcc -O1 -fno-optimize-sibling-calls -fno-omit-frame-pointer -o many many.c || exit 1
all=$((1 << 15))
clause='syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }'
taken() { # OPTION...
	try -x aggsize=64m --fail-on-drops "$@" --output=folded:out.folded --output=json:out.json -c "./many 15" -n "$clause"
}
# 32,768 stacks of 18 frames take 6 MB: six times the ring
taken -x stacksize=1m
expect "all: status" $status 0
quiet "all"
grep -q evicted out.folded out.json && complain "some are evicted"
expect "all: graph" "$(awk '{ n += $NF } END { print n }' out.folded)" $all

# without copies most are lost; no printa() is needed to tell
taken -x stacksize=16k -x stackmem=0
expect "lost: status" $status 1
lost=$(grep 'stack evicted' out.folded | awk '{ n += $NF } END { print n }')
[[ $lost -gt $((all / 2)) ]] || complain "$lost of $all are lost"
expect "lost: said" "$(<err.txt)" "dtrace: $lost stack drops"
grep -q "\"drops\":$lost\\b" out.json || complain "JSON does not say it: $(tail -c 300 out.json)"
try -x aggsize=64m -x stacksize=16k -x stackmem=0 -c "./many 13" -n "$clause"
expect "text: said" "$(<err.txt)" "dtrace: $(grep -c 'stack evicted' out.txt) stack drops"
exit $bad
