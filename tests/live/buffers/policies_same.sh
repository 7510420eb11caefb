#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What fits into the buffers is printed alike whatever the policy: layouts, stacks and symbols, aggregations, faults and
# ERROR, speculations, loops, setopt(), freopen(), system(), flow; as text and as JSON.
# @vm no: other tests again, with each policy: what prints them differs, no program
# @ref options 5.1 switch fill-stops ring-keeps-newest others-always-switch
# @ref options 3 bufpolicy
# @ref output 5 prefixes
. "$SRCDIR/tests/live/buffers/lib.sh"

cat >all.d <<'EOD'
BEGIN { s = "a string"; spec = 0; printf("begins\n"); trace(s); }
BEGIN { trace(*(int *)8); }
ERROR { printf("ERROR %d", arg4); }
syscall::openat:entry /pid == $target/ { self->spec = speculation(); }
syscall::openat:entry /self->spec/ { speculate(self->spec); printf("opens %s", copyinstr(arg1)); }
syscall::openat:return /self->spec && arg1 < 0/ { commit(self->spec); self->spec = 0; }
syscall::openat:return /self->spec/ { discard(self->spec); self->spec = 0; }
syscall::close:entry /pid == $target/ { n++; @[n % 3] = count(); }
syscall::close:entry /pid == $target && n < 4/ { ustack(1); trace(execname); usym(uregs[R_RIP]); }
syscall::close:entry /pid == $target && n == 5/ { for (i = 0; i < 3; i++) { trace(i); } setopt("quiet"); }
syscall::close:entry /pid == $target && n == 6/ { printa(@); trunc(@, 1); setopt("quiet", "no"); trace(1 / (n - 6)); }
syscall::close:entry /pid == $target && n == 7/ { tracemem(&`linux_banner, 16); }
syscall::close:entry /pid == $target && n == 8/ { freopen("apart.txt"); printf("apart\n"); freopen(""); printf("%d\n", n); }
syscall::close:entry /pid == $target && n == 9/ { system("echo from system"); if (n > 9) { trace("never"); } else { trace("less"); } }
syscall::close:entry /pid == $target && n > 10/ { if (n > 100) { trace("never"); } }
END { printf("ends\n"); printa(@); clear(@); }
EOD
sed -i '/tracemem/d' all.d # the symbol has no address everywhere

all() { # POLICY OPTION...: all.txt
	rm -f apart.txt
	# one CPU, or the order of the target's and of dtrace's own were that of CPUs
	timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) taskset -c 0 "$DTRACE" -w -x bufpolicy="$1" -x nspec=2 "${@:2}" -s all.d \
		-c "$triggers/calls openat $file 12" >out.txt 2>err.txt </dev/null || complain "$*: status $?: $(<err.txt)"
	{ cat out.txt; sort err.txt; [[ ! -e apart.txt ]] || cat apart.txt; } |
		sed -E '/ pid [0-9]+ has exited$/d; s/"time":[0-9]+/"time":T/; s/target [0-9]+/target P/g; s/"(p|t)id":[0-9]+/"\1id":P/g' >all."$1"
}

for file in /dev/null /nonexistent; do
	for options in "" -F -q "--output=json" "-x temporal=no"; do
		for policy in switch fill ring; do
			# shellcheck disable=SC2086 # words
			all $policy $options
			cmp -s all.switch all.$policy || complain "$options $policy $file: $(diff all.switch all.$policy | head -n 12)"
		done
		[[ $(wc -l <all.switch) -gt 4 ]] || complain "$options $file: $(<all.switch)"
		case $options-$file in
		-/dev/null) grep -q 'opens' all.switch && complain "what was discarded: $(<all.switch)" ;;
		-/nonexistent) expect "committed" "$(grep -c 'opens /nonexistent' all.switch)" 12 ;;
		esac
	done
done
exit $bad
