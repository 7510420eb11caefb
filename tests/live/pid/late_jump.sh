#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A function that is an endbr64 and a jump to another one is entered before it returns, in a library that is loaded late.
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cd "$TMPDIR" || exit 1
cat >lib.c <<'END_OF_SOURCE'
unsigned long other(unsigned long x) { return x + x / 2 + 13; }
unsigned long jumps(unsigned long x) { return other(x); }
END_OF_SOURCE
cat >main.c <<'END_OF_SOURCE'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	void *lib = dlopen("./liblate.so", RTLD_NOW);
	const volatile unsigned char *code = lib ? dlsym(lib, "jumps") : NULL;

	if (!code)
		return 1;
	for (int ms = 0; ms < 20000 && code[0] != 0xcc && code[4] != 0xcc; ms++)
		usleep(1000);
	usleep(300000); /* the return's place comes after its entry's */
	((unsigned long (*)(unsigned long))code)(5);
	return 0;
}
END_OF_SOURCE
gcc -O2 -fPIC -fcf-protection -shared lib.c -o liblate.so && gcc main.c -o main -ldl || exit 1
for order in 'entry return' 'return entry'; do
	set -- $order
	"$DTRACE" -Zqn "pid\$target:liblate.so:jumps:$1, pid\$target:liblate.so:jumps:$2 { printf(\"%s\n\", probename); }" -c ./main 2>/dev/null
done
