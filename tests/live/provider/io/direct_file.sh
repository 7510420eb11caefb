#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# io:::start's and done's file for what goes past the page cache (O_DIRECT): its path, name, folder, mount, file system and flags.
. "${0%/*}/../lib.sh"
. "${0%/*}/../../cli/lib.sh"
folder=$(mktemp -d /var/tmp/dtrace-direct.XXXXXX) || exit 1
trap 'rm -rf "$folder"' EXIT
dd if=/dev/zero of="$folder/data" bs=64k count=1 oflag=direct 2>/dev/null || { echo "this file system has no O_DIRECT"; exit 77; }
read -r mount type root <<<"$(findmnt -no TARGET,FSTYPE,FSROOT -T "$folder")"
# of a file system whose folder $root is mounted here, the kernel tells the path from its own root
path=${mount%/}${root%/}${folder#"${mount%/}"}
[[ $type == @(ext4|xfs) ]] || { echo "$type does not use iomap for O_DIRECT"; exit 77; }
"$DTRACE" -en 'io:::start' >/dev/null || exit 77

try "$DTRACE" -qn '
io:::start /pid == $target && args[2]->fi_name == "data"/ { mine[arg0] = 1; }
io:::start, io:::done
/mine[arg0]/
{
	printf("%s %d %s %s %s %s %s\n", probename, args[0]->b_bcount, args[2]->fi_pathname, args[2]->fi_dirname, args[2]->fi_mount,
	    args[2]->fi_fs, args[2]->fi_oflags & O_DIRECT ? "direct" : "cached");
	@[args[0]->b_flags & B_PAGEIO ? "page" : "no page"] = count();
}
io:::done { mine[arg0] = 0; }' -c "dd if=/dev/zero of=$folder/data bs=8k count=3 oflag=direct conv=notrunc status=none"
expect_status 0
for when in start done; do
	expect_text "$when" "$(grep "^$when" <<<"$out" | uniq -c | xargs)" \
		"3 $when 8192 $path/data $path $mount $type direct"
done
expect_match "the pages are the program's" "$out" '
  no page +6
'
finish
