#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A set-user-ID program has the user of its file whatever evaltime is, also if it executes once more for evaltime=exec; where
# the kernel refuses that to a traced program, dtrace says why and runs nothing.
# @ref options 4 evaltime
# @ref cli 5 c-stopped-before-main
set -u
. "${0%/*}/../cli/lib.sh"

cat >ids.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	printf("%u %u %u %u\n", getuid(), geteuid(), getgid(), getegid());
	return 0;
}
END
gcc -O2 -o ids ids.c || complain "does not build"
cp ids group
chown 0:0 ids group
chmod 4755 ids
chgrp 12345 group && chmod 2755 group
cp "$DTRACE" dtrace
chmod 755 . dtrace
./ids >/dev/null
[[ $(setpriv --reuid 65534 --clear-groups ./ids) == "65534 0 0 0" ]] || { echo "set-user-ID programs have no effect here"; exit 77; }

# the user is another than root, and then root is another than the user
chown 65533 ids
chmod 4755 ids
for when in exec preinit postinit main; do
	try "$DTRACE" -x evaltime=$when -qn 'syscall::geteuid:return /pid == $target/ { printf("%d", arg1); }' -o seen.txt -c ./ids
	expect_text "as root, $when" "$out$err$(grep . seen.txt)" $'0 65533 0 0\n65533'
	rm seen.txt
done
chown 0 ids
chmod 4755 ids
caps=-all,+bpf,+perfmon,+dac_read_search
user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
for when in exec postinit; do
	try "${user[@]}" --inh-caps $caps,+sys_ptrace --ambient-caps $caps,+sys_ptrace ./dtrace -x evaltime=$when -qn END -c ./ids
	expect_text "with CAP_SYS_PTRACE, $when" "$out$err" $'65534 0 65534 65534\n\n'
	for program in ids group; do
		try "${user[@]}" --inh-caps $caps --ambient-caps $caps ./dtrace -x evaltime=$when -qn END -c ./$program
		expect_status 1
		expect_text "without, $when" "$out$err" "dtrace: failed to control ./$program: the kernel lets it have the user or \
group of its file only if dtrace has CAP_SYS_PTRACE; start it by itself and use -p"$'\n'
	done
done
finish
