#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Keys for which a map has no room are added up by dtrace: none is lost, also those that clocks update, that share a map,
# that clear() and trunc() take away, or that are kept for each CPU. Beyond aggmem they are dropped and counted.
# @timeout 60
. "$SRCDIR/tests/live/buffers/lib.sh"

keys=16000 # of each of two threads; the map has room for 15,000 or so, and the buffer for what does not fit
call='syscall::getppid:entry /pid == $target/'
key='arg1, strjoin("key ", lltostr(arg1))'

beyond() { # OPTION...
	run_trigger "values spread 2 $keys" -x strsize=256 --fail-on-drops "$@"
	quiet "$*"
}

sums() { awk 'NF { n++; for (i = 4; i <= NF; i++) sum[i] += $i } END { printf "%d", n; for (i = 4; i in sum; i++) printf " %d", sum[i]; print "" }' out.txt; }
each=$((keys * (keys - 1) / 2))

# more keys than there is room for: otherwise nothing below is tried
try -x strsize=256 -x aggsize=4m -c "$triggers/values spread 2 $keys" -n "$call { @[$key] = count(); }"
grep -q 'aggregation drop' err.txt || complain "there is room for all keys: $(<err.txt)"

beyond -n "$call { @[$key] = count(); @[$key] = count(); }"
expect "count()" "$(sums)" "$keys $((4 * keys))"
beyond -n "$call"' { this->n = arg1; @c['"$key"'] = count(); @a[arg1, strjoin("key ", lltostr(this->n))] = avg(2 * arg1 + arg0);
}
	END { printa("%d %s %@d %@d\n", @c, @a); }'
expect "functions" "$(sums)" "$keys $((2 * keys)) $((2 * each))"
beyond -n "$call"' { @l['"$key"'] = min(arg1 + arg0); @m['"$key"'] = max(arg1 - arg0); @s['"$key"'] = stddev(arg0 * 10); @t['"$key"'] = sum(arg1); }
	END { printa("%d %s %@d %@d %@d %@d\n", @l, @m, @s, @t); }'
expect "more functions" "$(sums)" "$keys $each $each $((5 * keys)) $((2 * each))"
beyond -n "${call%/} && arg1 < $((keys / 2))/ { @[$key] = quantize(arg0); }"
expect "buckets" "$(grep -c '@' out.txt) $(awk '/@/ { n += $NF } END { print n }' out.txt)" "$keys $keys"

# a clock updates it, so that the CPU is in the map's key
beyond -n "$call { @[$key] = count(); } tick-1ms { @[0, \"tick\"] = count(); }"
sed -i '/tick/d' out.txt
expect "with a clock" "$(sums)" "$keys $((2 * keys))"
beyond -x aggpercpu -n "$call { @[$key] = count(); }"
expect "for each CPU" "$(grep -cE '\[CPU' out.txt) $(grep -E '\[CPU' out.txt | awk '{ n += $NF } END { print n }')" "$((2 * keys)) $((2 * keys))"

# many of them share a map
clauses=''
for i in {1..70}; do
	clauses+=" @a$i[$key] = count();"
done
run_trigger "values spread 2 300" -x strsize=4k --fail-on-drops -n "$call {$clauses}"
expect "shared" "$(sums)" "21000 42000"

# what was emptied comes back with the updates after it, and with those alone
again="${call%/} && arg1 == $keys - 1 && ++done == 2/"
beyond -n "$call { @[$key] = count(); @low[$key] = min(arg1 + 5); @gone[$key] = sum(1); }
	$again { printa(\"%d %s %@d %@d %@d\n\", @, @low, @gone); clear(@); clear(@low); trunc(@gone); }
	END { printa(\"low %d %s %@d\n\", @low); printa(\"gone %d %s %@d\n\", @gone); printa(\"count %d %s %@d\n\", @); }"
expect "emptied" "$(awk '$1 ~ /^[0-9]/ { n++; count += $4 } END { print n, count }
	$1 == "low" && $NF == "9223372036854775807" { low++ } $1 == "count" && $NF == 0 { none++ } $1 == "gone" { gone++ }
	END { print low + 0, none + 0, gone + 0 }' out.txt | xargs)" "$keys $((2 * keys)) $keys $keys 0"
beyond -n "$call { @[$key] = sum(arg1); } END { trunc(@, 5); printa(@); trunc(@, -2); printa(@); }"
expect "the largest" "$(awk 'NF { print $1 }' out.txt | tr '\n' ' ')" "15995 15996 15997 15998 15999 15995 15996 "

run_trigger "values spread 2 $keys" -x strsize=256 -x aggmem=64k -n "$call { @[$key] = count(); }"
drops '([0-9]+) aggregation drops? on CPU [0-9]+'
expect "received and dropped" "$(sums | awk -v dropped="$dropped" '{ print $2 + dropped }')" $((2 * keys))
[[ $dropped -gt 0 ]] || complain "aggmem is no limit"
exit $bad
