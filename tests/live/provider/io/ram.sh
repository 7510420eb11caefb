#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# io:::start and done for a driver that has no requests but bios: a RAM disk.
# @ref providers 8 start done; providers 18.5; providers 18.6
# @ref providers 18.5 b_flags b_bcount b_blkno b_error
# @ref providers 18.6 dev_major dev_minor dev_statname
. "${0%/*}/../lib.sh"
module brd
[[ -b /dev/ram0 ]] || { echo "no RAM disk"; exit 77; }

observe blockio -d /dev/ram0 w 8 4096 r 8 4096 w 1000 65536 r 2000 512 <<'EOD'
io:::start
/pid == $target/
{
	mine[arg0] = 1;
	printf("start %d %d %s %c %d %d\n", args[1]->dev_major, args[1]->dev_minor, args[1]->dev_statname,
	    args[0]->b_flags & B_READ ? 'r' : 'w', args[0]->b_blkno, args[0]->b_bcount);
}
io:::done
/mine[arg0]/
{
	mine[arg0] = 0;
	printf("done %d %d %s %c %d %d %d\n", args[1]->dev_major, args[1]->dev_minor, args[1]->dev_statname,
	    args[0]->b_flags & B_READ ? 'r' : 'w', args[0]->b_blkno, args[0]->b_bcount, args[0]->b_error);
}
EOD
same 4 start
same 4 done
exit $bad
