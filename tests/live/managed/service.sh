#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A flame graph of a web service (node) that asks a database (PostgreSQL): its JavaScript, node's C++ and the kernel are in one
# picture, and in one stack.
# @timeout 180
# @needs node curl
# @vm no: a database server takes long there
set -u
for bin in /usr/lib/postgresql/*/bin; do :; done
[[ -x $bin/postgres && -x $bin/initdb && -x $bin/psql ]] || { echo "no PostgreSQL"; exit 77; }
# where another user gets to
dir=$(mktemp -d -p /tmp) && chmod 755 "$dir" && chown nobody "$dir" || exit 1
other=(setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$dir" LC_ALL=C "PGHOST=$dir" PGUSER=pg)
cd "$dir" || exit 1
pids=()
finish() {
	local pid
	for pid in "${pids[@]}"; do kill -INT "$pid" 2>/dev/null; done
	wait
	cd /
	rm -rf "${dir:?}"
}
trap finish EXIT
"${other[@]}" "$bin/initdb" -D data -U pg -A trust --no-sync >init.log 2>&1 || { cat init.log; exit 1; }
"${other[@]}" "$bin/postgres" -D data -k "$dir" -c listen_addresses= -c fsync=off -c autovacuum=off >server.log 2>&1 &
pids+=($!)
for ((i = 0; i < 200; i++)); do "${other[@]}" "$bin/psql" -Atc 'select 1' postgres >/dev/null 2>&1 && break; sleep 0.1; done

node "$SRCDIR/tests/live/managed/service.js" "$dir/.s.PGSQL.5432" >port 2>service.err &
service=$!
pids+=("$service")
for ((i = 0; i < 200; i++)); do [[ -s port ]] && break; sleep 0.1; done
[[ -s port ]] || { echo "the service does not run"; cat service.err; exit 1; }
url=http://127.0.0.1:$(<port)/
curl -s "$url" | grep -q '<td>pg_class_oid_index</td>' || { echo "no answer"; cat service.err server.log; exit 1; }
(trap - EXIT; while curl -s "$url" >/dev/null; do :; done) &
pids+=($!)

# JavaScript is compiled while it runs: some thousand requests on, as in a service that runs
"$DTRACE" -qn '
	profile-997 /pid == $target/ { @["on"] = count(); @stacks[stack(), jstack()] = count(); n++; }
	tick-100ms /n >= 1500/ { trunc(@); exit(0); }
	tick-60s { exit(0); }' -x ustackframes=100 -p "$service" --output=json:saved.json 2>trace.err || { cat trace.err; exit 1; }
"$DTRACE" --view=saved.json --output=folded:folded && "$DTRACE" --view=saved.json --output=flamegraph:picture.svg || exit 1
for what in 'renderRows (service.js)' 'node`uv_run' 'vmlinux`'; do
	grep -qF "$what" folded || { echo "no stack has $what:"; cut -c1-300 folded | head -n 5; exit 1; }
done
# a request's end writes to the socket: the kernel below C++ below JavaScript
grep -F '(service.js)' folded | grep -F 'node`uv_' | grep -qF 'vmlinux`' || { echo "no stack has all three"; exit 1; }
# nearly all of what runs below JavaScript has a name
awk '{ n += $NF } /<unknown js function>/ { unknown += $NF } END { exit !(n >= 1000 && unknown <= n / 20) }' folded ||
	{ echo "frames without a name:"; grep -c unknown folded; head -n 3 trace.err; exit 1; }
for what in renderRows uv_run do_syscall_64; do
	grep -qF "$what" picture.svg || { echo "the picture does not have $what"; exit 1; }
done
for kind in kernel program jit; do
	grep -q "class=\"$kind\"" picture.svg || { echo "no frame is $kind"; grep -o 'class="[a-z]*"' picture.svg | sort | uniq -c; exit 1; }
done
