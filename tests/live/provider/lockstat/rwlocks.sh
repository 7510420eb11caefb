#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lockstat:::rw-acquire and rw-release: a directory's lock, by readers and by writers, also those that had to wait, as
# often taken as given back.
# @ref providers 12 rw-acquire rw-release
. "${0%/*}/../lib.sh"
listed lockstat:::rw-acquire || { echo "no lockstat:::rw-acquire here"; exit 77; }
can locks rwsem 1 1

observe locks rwsem 5 3 <<'EOD'
lockstat:::rw-block /pid == $target && threadname == "waiter"/ { @block[arg0] = count(); }
lockstat:::rw-acquire /pid == $target/ { @acquire[arg0, (int)arg1] = count(); }
lockstat:::rw-release /pid == $target/ { @release[arg0, (int)arg1] = count(); }
END
{
	printa("block %x %@d\n", @block);
	printa("acquire %x %d %@d\n", @acquire);
	printa("release %x %d %@d\n", @release);
}
EOD
# the lock that a writer and a reader waited for, each time
read -r _ lock n < <(grep ^block events.txt)
[[ ${n:-0} == 10 && $(grep -c ^block events.txt) == 1 ]] || complain "$(grep ^block events.txt || echo no block)"
for how in 0 1; do
	n=$(sed -n "s/^acquire $lock $how //p" events.txt)
	m=$(sed -n "s/^release $lock $how //p" events.txt)
	# two who read, or one who makes a folder and one who removes it, each time
	[[ ${n:-0} -ge 10 && $n == "$m" ]] || complain "as $how: acquired ${n:-0} times, released ${m:-0}"
done
exit $bad
