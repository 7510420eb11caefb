#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code without a symbol has one address in every output: the file's own, which nm and addr2line know, of a program that is
# linked to be anywhere, of one that is not, and of either after its file has vanished.  pprof's main program is the program,
# though other objects come first in the stacks.
# @needs cc python3
# @ref output 6 user-object-only
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

cat >p.c <<'END'
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline, noclone)) long call(void)
{
	long n = syscall(SYS_getppid);
	__asm__ volatile("" : "+r"(n)); /* no tail call */
	return n;
}
static void *start(void *arg) { return (void *)(call() & 0); }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, start, 0);
	pthread_join(t, 0);
	return call() < 0;
}
END
cc -O1 -g -pie -fpie -o pie p.c -lpthread
cc -O1 -g -no-pie -fno-pie -o nopie p.c -lpthread

# what FILE names ADDRESS
function_at() {
	addr2line -f -e "$1" "$2" | head -1
}

for kind in pie nopie; do
	strip -o "stripped_$kind" $kind
	cp "stripped_$kind" vanished
	for run in "./stripped_$kind" "sh run.sh"; do
		name=$([[ $run == sh* ]] && echo vanished || echo stripped_$kind)
		cat >run.sh <<-'END'
		./vanished
		rm vanished
		END
		rm -f text json folded f.html p.pb.gz
		"$DTRACE" --output=text:text --output=json:json --output=folded:folded --output=flamegraph:f.html \
			--output=pprof:p.pb.gz -qn 'syscall::getppid:entry /execname == "'"${name:0:15}"'"/ { @[ustack(3)] = sum(1); }' \
			-c "$run" 2>err || complain "$kind, $name: $(<err)"
		sed -n "s/^ *$name\`\(0x[0-9a-f]*\)$/\1/p" text | sort -u >addresses
		# of one that has vanished the stack may end early
		[[ $(wc -l <addresses) -ge $([[ $name == vanished ]] && echo 1 || echo 2) ]] || complain "$kind, $name: no addresses: $(<text)"
		while read -r address; do
			case $(function_at $kind "$address") in
			call | main | start) ;;
			*) complain "$kind, $name: $address is in $(function_at $kind "$address")" ;;
			esac
			grep -q "$name\`$address[; ]" folded || complain "$kind, $name: folded has no $address: $(<folded)"
			grep -q "$name\`$address\"" f.html || complain "$kind, $name: the page has no $address"
			zcat p.pb.gz | grep -qa "$name\`$address" || complain "$kind, $name: pprof has no $address"
			grep -q "\"offset\":$((address))[,}]" json || complain "$kind, $name: JSON has no $((address)): $(<json)"
		done <addresses
		grep -q "$name+0x" f.html folded && complain "$kind, $name: there is another address"
		# the name of the first mapping, field 3 of the profile, is number 5 of its fields
		first=$(zcat p.pb.gz | python3 -c '
import sys
data, at, strings, first = sys.stdin.buffer.read(), 0, [], None
def number(b, at):
    n = shift = 0
    while True:
        n |= (b[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if b[at - 1] < 128:
            return n, at
while at < len(data):
    tag, at = number(data, at)
    if tag & 7 == 0:
        _, at = number(data, at)
        continue
    size, at = number(data, at)
    part, at = data[at:at + size], at + size
    if tag >> 3 == 6:
        strings.append(part.decode())
    elif tag >> 3 == 3 and first is None:
        inner = 0
        while inner < len(part):
            field, inner = number(part, inner)
            value, inner = number(part, inner)
            if field >> 3 == 5:
                first = value
print(strings[first])')
		[[ $first == "$name" ]] || complain "$kind, $name: pprof's main program is '$first'"
	done
done
exit $bad
