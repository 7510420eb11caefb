#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What io:::start keeps of args[] is read in io:::done: after the request, and in another thread or an interrupt.
# @ref d-language 16.2 object-variable; d-language 16.3 translated
. "${0%/*}/../lib.sh"
can blockio w 0 512

observe blockio m 100 65536 m 10000 8192 w 8 4096 m 20000 65536 <<'EOD'
bufinfo_t *mine[uint64_t];
devinfo_t *device[uint64_t];

io:::start
/pid == $target/
{
	mine[arg0] = args[0];
	device[arg0] = args[1];
	printf("start %d %d %s w %d %d\n", args[1]->dev_major, args[1]->dev_minor, args[1]->dev_statname,
	    args[0]->b_blkno, args[0]->b_bcount);
}
io:::done
/mine[arg0] != NULL/
{
	this->b = mine[arg0];
	this->d = device[arg0];
	printf("done %d %d %s w %d %d %d\n", this->d->dev_major, this->d->dev_minor, this->d->dev_statname,
	    this->b->b_blkno, this->b->b_bcount, args[0]->b_error);
	mine[arg0] = NULL;
	device[arg0] = NULL;
}
EOD
same 35 start
same 35 done
exit $bad
