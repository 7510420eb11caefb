#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A file of a layer that several overlay file systems share is one inode with several numbers: what is attached by file
# counts its firings once, in whichever of them it is executed.
# @ref providers 16.4 by-file every-firing
set -u
. "${0%/*}/lib.sh"

printf '%s\n' 'provider layer { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || exit 1
cat >prog.c <<'END'
#include "prov.h"
int main(void)
{
	for (int i = 0; i < 10; i++)
		LAYER_HIT(i);
	return 0;
}
END
gcc -O2 -o prog prog.c || exit 1
mkdir base && mount -t tmpfs none base && mkdir base/low base/{upper,work,all}{1,2} && cp prog base/low/ || exit 1
for i in 1 2; do
	mount -t overlay overlay -o "lowerdir=base/low,upperdir=base/upper$i,workdir=base/work$i" "base/all$i" || {
		echo "no overlay file system"
		exit 77
	}
done
echo 'base/all1/prog; base/all2/prog; base/low/prog; base/all1/prog' >four.sh
bad=0
for d in 'layer*:::hit { @[pid] = sum(1); }' 'pid*:prog:main:entry { @[pid] = sum(10); }' 'pid*:prog:main:return { @[pid] = sum(10); }'; do
	got=$("$DTRACE" -Zqn "$d END { printa(\"%@d \", @); }" -x hold=exec -c 'sh four.sh')
	[[ ${got//[[:space:]]/ } == "10 10 10 10 "* ]] || {
		echo "$d: $got"
		bad=1
	}
done
exit $bad
