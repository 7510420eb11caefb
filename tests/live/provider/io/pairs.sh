#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each io:::start has its io:::done with the same arg0, place and size, also where the kernel makes one request of several.
# @ref providers 8 pairing; providers 8 start done; providers 18.5 b_bcount b_blkno
. "${0%/*}/../lib.sh"
can blockio w 0 512

observe blockio m 100 65536 m 10000 8192 w 8 4096 m 20000 65536 <<'EOD'
int starts, requests;

io:::start
/pid == $target/
{
	mine[arg0] = 1;
	printf("start %d %d %s w %d %d\n", args[1]->dev_major, args[1]->dev_minor, args[1]->dev_statname,
	    args[0]->b_blkno, args[0]->b_bcount);
	starts++;
}
io:::done
/mine[arg0]/
{
	mine[arg0] = 0;
	printf("done %d %d %s w %d %d %d\n", args[1]->dev_major, args[1]->dev_minor, args[1]->dev_statname,
	    args[0]->b_blkno, args[0]->b_bcount, args[0]->b_error);
}
rawtp:block::block_rq_issue
/pid == $target/
{
	requests++;
}
END
{
	printf("requests %d %d\n", starts, requests);
}
EOD
same 35 start
same 35 done
# they were merged, else this shows little
read -r _ starts requests < <(grep ^requests events.txt)
[[ $requests -lt $starts ]] || complain "$requests requests of $starts"
exit $bad
