#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A hostile process of another user that pretends to be a Java VM: root's files stay as they are, and dtrace ends in time, with
# a reason and with little memory. hostile.c has the attacks.
# @timeout 200
# @slow
command -v setpriv >/dev/null && command -v unshare >/dev/null || { echo "no setpriv or unshare"; exit 77; }
"$DTRACE" -e -n 'BEGIN' >/dev/null 2>&1 || { echo "dtrace does not work"; exit 77; }
uid=65432 # nobody's
dir=$(mktemp -d /tmp/java-hostile-XXXXXX) || exit 1
started=()
cleanup() {
	{ for p in "${started[@]}"; do kill -KILL "$p"; done; wait; } 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
scale=${TIMEOUT_SCALE:-1}
die() { echo "$*"; exit 1; }

${CC:-cc} -O1 -static -pthread -o "$dir/hostile" "$SRCDIR/tests/live/java/hostile.c" || { echo "cannot link a static program"; exit 77; }
chmod 755 "$dir" "$dir/hostile"
head -c 4096 "$dir/hostile" >"$dir/libjvm.so"

# until COMMAND...: it succeeds in time
until_true() {
	for _ in $(seq $((200 * scale))); do
		"$@" && return
		sleep 0.05
	done
	echo "waited in vain for: $*"
	return 1
}

# vm NAME ATTACK [TEXT]: the process $vm, in a mount namespace where its user owns /tmp. Its output is NAME.vm.
vm() {
	local name=$1
	shift
	[[ -d $dir/$name.tmp ]] || install -d -o $uid -g $uid "$dir/$name.tmp"
	# shellcheck disable=SC2016
	unshare --mount --propagation private sh -c 'cd "$1" && exec 3<. && mount --bind "$2" /tmp && cd /proc/self/fd/3 && shift 2 && exec "$@"' \
		sh "$dir" "${tmp:-$dir/$name.tmp}" setpriv --reuid $uid --regid $uid --clear-groups ./hostile "$@" >"$dir/$name.vm" 2>&1 &
	vm=$!
	started+=("$vm")
	until_true grep -qs ready "$dir/$name.vm"
}

end_vm() { { kill -KILL "$vm" && wait "$vm"; } 2>/dev/null || :; }

# trace NAME VM PROGRAM [COMMAND...]: dtrace by COMMAND, in supplementary groups; VM is a process, or a command. To NAME.result: its
# status, its milliseconds and its peak of memory in kB; its output is NAME.out.
trace() {
	local name=$1 vm=$2 program=$3 from peak=0 child key n status by=-p
	[[ $vm =~ ^[0-9]+$ ]] || by=-c
	shift 3
	from=$(date +%s%N)
	env --default-signal=INT,TERM timeout -k 5 $((60 * scale)) "$@" setpriv --groups 4,5,6 "$DTRACE" -q -n "$program" $by "$vm" >"$dir/$name.out" 2>&1 &
	tracer=$!
	while kill -0 "$tracer" 2>/dev/null; do
		read -r child _ <"/proc/$tracer/task/$tracer/children"
		while read -r key n _; do
			[[ $key != VmHWM: ]] || ((n <= peak)) || peak=$n
		done <"/proc/$child/status"
		sleep 0.1
	done 2>/dev/null
	wait "$tracer"
	status=$?
	echo "$status $((($(date +%s%N) - from) / 1000000)) $peak" >"$dir/$name.result"
}

program='java$target:A:m:entry { } tick-1s { exit(0); }'

# expect NAME SECONDS [TEXT]: dtrace has refused with TEXT, or without one ended well, in time, with little memory
expect() {
	local status ms peak
	read -r status ms peak <"$dir/$1.result" || die "$1: no result: $(cat "$dir/$1.vm" "$dir/$1.out")"
	[[ $status == "$([[ ${3-} ]] && echo 1 || echo 0)" ]] || { cat "$dir/$1.out"; die "$1: status $status after $ms ms"; }
	grep -qF -- "${3-}" "$dir/$1.out" || [[ ! ${3-} ]] || { cat "$dir/$1.out"; die "$1: no message: $3"; }
	((ms < $2 * 1000 * scale)) || die "$1: $ms ms"
	((peak < 400000)) || die "$1: $peak kB of memory"
}

# apart COMMAND...: in the background; its processes end with it
attacks=()
apart() {
	(
		started=()
		trap 'for p in "${started[@]}"; do kill -KILL "$p"; done 2>/dev/null' EXIT
		"$@"
	) &
	attacks+=($!)
	started+=($!)
}
all_ended() {
	local p
	for p in "${attacks[@]}"; do wait "$p" || failed=1; done
	attacks=()
	[[ ! ${failed-} ]] || exit 1
}
vm_and_trace() { vm "$@" && trace "$1" "$vm" "$program"; }
attack() { apart vm_and_trace "$@"; } # NAME ATTACK [TEXT]

# ---- files of root ----

# unchanged COMMAND...: it leaves root's files as they are
facts() { stat -c '%n %a %u %g %h %s %y %z' "$dir"/root "$dir"/root/*; }
unchanged() {
	local before
	before=$(facts)
	"$@"
	[[ $(facts) == "$before" ]] || { diff <(echo "$before") <(facts); die "files of root are changed: $*"; }
}
mkdir "$dir/root" && echo secret >"$dir/root/file" && chmod 755 "$dir/root" && chmod 666 "$dir/root/file" || exit 1

# exchanged ATTACK: something else is in the place of a file of dtrace, which strace(1) makes slow; a link that is opened hangs
slow=bind,fchmod,fchmodat,fchown,fchownat,chmod,chown
exchanged() {
	local file=$dir/root/file # which a link to leads to, in our root folder
	if [[ $1 == hardlink ]]; then # of the same mount
		file=/tmp/victim
		install -d -o $uid -g $uid "$dir/$1.tmp"
		install -m 666 /dev/null "$dir/$1.tmp/victim"
	fi
	vm "$1" "$1" "$file" || die "$1: $(cat "$dir/$1.vm")"
	trace "$1" "$vm" "$program" strace -f -qq -o /dev/null -e "trace=$slow" -e "inject=$slow:delay_exit=200000"
	grep -q exchanged "$dir/$1.vm" || die "$1: dtrace was too fast"
	read -r status ms _ <"$dir/$1.result"
	((status <= 1 && ms < 20000 * scale)) || { cat "$dir/$1.out"; die "$1: status $status after $ms ms"; }
	end_vm
}
if command -v strace >/dev/null; then
	exchanges() {
		for a in link hardlink fifo; do apart exchanged $a; done
		all_ended
	}
	unchanged exchanges
	[[ $(stat -c '%a %u %g' "$dir/hardlink.tmp/victim") == "666 0 0" ]] || die "hardlink: $(stat -c '%a %u %g' "$dir/hardlink.tmp/victim")"
else
	echo "without strace: not all is tried"
fi

# /tmp is a folder of root's, and a link into our root folder from another one
in_folder() { tmp=$dir/root vm folder "" && trace folder "$vm" "$program"; end_vm; }
unchanged in_folder
expect folder 5 "has a /tmp that the agent cannot be written to"
in_link() {
	mkdir "$dir/jail" && cp "$dir/hostile" "$dir/libjvm.so" "$dir/jail" && ln -s "$dir/root" "$dir/jail/tmp" || exit 1
	chroot "$dir/jail" /hostile "" >"$dir/jailed.vm" 2>&1 &
	vm=$!
	started+=("$vm")
	until_true grep -qs ready "$dir/jailed.vm" && trace jailed "$vm" "$program"
	end_vm
}
unchanged in_link
expect jailed 5 "has no folder /tmp, which may not be a link"

# ---- answers ----

texts=("(I" ")" "()" "" "I" "(La)V" "(L;)V" "([)V" "()[" "(I)VV" "(V)V" "(\`)V" $'(\xff)V' "(a)a" "(I)" "($(printf '[%.0s' {1..300})I)V"
	"($(printf 'I%.0s' {1..300}))V" "(Ljava/lang/String)V")
for i in "${!texts[@]}"; do
	attack "descriptor$i" descriptor "${texts[i]}"
done
attack good descriptor "(I[[Ljava/lang/String;J)[D"
answers=("" "1" $'0\nreturn code: 99999999999999999999\n' $'0\nreturn code: x' "return code: 4" "$(printf 'x%.0s' {1..2000})")
for i in "${!answers[@]}"; do attack "answer$i" answer "${answers[i]}"; done
all_ended
for i in "${!texts[@]}"; do expect "descriptor$i" 20 "its agent says what is no method"; done
expect good 20
for i in "${!answers[@]}"; do expect "answer$i" 20 "does not load the agent: "; done

# ---- time and memory ----

# all at once: they wait for a deadline
for a in slow silent no-listener full-queue no-answer drip-answer no-connection no-word stop late end-drip end-silent; do
	[[ $a == stop ]] && uid=65433 # it stops what its user has
	attack $a $a
	uid=65432
done
all_ended
# one after the other: they keep a CPU busy
for a in endless-line endless-methods one-class events end-flood; do
	vm $a $a && trace $a "$vm" "$program"
	end_vm
done
expect endless-line 15 "its agent says a line that is too long"
expect endless-methods 40 "its agent tells of too many methods"
expect one-class 40
expect slow 40 "its agent takes too long to answer"
expect silent 40 "its agent takes too long to answer"
expect no-listener 30 "does not answer its attach mechanism"
expect full-queue 30 "refuses connections at its attach mechanism"
expect no-answer 30 "does not say that it has loaded the agent"
expect drip-answer 30 "does not say that it has loaded the agent"
expect no-connection 30 "which does not connect"
expect no-word 30 "its agent takes too long to answer"
expect stop 30 "takes too long to load an agent"
for a in events late end-flood end-drip end-silent; do expect $a 20; done
grep -q 'stopped a process: Groups:[[:space:]]*$' "$dir/stop.vm" || { cat "$dir/stop.vm"; die "dtrace's process was not stopped, or has groups"; }
none_left() { [[ -z $(pgrep -u 65432,65433 -x dtrace) ]]; }
until_true none_left || die "a process of dtrace is left"

# ---- the end that the user asks for ----

# ended NAME VM: SIGTERM once dtrace waits
ended() {
	local tracing from status ms child p
	# shellcheck disable=SC2016
	trace "$1" "$2" 'java$target:A:m:entry { } BEGIN { printf("begun\n"); }' &
	tracing=$!
	until_true grep -qs begun "$dir/$1.out" || { cat "$dir/$1.out"; die "$1: not begun"; }
	sleep 1.5 # it waits for the VM now
	from=$(date +%s%N)
	for p in $(<"/proc/$tracing/task/$tracing/children"); do
		child=$(<"/proc/$p/task/$p/children") child=${child%% *}
		[[ ! $child || $(<"/proc/$child/comm") != dtrace ]] || kill -TERM "$child"
	done
	wait "$tracing"
	ms=$((($(date +%s%N) - from) / 1000000))
	((ms < 4000 * scale)) || die "$1: $ms ms after SIGTERM" # one second, on an idle machine
	read -r status _ <"$dir/$1.result"
	[[ $status == 0 ]] || { cat "$dir/$1.out"; die "$1: status $status"; }
}
for a in late end-flood events; do
	vm term-$a $a && ended term-$a "$vm"
	end_vm
done
# a VM that starts while tracing: the agent is loaded then
install -d -o $uid -g $uid "$dir/started.tmp"
cat >"$dir/start" <<END
#!/bin/sh
echo \$\$ >$dir/started.pid
cd $dir && exec 3<. && exec unshare --mount --propagation private sh -c 'mount --bind $dir/started.tmp /tmp && cd /proc/self/fd/3 &&
	exec setpriv --reuid $uid --regid $uid --clear-groups ./hostile no-answer'
END
chmod 755 "$dir/start"
ended started "$dir/start"
kill -KILL "$(cat "$dir/started.pid")" 2>/dev/null
grep -q ready "$dir/started.out" || die "not started: $(cat "$dir/started.out")"
exit 0
