#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# io:::start's file: its path, name, folder, mount and file system, for what goes to the disk from the page cache and
# comes from it; bytes as many as were written and read.
# @ref providers 19 io-fileinfo bio-pageio; providers 8 start; providers 18.4 fi_pathname fi_name fi_dirname fi_mount fi_fs
# @ref providers 18.5 b_flags b_bcount
# @ref providers 18.6 dev_major dev_minor
. "${0%/*}/../lib.sh"
can blockio fs try 4096

observe blockio fs hello.txt 262144 <<'EOD'
io:::start
/pid == $target && threadname == "fswriter" && args[2]->fi_name == "hello.txt"/
{
	@bytes[args[0]->b_flags & B_READ ? "read" : "write"] = sum(args[0]->b_bcount);
	@file[args[1]->dev_major, args[1]->dev_minor, args[2]->fi_mount, args[2]->fi_pathname] = count();
	@dir[args[2]->fi_dirname, args[2]->fi_fs, args[0]->b_flags & B_PAGEIO ? "page" : "no page"] = count();
}
END
{
	printa("%s %@d\n", @bytes);
	printa("file %d %d %s %s 262144\n", @file);
	printa("dir %s %s %s\n", @dir);
}
EOD
same 1 file
read -r _ _ _ mount _ <facts.txt
grep -q "^dir $mount ext4 page\$" events.txt || complain "folder $mount: $(<events.txt)"
for way in read write; do
	grep -q "^$way 262144\$" events.txt || complain "$way: $(<events.txt)"
done
exit $bad
