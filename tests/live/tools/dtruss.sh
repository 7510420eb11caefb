#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dtruss prints a process's system calls as strace(1) does, line for line; -e one of them, -c how many, -f those of its
# children, -n those of a name, and none of others.
. "${0%/*}/lib.sh"
command -v strace >/dev/null || { echo "needs strace"; exit 77; }
# dtruss prints what strace 6.1 to 6.13 print; later ones print other calls differently
read -r major minor < <(strace -V | sed -nE '1s/.*version ([0-9]+)\.([0-9]+).*/\1 \2/p')
((major < 7 && (major < 6 || minor <= 13))) || { echo "needs strace 6.13 or older; this is $major.$minor"; exit 77; }
triggers=$BUILD/tests/live/triggers

# Starts WORD... in a shell that waits for when_tracing, and becomes it; its pid is $waiting.
start_waiting() { # WORD...
	rm -f go out.txt out.json
	mkfifo go
	bash -c 'read -r _ <go; exec "$@"' bash "$@" >said.txt 2>&1 &
	waiting=$!
	exec 9>go
	(when_tracing 600; echo >&9) &
}
dtruss() { # WORD...
	try "$DTRACE" --tool dtruss "$@" 9>&-
	wait
	exec 9>&-
}
# What differs between two runs: addresses, in a field of the same width, numbers of processes, times, random bytes. A
# number of a process may have another number of digits, so its line loses the padding before the result.
same_form() {
	# strace says of TCSETS that it can be a request to a sound card
	# strace 6.12 and later print the data of epoll as one number
	sed -E 's/data=0x5\b/data={u32=5, u64=5}/; s/data=0x1234\b/data={u32=4660, u64=4660}/
		s/0x[0-9a-f]{9,12}/0xADDRESSADDR/g; s/SNDCTL_TMR_START or //; s/(ru_.time=\{)[^}]*/\1TIME/g; s/(si_.time=)[0-9]+( \/\* [0-9.]+ s \*\/)?/\1N/g
		s/(left \{tv_sec=)[^}]*/\1TIME/; s/(tv_sec=4, tv_nsec=)[0-9]+\}/\1N}/; s/htons\([0-9]{4,}\)/htons(PORT)/
		s/(getrandom\()[^,]+, 8/\1BYTES, 8/
		/^(getp?.*p?g?id|set_tid_address|kill|tgkill|wait|clone|rt_sigtimedwait)|si_pid/ { s/\b[0-9]{2,}\b/PID/g; s/ +(= [^=]*)$/ \1/; }'
}
# The lines from the first getppid() of a trigger, which is executed by a shell.
of_trigger() { sed -n "/^execve(.*\/$1\"/,\$p" | sed -n '/^getppid/,$p'; } # TRIGGER
# Compares all lines from the first getppid() to the end of the process, in a folder that is made anew.
expect_strace() { # TRIGGER LEAST MOST
	local run=(bash -c "rm -rf made; mkdir made; cd made; exec '$triggers/$1'")

	bash -c 'exec "$@"' bash strace -o "$PWD/strace.txt" "${run[@]}" >said.txt 2>&1 & # SIGINT is ignored there, as below
	wait $! || :
	of_trigger "$1" <strace.txt | same_form >wanted.txt
	expect_between "lines of strace" "$(wc -l <wanted.txt)" "$2" "$3"
	start_waiting "${run[@]}"
	dtruss -p "$waiting"
	expect_status 0 # it ends with the process
	expect_err ""
	expect_match stdout "$out" '^SYSCALL\(args\) = return
'
	of_trigger "$1" <<<"$out" | sed '/^$/d' | same_form >got."$1"
	diff wanted.txt got."$1" >diff.txt || complain "$1, strace <, dtruss >: $(head -20 diff.txt)"
}

expect_strace syscalls 60 80
expect_strace syscalls_structs 150 250
expect_strace syscalls_more 60 75

# one call; its count and that of strace -c
start_waiting "$triggers/syscalls"
dtruss -p "$waiting" -e lseek
expect_text "lseek" "$(tail -n +2 <<<"$out" | sed '/^$/d')" "$(grep '^lseek' got.syscalls)"
start_waiting "$triggers/calls" getppid 1234
dtruss -p "$waiting" -c
expect_status 0
expect_text "calls, errors" "$(awk '$1 == "getppid" { print $2, $3, ($4 > 0), ($5 <= $4) }' <<<"$out")" "1234 0 1 1"
start_waiting "$triggers/calls" getppid 100
dtruss -p "$waiting" -e getppid --output=json:out.json
expect_text "JSON" "$(jq -s '[.. | strings | select(startswith("getppid()"))] | length' out.json)" 100

# children, from then on; without -f they are left out
start_waiting bash -c "'$triggers/calls' getppid 7; '$triggers/calls' getppid 5; exit 0"
dtruss -p "$waiting" -f -e getppid -d 3
expect_text "of two children" "$(grep getppid <<<"$out" | sort | uniq -c | awk '$2 != w { print $1, 1 }' w="$waiting/$waiting" | sort)" $'5 1\n7 1'
start_waiting bash -c "'$triggers/calls' getppid 7; exit 0"
dtruss -p "$waiting" -e getppid
expect_between "calls without -f, the shell's" "$(grep -c getppid <<<"$out")" 0 6
# by name
cp "$triggers/calls" dtrussed
start_waiting bash -c "'$triggers/calls' getppid 7; ./dtrussed getppid 9"
dtruss -n dtrussed -e getppid -d 3
expect_text "by name" "$(grep -c 'getppid() *= [0-9]' <<<"$out")" 9
# a command
try "$DTRACE" -c "$triggers/calls getppid 3" -s "$SRCDIR/tools/dtruss.d" -e getppid
expect_text "of a command" "$(grep -c 'getppid() *= [0-9]' <<<"$out")" 3
# a SIGKILL has no siginfo where it ends a process
try "$DTRACE" -c "/usr/bin/python3 -c 'import os; os.kill(os.getpid(), 9)'" -s "$SRCDIR/tools/dtruss.d" -f
expect_text "errors" "$(grep error <<<"$err")" ""
expect_match stdout "$out" 'killed by SIGKILL '
[[ $out != *"--- SIGKILL"* ]] || complain "strace shows no such line"
# one that has ended, though its parent has not heard of it; and one that ends before a probe sees it
python3 -c 'import os, time; pid = os.fork() or os._exit(0); print(pid, flush=True); time.sleep(60)' >ended.txt &
parent=$!
until [[ -s ended.txt ]]; do sleep .05; done
read -r ended <ended.txt
until read -r _ _ state _ <"/proc/$ended/stat" && [[ $state == Z ]]; do sleep .05; done
tool dtruss -p "$ended"
expect_status 2
expect_err "dtrace: $SRCDIR/tools/dtruss.d: -p: there is no process $ended
"
kill $parent
for ((i = 0; i < 10; i++)); do
	sleep .01 & # it ends while dtrace starts, or before
	try timeout 60 "$DTRACE" --tool dtruss -p $!
	[[ $status == [02] ]] || complain "status $status of a process that ends: $err"
done
tool dtruss -h
expect_match stdout "$out" '^dtruss: '
finish
