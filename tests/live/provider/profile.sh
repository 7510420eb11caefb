#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# profile-N: fires while a program runs, on its CPU; arg0 is the kernel's address or arg1 the
# user's, never both; stacks are those of what was interrupted.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

busy=$BUILD/tests/live/triggers/busy
bad=0
# a slow machine needs longer to start a program than to run it
scale=${TIMEOUT_SCALE:-1}
complain() { echo "$1"; bad=1; }

"$DTRACE" -q -c "$busy user $((600 * scale))" -n '
	int both, none, user, odd;
	profile-997 /pid == $target/ { n++; both += arg0 && arg1; none += !arg0 && !arg1; user += arg1 != 0; }
	profile-997 /pid == $target && arg1/ { @[usym(arg1)] = count(); @u[ustack(1)] = count(); }
	profile-997 /pid == $target && arg1 && arg2 > 1000000000/ { odd++; }
	profile-997 /execname == "busy" && pid != tid/ { odd++; }
	END { printf("%d %d %d %d %d\n", n, both, none, user, odd); printa("%A %@d\n", @); printa("%k %@d\n", @u); }' \
	>out.txt 2>err.txt || complain "$(<err.txt)"
read -r n both none user odd <out.txt
[[ $n -ge 20 && $n -le $((2000 * scale)) ]] || complain "fired $n times in $scale times 0.6 s at 997 hz"
[[ $both == 0 && $none == 0 && $odd == 0 ]] || complain "both $both, none $none, odd $odd"
[[ $user -ge $((n / 2)) ]] || complain "user $user of $n"
grep -q '^busy`spin [0-9]' out.txt || complain "no sample in spin"
grep -q '^busy`spin+0x' out.txt || complain "no stack in spin"

"$DTRACE" -q -c "$busy kernel $((600 * scale))" -n '
	int kernel;
	profile-997 /pid == $target/ { n++; kernel += arg0 != 0; }
	profile-997 /pid == $target && arg0/ { @[stack(1)] = count(); @m[mod(arg0)] = count(); }
	END { printf("%d %d\n", n, kernel); printa("%k %@d\n", @); printa("%a %@d\n", @m); }' \
	>out.txt 2>err.txt || complain "$(<err.txt)"
read -r n kernel <out.txt
[[ $n -ge 20 && $kernel -ge $((n / 2)) ]] || complain "kernel $kernel of $n"
grep -q '^vmlinux`[a-z]' out.txt || complain "no kernel function"
grep -q '^vmlinux [0-9]' out.txt || complain "no kernel module"

# on every CPU; tick on one. Each is kept busy: an idle one may not be sampled in a virtual machine.
cpus=$(getconf _NPROCESSORS_ONLN)
pids=()
for ((i = 0; i < cpus; i++)); do
	taskset -c "$i" "$busy" user 30000 &
	pids+=($!)
done
"$DTRACE" -q -n '
	profile-100 { @[cpu] = count(); }
	tick-100 { @t[cpu] = count(); }
	tick-1s { exit(0); }
	END { printa("profile %d %@d\n", @); printa("tick %d %@d\n", @t); }' >out.txt 2>err.txt || complain "$(<err.txt)"
kill "${pids[@]}"
wait
[[ $(grep -c '^profile' out.txt) == "$cpus" ]] || complain "profile-100 fired on $(grep -c '^profile' out.txt) of $cpus CPUs"
[[ $(grep -c '^tick' out.txt) == 1 ]] || complain "tick-100 fired on $(grep -c '^tick' out.txt) CPUs"
awk '/^(profile|tick)/ && ($3 < 10 || $3 > 150) { print "in one second at 100 hz: " $0; bad = 1 } END { exit bad }' \
	out.txt || bad=1
exit $bad
