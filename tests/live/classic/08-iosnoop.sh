#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Disk I/O as it starts and ends: bufinfo_t, devinfo_t and fileinfo_t, the time by an array of arg0.
# @ref providers 8 start done; providers 18.5 b_flags b_bcount b_blkno b_error
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
. "$SRCDIR/tests/live/provider/lib.sh"
can blockio w 0 512
cat >iosnoop.d <<'D'
#!/usr/sbin/dtrace -s

#pragma D option quiet

uint64_t start_time[uintptr_t];

dtrace:::BEGIN
{
	printf("%-4s %5s %8s %6s %5s  %s\n", "D", "BLOCK", "SIZE", "ERROR", "DRV", "PATHNAME");
}

io:::start
/pid == $target && args[0]->b_bcount != NULL/
{
	start_time[(uintptr_t)arg0] = timestamp;
}

io:::done
/start_time[(uintptr_t)arg0] != 0/
{
	this->delta = timestamp - start_time[(uintptr_t)arg0];
	this->dir = args[0]->b_flags & B_READ ? "R" : "W";
	printf("%-4s %5d %8d %6d %5s  %s\n", this->dir, (int)args[0]->b_blkno, args[0]->b_bcount, args[0]->b_error,
	    args[1]->dev_name, args[2]->fi_pathname == "<none>" ? "-" : args[2]->fi_pathname);
	@size[this->dir, args[1]->dev_major == getmajor(args[0]->b_edev)] = sum(args[0]->b_bcount);
	@took["time"] = min(this->delta > 0);
	start_time[(uintptr_t)arg0] = NULL;
}

dtrace:::END
{
	printa("%s %d %@d bytes\n", @size);
	printa("%s %@d\n", @took);
}
D
"$DTRACE" -s iosnoop.d -c "$triggers/blockio w 8 4096 r 8 4096 w 100 512 r 16 8192" | sed '/^start /d; /^done /d'
