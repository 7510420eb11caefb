#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An interrupt that makes 21 new keys loses none, though the map is so large that it is not allocated in advance; and a map
# has no more elements than 2^20 a CPU, however large aggsize is, because reading goes through all of them.
# @ref options 5.2 new-keys-only
. "$SRCDIR/tests/live/buffers/lib.sh"

clauses='' # 21 keys each time
for ((i = 0; i < 21; i++)); do clauses+="@[timestamp, $i] = count(); "; done
cpus=$(getconf _NPROCESSORS_CONF)

# The elements of each hash that dtrace has made; it runs this as -c.
cat >maps.sh <<'EOS'
#!/bin/bash
cat /proc/$PPID/fdinfo/* 2>/dev/null | awk '/^map_type:/ { hash = $2 == 1 } /^max_entries:/ && hash { print $2 }' >maps.txt
sleep 2
EOS
chmod +x maps.sh
for size in 64m 512m; do
	"$DTRACE" -q -x aggsize=$size -n "profile-97 { $clauses @n = count(); } END { trunc(@, 1); }" -c ./maps.sh >out.txt 2>err.txt ||
		complain "status $?"
	expect "messages with $size" "$(grep -v 'missed firing' err.txt)" ""
	[[ $(awk 'NF == 1 { print $1 }' out.txt) -ge 10 ]] || complain "few firings: $(<out.txt)"
	expect "maps of $size with too many or no elements" "$(awk '$1 > m || $1 < 2 { print } END { if (!NR) print "none" }' m=$((cpus << 20)) maps.txt)" ""
done
exit $bad
