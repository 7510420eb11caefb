#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# io:::start and done: one each for every read, write and flush of a block device, with its place, size, device, direction
# and error; and the same arg0.
# @ref providers 8 start done; providers 18.5; providers 18.6
# @ref providers 18.4 fi_pathname
# @ref providers 18.5 b_flags b_bcount b_lblkno b_blkno b_bufsize b_error b_edev
# @ref providers 18.6 dev_major dev_minor dev_name dev_statname dev_pathname
. "${0%/*}/../lib.sh"
can blockio w 0 512

observe blockio w 8 4096 r 8 4096 w 1000 65536 f r 1000 65536 w 63 512 e 16 4096 <<'EOD'
io:::start,
io:::done
{
	this->kind = args[0]->b_flags & B_READ ? 'r' : args[0]->b_bcount ? 'w' : 'f';
}

io:::start
/pid == $target/
{
	mine[arg0] = 1;
	bytes[arg0] = args[0]->b_bcount;
	printf("start %d %d %s %c %d %d\n", args[1]->dev_major, args[1]->dev_minor, args[1]->dev_statname, this->kind,
	    args[0]->b_blkno, args[0]->b_bcount);
	@["edev", args[0]->b_edev == (args[1]->dev_major << 20 | args[1]->dev_minor)] = count();
	@["lblkno", args[0]->b_lblkno == args[0]->b_blkno] = count();
	@["bufsize", args[0]->b_bufsize == args[0]->b_bcount] = count();
	@["pathname", args[1]->dev_pathname == strjoin("/dev/", args[1]->dev_statname)] = count();
	@["name", args[1]->dev_name == "loop"] = count();
	@["error", args[0]->b_error == 0] = count();
	@["not done", (args[0]->b_flags & (B_DONE | B_ERROR)) == 0] = count();
	/* sync, and a buffer of the program's, not a page of a file */
	@["direct", (args[0]->b_flags & (B_ASYNC | B_PAGEIO)) == 0] = count();
	@["one way", ((args[0]->b_flags & B_READ) != 0) != ((args[0]->b_flags & B_WRITE) != 0)] = count();
	@["no file", args[2]->fi_pathname == "<none>"] = count();
}

io:::done
/mine[arg0]/
{
	mine[arg0] = 0;
	printf("done %d %d %s %c %d %d %d\n", args[1]->dev_major, args[1]->dev_minor, args[1]->dev_statname, this->kind,
	    args[0]->b_blkno, args[0]->b_bcount, args[0]->b_error);
	@["done", (args[0]->b_flags & B_DONE) != 0] = count();
	@["B_ERROR", ((args[0]->b_flags & B_ERROR) != 0) == (args[0]->b_error != 0)] = count();
}

END
{
	printa("member %s %d %@d\n", @);
}
EOD
same 7 start
same 7 done
# of a bio without pages it can't be said whose they are
grep ^member events.txt | grep -v ' 1 7$' && complain "members"
[[ $(grep -c ^member events.txt) == 12 ]] || complain "members: $(grep ^member events.txt)"
exit $bad
