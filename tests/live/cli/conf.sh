#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# /etc/dtrace.conf limits users other than root (docs/dtrace.conf.5): each limit of src/session/limits.def, what is wrong with the
# file, and who may change it. Each dtrace here has an /etc of its own, in a mount namespace.
# @timeout 120
# @needs setcap
# @vm no: the command and its limits, the kernel has no part in them
set -u
. "${0%/*}/lib.sh"

lent=$(mktemp -d /tmp/dtrace-conf.XXXXXX)
trap 'rm -rf "$lent"' EXIT
chmod 755 "$lent"
install -m 755 "$DTRACE" "$lent/dtrace"
install -m 755 "$BUILD/tests/live/pid/work" "$lent/work"
setcap cap_bpf,cap_perfmon+ep "$lent/dtrace" 2>/dev/null || { echo "skip: no file capabilities in /tmp"; exit 77; }
mkdir "$lent/etc"
cp -a /etc/ld.so.cache /etc/passwd "$lent/etc"

# What a user runs, or root; $lent/etc is their /etc.
as_user() {
	try unshare -m bash -c 'mount --bind "$0/etc" /etc && exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all "$@"' "$lent" "$@"
}
as_root() { try unshare -m bash -c 'mount --bind "$0/etc" /etc && exec "$@"' "$lent" "$lent/dtrace" "$@"; }
traces() { as_user timeout --foreground 20 "$lent/dtrace" -xnolibs "$@"; }

write() { printf '%b' "$1" >"$lent/etc/dtrace.conf"; }
limit() { write "[limits]\n$1\n"; }
began="dtrace: could not enable tracing"

as_user "$lent/dtrace" -xnolibs -qn 'BEGIN { exit(0); }'
[[ $status == 0 ]] || { echo "skip: file capabilities do not suffice to trace here: $err"; exit 77; }

# ---- each limit: what it refuses, and what is within it
within() {
	traces "$@"
	expect_status 0
	expect_err ""
}
refused_about() { # REGEX ARGUMENTS...
	local message=$1
	shift
	traces "$@"
	expect_status 1
	expect_match stderr "$err" "^dtrace: $message"$'\n$'
	as_root -xnolibs "$@"
	expect_status 0
	[[ $err != *dtrace.conf* ]] || complain "root is limited: $err"
}

check_destructive() {
	local why="could not enable tracing: Destructive actions not allowed: /etc/dtrace.conf:2 forbids them"
	limit 'destructive = no'
	refused_about "$why" -wqn 'BEGIN { raise(0); exit(0); }'
	refused_about "$why" -qn '#pragma D option destructive
		BEGIN { system("true"); exit(0); }'
	within -qn 'BEGIN { exit(0); }'
	limit 'destructive = yes'
	within -wqn 'BEGIN { raise(0); exit(0); }'
}

check_memory() {
	# the record buffer alone takes 4 MB for each CPU
	local recording='tick-5ms { printf("recorded"); exit(0); }'
	local program='profile-997 { @[execname] = count(); @stack[ustack()] = count(); x[pid] = 1; } '$recording
	limit 'memory = 64k'
	refused_about "could not enable tracing: buffers and maps can take [0-9]+[km], and /etc/dtrace.conf:2 allows 64k" -qn "$program"
	limit 'memory = 3m'
	refused_about "could not enable tracing: buffers and maps can take [0-9]+[km], and /etc/dtrace.conf:2 allows 3m" \
		-x bufresize=manual -qn "$recording"
	traces -qn "$recording"
	expect_status 0
	expect_match stderr "$err" $'^dtrace: buffer size lowered to [0-9]+[km]\n'
	[[ $err != *aggregation* ]] || complain "the size of unused aggregations is lowered: $err"
	expect_match stdout "$out" recorded
	traces -x quietresize -qn "$recording"
	expect_err ""
	# so is what takes memory only as it comes to need it
	limit 'memory = 48m'
	traces -qn "$program"
	expect_status 0
	expect_match stderr "$err" $'\ndtrace: size of the tables for user stacks lowered to [0-9]+m\n'
	limit 'memory = 1g'
	within -qn "$program"
}

check_probes() {
	local late
	limit 'probes = 2'
	within -qn 'syscall:::entry, syscall:::return { n++; } BEGIN { exit(0); } END { n++; }'
	refused_about "could not enable tracing: the program attaches to 3 places, and /etc/dtrace.conf:2 allows 2" \
		-qn 'syscall:::entry, syscall:::return, tick-5ms { exit(0); }'
	# a library that is loaded while it is traced: there is room for one probe of it
	late='probes that come from now on are not enabled: /etc/dtrace.conf:2 allows 2 places'
	# shellcheck disable=SC2016
	traces -Zqn 'pid$target:a.out:add:entry, pid$target:libz:compressBound:entry, pid$target:libz:compressBound:return { @ = count(); }' \
		-c "$lent/work add 1 library 3"
	expect_match stderr "$err" "^dtrace: $late"$'\n'
	expect_status 0
	limit 'probes = 2'
	# shellcheck disable=SC2016
	traces -Zqn 'pid$target:a.out:add:entry, pid$target:libz:compressBound:entry { @ = count(); }' -c "$lent/work add 1 library 3"
	[[ $err != *allows* ]] || complain "one is too many: $err"
	# a process that has ended gives its place back
	limit 'probes = 1'
	printf '%s\n' "for i in 1 2 3; do $lent/work signalled 1; sleep 0.5; done" >"$lent/three"
	# shellcheck disable=SC2016
	traces -Zwq --follow -xfollowlate -n 'pid$target:work:tick:entry /!told[pid]/ { told[pid] = 1; raise(10); printf("child "); }' -c "sh $lent/three"
	expect_out $'child child child \n'
	[[ $err != *allows* ]] || complain "processes that have ended have places: $err"
	limit 'probes = 0'
	within -qn 'BEGIN { exit(0); }'
}

check_providers() {
	local why='does not match any probes: /etc/dtrace.conf:2 does not allow provider'
	limit 'providers = syscall profile'
	within -qn 'syscall:::entry, tick-5ms { exit(0); }'
	refused_about "invalid probe specifier rawtp:::sched_switch .*: probe description rawtp:::sched_switch $why rawtp" \
		-qn 'rawtp:::sched_switch { exit(0); }'
	# shellcheck disable=SC2016
	refused_about "invalid probe specifier pid.*: probe description pid[0-9]+:a.out:add:entry $why pid" \
		-qn 'pid$target:a.out:add:entry { exit(0); }' -c "$lent/work add 1"
	traces -l
	expect_text providers "$(awk 'NR > 1 && NF { print $2 }' <<<"$out" | sort -u | tr '\n' ' ')" "dtrace profile syscall "
	expect_match stderr "$err" "no probes of provider fbt: /etc/dtrace.conf:2 does not allow provider fbt"
	as_user "$lent/dtrace" --doctor
	expect_match doctor "$out" $'\nrawtp +0 +missing +/etc/dtrace.conf:2 does not allow provider rawtp\n'
}

check_overhead() {
	# the kernel measures for root alone
	limit 'overhead = 5%'
	traces -qn 'tick-5ms { exit(0); }'
	expect_status 1
	expect_match stderr "$err" $'^dtrace: could not enable tracing: /etc/dtrace.conf:2 cannot be kept: it takes CAP_SYS_ADMIN.*\n$'
	as_root -xnolibs -qn 'tick-5ms { exit(0); }'
	expect_status 0
	as_root -xnolibs --limit=overhead=100% -qn 'tick-5ms { exit(0); }'
	expect_status 0
	# governor.sh shows that it ends tracing
}

check_rate() {
	local rows='tick-20ms { @[x++] = count(); } tick-3s { exit(0); }'
	# the spool of another user's cannot be chosen with privileges that were lent
	as_root -xnolibs --limit=rate=10 -x spool="$lent/spool" -x sendlimit=100ms --output=clickhouse:http://127.0.0.1:1/ -qn "$rows"
	expect_status 1
	expect_match stderr "$err" $'dtrace: processing aborted: there are more rows a second than limit rate allows\n'
	as_root -xnolibs --limit=rate=1000 -x spool="$lent/spool" -x sendlimit=100ms --output=clickhouse:http://127.0.0.1:1/ -qn "$rows"
	expect_status 0
	limit 'rate = 10'
	within -qn 'tick-5ms { exit(0); }'
	rm -rf "$lent/spool"
}

for name in $(sed -nE 's/^LIMIT\(([a-z]+),.*/\1/p' "$SRCDIR/src/session/limits.def"); do
	"check_$name" || complain "no check of limit $name"
done

# ---- --limit is one more place to set them
limit 'probes = 2'
traces --limit=probes=3 -qn 'BEGIN { exit(0); }'
expect_err $'dtrace: failed to set --limit=probes=3: limit probes is set already, by /etc/dtrace.conf:2\n'
as_root -xnolibs --limit=providers=profile -ln syscall::read:entry
expect_match stderr "$err" "--limit does not allow provider syscall"
as_root -xnolibs --limit=probes=none -qn 'BEGIN { exit(0); }'
expect_err $'dtrace: failed to set --limit=probes=none: \'none\' is no value of limit probes, which takes number\n'
as_root --limit=probes -qn 'BEGIN { exit(0); }'
expect_status 2
expect_err $'dtrace: --limit=probes: it takes NAME=VALUE, as memory=64m\n'

# ---- syntax
# shellcheck disable=SC2016
write '# tracing\n\n  [limits]  # for others than root\r\n\tproviders=profile\tsyscall   # no others\nprobes =2'
within -qn 'tick-5ms { exit(0); }'
wrong() { # LINE MESSAGE TEXT
	write "$3"
	traces -qn 'BEGIN { exit(0); }'
	expect_status 1
	expect_out ""
	expect_err "dtrace: /etc/dtrace.conf:$1: $2"$'\n'
}
wrong 2 "there is no limit 'probez'; did you mean 'probes'?" '[limits]\nprobez = 2\n'
wrong 2 "there is no limit 'Probes'; did you mean 'probes'?" '[limits]\nProbes = 2\n'
wrong 2 "there is no limit ''" '[limits]\n= 2\n'
wrong 3 "limit probes is set already, by /etc/dtrace.conf:2" '[limits]\nprobes = 2\nprobes = 2\n'
wrong 1 "there is no section [fleet]" '[fleet]\nprobes = 2\n'
wrong 1 "a section has to come first: [limits]" 'probes = 2\n[limits]\n'
wrong 4 "expected KEY = VALUE or [SECTION]: probes 2" '\n[limits]\n\nprobes 2'
wrong 2 "there is no provider 'sycall'; did you mean 'syscall'?" '[limits]\nproviders = profile sycall\n'
for value in "" -1 1x 0x10 "1 2" 99999999999999999999; do
	wrong 2 "'$value' is no value of limit probes, which takes number" "[limits]\nprobes = $value\n"
done
wrong 2 "'64q' is no value of limit memory, which takes size" '[limits]\nmemory = 64q\n'
wrong 2 "'No' is no value of limit destructive, which takes yes or no" '[limits]\ndestructive = No\n'
wrong 2 "'' is no value of limit providers, which takes names" '[limits]\nproviders =\n'
write '[limits]\nprobes = \0 2\n'
traces -qn 'BEGIN { exit(0); }'
expect_err_line "dtrace: /etc/dtrace.conf:2: a NUL character"
# it ends all that traces
for mode in -l -e; do
	traces $mode -n BEGIN
	expect_status 1
done

# ---- who may write it
file=$lent/etc/dtrace.conf
distrusted() { # MESSAGE
	traces -qn 'BEGIN { exit(0); }'
	expect_status 1
	expect_err "dtrace: failed to read /etc/dtrace.conf: $1"$'\n'
	as_root -xnolibs -qn 'BEGIN { exit(0); }'
	expect_status 0
	rm -r "$file"
	limit 'probes = 5'
}
rm "$file"
limit 'probes = 5'
within -qn 'BEGIN { exit(0); }'
chmod 664 "$file"
distrusted "others than root may write to it"
chmod 646 "$file"
distrusted "others than root may write to it"
chown 65534 "$file"
distrusted "it does not belong to root"
chmod 600 "$file"
distrusted "Permission denied"
rm "$file"
mkfifo -m 644 "$file"
distrusted "it is not a regular file"
rm "$file"
mkdir -m 755 "$file"
distrusted "it is not a regular file"
# a link to a file of root's is as good as the file
mv "$file" "$lent/etc/dtrace.limits"
ln -s dtrace.limits "$file"
limit 'providers = profile'
traces -ln 'syscall::read:entry'
expect_match stderr "$err" "/etc/dtrace.conf:2 does not allow provider syscall"

# ---- no way around it: capabilities from elsewhere; an /etc of the user's own, in which the file has no capabilities
as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
try unshare -m bash -c 'mount --bind "$0/etc" /etc && exec "$@"' "$lent" "${as_nobody[@]}" --inh-caps +bpf,+perfmon --ambient-caps +bpf,+perfmon \
	"$DTRACE" -xnolibs -ln 'syscall::read:entry'
expect_match stderr "$err" "/etc/dtrace.conf:2 does not allow provider syscall"
# shellcheck disable=SC2016
as_user unshare -Urm bash -c 'mount -t tmpfs none /etc && exec "$0" -xnolibs -qn "BEGIN { exit(0); }"' "$lent/dtrace"
[[ $err == unshare:* ]] || expect_match stderr "$err" "(this process may not trace the kernel|bpf[(]2[)] is refused in a user namespace)"
[[ $status != 0 ]] || complain "a user has an /etc of their own"
finish
