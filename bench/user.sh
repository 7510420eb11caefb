# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# The sections of bench/run about user code: uprobes, libc, stacks, managed.

# ---- inside a program

# KEY, the KIND of bench/events, the function an empty program is attached to, the least count (n: all events), description,
# the D program, the bpftrace program.
uprobes="\
push|push|push_first|n|entry, count|pid\$target:a.out:push_first:entry { @ = count(); }|uprobe:@exe:push_first { @ = count(); }
arg|push|push_first|0|entry, an argument|pid\$target:a.out:push_first:entry { @ = sum(arg0); }|uprobe:@exe:push_first { @ = sum(arg0); }
key|push|push_first|0|entry, count by an argument|pid\$target:a.out:push_first:entry { @[arg0] = count(); }|uprobe:@exe:push_first { @[arg0] = count(); }
return|push|push_first|n|return, count|pid\$target:a.out:push_first:return { @ = count(); }|uretprobe:@exe:push_first { @ = count(); }
address|push|push_first|n|return by -x returns=address, count|pid\$target:a.out:push_first:return { @ = count(); }|uretprobe:@exe:push_first { @ = count(); }
step|step|step_first|n|entry that is single-stepped, count|pid\$target:a.out:step_first:entry { @ = count(); }|uprobe:@exe:step_first { @ = count(); }
usdt|usdt|hit|n|USDT, count|bench\$target:::hit { @ = count(); }|usdt:@exe:bench:hit { @ = count(); }
usdtkey|usdt|hit|0|USDT, count by two arguments|bench\$target:::hit { @[arg0, arg1] = count(); }|usdt:@exe:bench:hit { @[arg0, arg1] = count(); }
deep|deep|push_first|0|stack without frame pointers|pid\$target:a.out:push_first:entry { @[ustack()] = count(); }|uprobe:@exe:push_first { @[ustack] = count(); }
deepfp|deepfp|push_first|0|stack with frame pointers|pid\$target:a.out:push_first:entry { @[ustack()] = count(); }|uprobe:@exe:push_first { @[ustack] = count(); }"

# Prints the depth of the deepest stack that the last run printed.
frames() {
	awk '/^ *[^ ]+(`|\+)[^ ]*$|^ *0x[0-9a-f]+$/ { if (++n > most) most = n; next } { n = 0 } END { print most + 0 }' "$W/out"
}

declare -A seen
more() { [[ -n $1 && -n $2 ]] && calc "$1 - $2"; }
uprobes_round() {
	local n=$((EVENTS * EVENT_BATCHES)) key kind at least words d bt run last='' options
	while IFS='|' read -r key kind at least words d bt; do
		run="$B/events $kind $EVENTS $EVENT_BATCHES $W/ns $CPU"
		[[ $least == 0 ]] || least=$n
		if [[ $kind != "$last" ]]; then
			# shellcheck disable=SC2086
			cost "untraced.$kind" 0 $run
			# shellcheck disable=SC2086
			cost "empty.$kind" 0 "$B/empty" -u "$at" "$B/uprobe.bpf.o" $run
			last=$kind
		fi
		options=()
		[[ $key != address ]] || options=(-x returns=address)
		cost "ours.u.$key" "$least" "$DTRACE" -q "${options[@]}" -n "$d" -c "$run"
		[[ $kind != deep* ]] || seen[ours.$key]=$(frames)
		has_bpftrace && cost "bpftrace.u.$key" "$least" "$BPFTRACE" -e "${bt/@exe/$B/events}" -c "$run"
		[[ $kind != deep* ]] || seen[bpftrace.$key]=$(frames)
	done <<<"$uprobes"
}

bench_uprobes() {
	local key kind at least words d bt ours theirs empty
	while another_round "$ROUNDS"; do
		uprobes_round
	done
	scale
	title 'What is added to one call of a function'
	{
		row '' 'empty program, ns' 'dtrace, ns' 'more than empty' 'bpftrace, ns' 'more than empty' 'bpftrace / dtrace'
		while IFS='|' read -r key kind at least words d bt; do
			empty=$(added "empty.$kind" "untraced.$kind")
			ours=$(added "ours.u.$key" "untraced.$kind") theirs=$(added "bpftrace.u.$key" "untraced.$kind")
			recorded "$words, ns" "u.$key.ns" "untraced.$kind.ns"
			record "$words, ns" 'empty program' "empty.$kind.ns" "untraced.$kind.ns"
			row "$words" "$(or_dash "$empty")" "$(or_dash "$ours")" "$(or_dash "$(more "$ours" "$empty")")" "$(or_dash "$theirs")" \
				"$(or_dash "$(more "$theirs" "$empty")")" "$(ratio "$theirs" "$ours")"
		done <<<"$uprobes"
	} | table
	note "Frames seen of the 22 that there are: without frame pointers dtrace\
 ${seen[ours.deep]:--}, bpftrace ${seen[bpftrace.deep]:--}; with frame pointers dtrace ${seen[ours.deepfp]:--}, bpftrace ${seen[bpftrace.deepfp]:--}."
	note 'The programs:'
	while IFS='|' read -r key kind at least words d bt; do
		if [[ $markdown == 1 ]]; then
			# shellcheck disable=SC2016
			printf -- '- %s: `%s`; bpftrace `%s`\n' "$words" "$d" "${bt/@exe/events}"
		else
			printf '  %s\n    dtrace    %s\n    bpftrace  %s\n' "$words" "$d" "${bt/@exe/events}"
		fi
	done <<<"$uprobes"
	echo
}

# All functions of the C library. bpftrace 0.17 fails, after minutes, at the first one that cannot be probed, so both are
# also compared on a few functions.
bench_libc() {
	local all='pid$target:libc.so.6::entry' some='pid$target:libc.so.6:mem*:entry' libc n=''
	[[ $selftest == 0 ]] || all=$some
	libc=$(ldd "$(type -P env)" | awk '$1 == "libc.so.6" { print $3 }')
	title "Every function of the C library: from exec to live, from the end of the -c child to the prompt"
	[[ -n $libc ]] || { leave_out 'there is no libc.so.6 here'; return; }
	while another_round "$ROUNDS"; do
		CHILD=$(type -P env) around ours.libc "$DTRACE" -n "$all { @ = count(); }"
		n=$(sed -nE 's/.* matched ([0-9]+) probes?$/\1/p' "$W/out")
		CHILD=$(type -P env) around ours.mem "$DTRACE" -q -n "$some { @ = count(); }"
		has_bpftrace && CHILD=$(type -P env) around bpftrace.mem "$BPFTRACE" -e "uprobe:$libc:mem* { @ = count(); }"
	done
	record 'all: to live, ms' dtrace ours.libc.live
	record 'all: to the prompt, ms' dtrace ours.libc.gone
	recorded 'mem*: to live, ms' mem.live
	recorded 'mem*: to the prompt, ms' mem.gone
	{
		row '' 'to live, ms' 'to the prompt, ms'
		row "dtrace $all (${n:-?} probes)" "$(or_dash "$(median ours.libc.live)")" "$(or_dash "$(median ours.libc.gone)")"
		row "dtrace $some" "$(or_dash "$(median ours.mem.live)")" "$(or_dash "$(median ours.mem.gone)")"
		has_bpftrace && row 'bpftrace uprobe:libc.so.6:mem*' "$(or_dash "$(median bpftrace.mem.live)")" \
			"$(or_dash "$(median bpftrace.mem.gone)")"
	} | table
}

# tables KEY COMMAND...: KEY.used and KEY.pool: MiB of unwind tables for COMMAND, used and allocated
tables() {
	local key=$1 used pool
	shift
	DTRACE_DEBUG=1 timeout 60 "$DTRACE" -q -n 'profile-197 /pid == $target/ { @[ustack()] = count(); } tick-3s { exit(0); }' \
		-c "$*" >"$W/out" 2>&1 </dev/null || { complain "failed: $*"; return 1; }
	read -r used pool < <(sed -nE 's/.*user stacks: .* ([0-9]+) of ([0-9]+) KB.*/\1 \2/p' "$W/out" | tail -n 1)
	[[ -n ${pool:-} ]] || { complain "no tables for: $*"; return 1; }
	add "$key.used" "$(calc "$used / 1024")"
	add "$key.pool" "$(calc "$pool / 1024")"
}

tables_row() { # LABEL KEY
	record "$1: used, MiB" dtrace "$2.used"
	record "$1: taken from the kernel, MiB" dtrace "$2.pool" '' 50
	row "$1" "$(or_dash "$(median "$2.used")")" "$(or_dash "$(median "$2.pool")")" 50
}

bench_stacks() {
	local python java clang
	python=$(type -P /usr/bin/python3 python3 | head -n 1)
	java=$(find /usr/lib/jvm/*/bin -name java 2>/dev/null | sort -V | tail -n 1)
	clang=$(type -P clang)
	title 'The first user stack'
	if [[ -n $python ]]; then
		while another_round "$ROUNDS"; do
			clocked ours.first "$DTRACE" -q -n 'profile-997 /pid == $target/ { ustack(); exit(0); }' -c "$python -I -c while(1):pass"
			has_bpftrace && clocked bpftrace.first "$BPFTRACE" -e 'profile:hz:997 /pid == cpid/ { print(ustack); exit(); }' \
				-c "$python -I -c while(1):pass"
		done
		note "From exec to the prompt, when the first stack of a Python is printed by profile-997:"
		{
			row '' dtrace 'at most' bpftrace 'bpftrace / dtrace'
			versus 'time, ms' first.ms 300
			versus 'peak memory, MiB' first.mb -
		} | table
	else
		leave_out 'there is no Python (Debian: python3)'
	fi
	if [[ -z $java ]]; then
		leave_out 'there is no Java virtual machine (Debian: default-jre-headless)'
	fi
	[[ -z $python ]] || tables python "$python -I -c pass=[i.bit_length()for(i)in(range(2000000))]"
	[[ $selftest == 1 || -z $java ]] || tables java "$java -Xshare:auto -XX:+UseSerialGC -version"
	[[ $selftest == 1 || -z $clang ]] || tables clang "$clang -fsyntax-only -x c /usr/include/stdio.h"
	note 'Memory of the tables, which are made for all files that a process has mapped:'
	{
		row '' 'used, MiB' 'taken from the kernel, MiB' 'at most'
		tables_row 'Python' python
		tables_row 'a Java virtual machine' java
		tables_row 'clang (LLVM)' clang
	} | table
}

# ---- managed languages

# Programs whose stacks have some forty frames, of the language and of C, and are busy for SECONDS.
managed_programs() { # SECONDS
	cat >"$W/busy.py" <<-'PY'
	import sys, time
	def leaf(n):
	    x = 0
	    for i in range(n): x += i * i
	    return x
	def deep(d, n): return leaf(n) if d == 0 else deep(d - 1, n)
	def through_c(d, n): return deep(12, n) if d == 0 else sorted([1], key=lambda i: through_c(d - 1, n))
	end = time.monotonic() + float(sys.argv[1])
	while time.monotonic() < end: through_c(2, 300)
	PY
	cat >"$W/busy.js" <<-'JS'
	function leaf(n) { let x = 0; for (let i = 0; i < n; i++) x += i * i % 7; return x; }
	function deep(d, n) { return d ? deep(d - 1, n) + 1 : leaf(n); }
	function throughC(d, n) { return d ? [3, 1, 2].sort(() => throughC(d - 1, n) & 1)[0] : deep(20, n); }
	const end = Date.now() + process.argv[2] * 1000;
	while (Date.now() < end) throughC(2, 300);
	JS
	cat >"$W/Busy.java" <<-'JAVA'
	public class Busy {
	    static long leaf(int n) { long x = 0; for (int i = 0; i < n; i++) x += (long)i * i % 7; return x; }
	    static long deep(int d, int n) { return d == 0 ? leaf(n) : deep(d - 1, n) + 1; }
	    public static void main(String[] a) {
	        long end = System.nanoTime() + (long)(Double.parseDouble(a[0]) * 1e9), sum = 0;
	        while (System.nanoTime() < end) sum += deep(30, 300);
	        System.exit(sum == 1 ? 1 : 0);
	    }
	}
	JAVA
}

# sampled KEY ACTION COMMAND...: KEY.ns of each sample by the kernel's statistics of the program, without those that the predicate
# rejects; KEY.frames of a stack, KEY.share of a CPU at 997 Hz, in per cent
sampled() {
	local key=$1 action=$2 pid file time=0 count=0 t n
	shift 2
	"$DTRACE" -qn "profile-997 /pid == \$target/ { @[$action] = count(); }" -o "$W/stacks" -c "$*" >"$W/out" 2>&1 </dev/null &
	pid=$!
	rm -f "$W/stacks"
	while kill -0 "$pid" 2>/dev/null; do
		t=0 n=0
		for file in /proc/$pid/fdinfo/*; do
			while read -r name v; do
				case $name in run_time_ns:) t=$((t + v)) ;; run_cnt:) n=$((n + v)) ;; esac
			done 2>/dev/null <"$file"
		done 2>/dev/null
		[[ $n -lt $count ]] || time=$t count=$n
		sleep 0.05
	done
	wait "$pid" || { complain "failed: $*"; return 1; }
	read -r samples frames < <(awk '/^ +[0-9]+$/ { n += $1; f += $1 * depth; depth = 0; next } NF { depth++ }
		END { print n + 0, n ? f / n : 0 }' "$W/stacks")
	[[ ${samples:-0} -ge 10 ]] || { complain "only ${samples:-0} samples of: $*"; return 1; }
	add "$key.ns" "$(calc "($time - ($count - $samples) * ${rejected:-0}) / $samples")"
	add "$key.frames" "$frames"
	add "$key.share" "$(calc "$time / $samples * 997 / 1e7")"
}

managed_row() { # LABEL KEY
	local j u
	record "$1: jstack, ns" dtrace "$2.jstack.ns"
	record "$1: ustack, ns" dtrace "$2.ustack.ns"
	record "$1: of a CPU, %" dtrace "$2.jstack.share" '' 1
	j=$(median "$2.jstack.ns") u=$(median "$2.ustack.ns")
	row "$1" "$(or_dash "$j")" "$(or_dash "$(median "$2.jstack.frames")")" "$(or_dash "$u")" "$(or_dash "$(median "$2.ustack.frames")")" \
		"$(ratio "$(calc "$j / $(median "$2.jstack.frames")")" "$(calc "$u / $(median "$2.ustack.frames")")")" 2 "$(or_dash "$(median "$2.jstack.share")")" 1
}

# From the start of dtrace to the first firing of a Java method's probe, with the VM attached to each time.
first_firings() { # COMMAND...
	local pid begin fired
	"$@" >"$W/out" 2>&1 &
	pid=$!
	sleep 1
	for _ in $(seq $(((ROUNDS + 1) / 2))); do
		begin=$(date +%s%N)
		fired=$("$DTRACE" -qn 'java$target:Busy:leaf:entry { printf("%d", walltimestamp); exit(0); }' -p "$pid" 2>"$W/out")
		[[ $fired ]] || { complain "no method fires: $(<"$W/out")"; break; }
		add java.first "$(calc "($fired - $begin) / 1e6")"
	done
	kill "$pid"
	wait "$pid" 2>/dev/null
	record 'Java method: start to first firing, ms' dtrace java.first
	note "From the start of \`dtrace\` to the first firing of a Java method: $(or_dash "$(median java.first)") ms."
}

bench_managed() {
	local seconds=3 python node java stats=/proc/sys/kernel/bpf_stats_enabled before key
	local -A command=()
	[[ $selftest == 0 ]] || seconds=1
	title 'Stacks of managed languages'
	python=$(type -P /usr/bin/python3 python3 | head -n 1) node=$(type -P node) java=$(type -P java)
	managed_programs
	[[ -z $python ]] || command[python]="$python -I $W/busy.py $seconds"
	[[ -z $node ]] || command[node]="$node $W/busy.js $seconds"
	if [[ -n $java ]] && type -P javac >/dev/null && javac -d "$W" "$W/Busy.java" >"$W/out" 2>&1; then
		command[java]="$java -XX:+UseSerialGC -cp $W Busy $seconds"
		command[interpreted]="$java -Xint -XX:+UseSerialGC -cp $W Busy $seconds"
	fi
	for key in python node java; do
		[[ -n ${command[$key]:-} ]] || leave_out "there is no $key"
	done
	before=$(<$stats)
	echo 1 >$stats || { leave_out "the kernel keeps no statistics"; return; }
	while another_round $(((ROUNDS + 1) / 2)); do
		for key in "${!command[@]}"; do
			sampled "$key.jstack" 'jstack(100)' ${command[$key]}
			sampled "$key.ustack" 'ustack(100)' ${command[$key]}
		done
	done
	echo "$before" >$stats
	note 'profile-997 of a busy process, a stack of all its frames as the key of a count, by the statistics that the kernel keeps of BPF programs:'
	{
		row '' 'jstack, ns' 'frames' 'ustack, ns' 'frames' 'a frame: jstack / ustack' 'at most' '% of a CPU' 'at most'
		for key in python node java; do
			[[ -z ${command[$key]:-} ]] || managed_row "$key" "$key"
		done
		[[ -z ${command[interpreted]:-} ]] || managed_row 'java -Xint' interpreted
	} | table
	[[ -z ${command[java]:-} ]] || first_firings "$java" -cp "$W" Busy 600
}
