#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vminfo:::pgpgout, pgout, pgpgin and pgin: pages that go to the disk from the page cache and come from it.
# @ref providers 14 pgpgin pgpgout pgin pgout
. "${0%/*}/../lib.sh"
can blockio fs try 4096

observe blockio fs hello.txt 262144 <<'EOD'
vminfo:::pgpgin, vminfo:::pgpgout, vminfo:::pgin, vminfo:::pgout
/pid == $target && threadname == "fswriter"/
{
	@[probename] = sum(arg0);
}
END { printa("%s %@d\n", @); }
EOD
# the file's 64 pages, and the file system's own
for probe in pgpgin pgpgout; do
	n=$(sed -n "s/^$probe //p" events.txt)
	[[ ${n:-0} -ge 64 && ${n:-0} -le 80 ]] || complain "$probe ${n:-0}, not about 64"
done
for probe in pgin pgout; do
	n=$(sed -n "s/^$probe //p" events.txt)
	[[ ${n:-0} -ge 1 && ${n:-0} -le 80 ]] || complain "$probe ${n:-0}"
done
exit $bad
