#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each io:::start has its io:::done with the same arg0, place and size, also where the kernel makes one request of several.
# @ref providers 8 pairing; providers 8 start done; providers 18.5 b_bcount b_blkno
. "${0%/*}/../lib.sh"
can blockio fs try 4096

observe blockio fs big 8388608 <<'EOD'
int starts, dones, unequal;
long started, ended;

io:::start
/pid == $target && execname == "fswriter"/
{
	size[arg0] = args[0]->b_bcount + 1;
	place[arg0] = args[0]->b_blkno;
	starts++;
	started += args[0]->b_bcount;
}
io:::done
/size[arg0]/
{
	unequal += size[arg0] != args[0]->b_bcount + 1 || place[arg0] != args[0]->b_blkno;
	size[arg0] = 0;
	dones++;
	ended += args[0]->b_bcount;
}
END
{
	printf("%d %d %d %d %d\n", starts, dones, unequal, started, ended);
}
EOD
read -r starts dones unequal started ended <events.txt
[[ $starts -ge 4 && $started -ge 16777216 ]] || complain "$starts starts of $started bytes in all"
[[ $dones == "$starts" && $ended == "$started" ]] || complain "$dones done of $starts, $ended bytes of $started"
[[ $unequal == 0 ]] || complain "place or size unequal: $unequal"
exit $bad
