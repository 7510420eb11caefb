#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The io provider's arguments for what is done to files of a file system on a loop device, which is mounted for this
# test alone: written behind, directly, read; against what the file system says of where the files are.
# @timeout 60
# @ref providers 8
# @ref providers 18.4 fi_name fi_dirname fi_pathname fi_fs fi_mount
# @ref providers 18.5 b_flags b_bcount b_addr b_lblkno b_blkno b_resid b_bufsize b_error b_edev
# @ref providers 18.6 dev_major dev_minor dev_instance dev_name dev_statname dev_pathname
# @ref providers 18.4; providers 18.5; providers 18.6
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }
"$DTRACE" -en io:::start >/dev/null 2>&1 || { echo "no io provider"; exit 77; }
for tool in losetup mkfs.ext4 filefrag unshare; do
	command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
done
# a stock kernel in the virtual machine has these as modules, which nobody else wants
load() { # MODULE...
	local name file
	for name; do
		file=$(find "$SRCDIR"/build/vm/*/lib/modules/"$(uname -r)"/ -name "$name.ko*" -print -quit 2>/dev/null)
		[[ -n $file ]] || continue
		case $file in
		*.xz) xz -dc "$file" >"$name.ko" ;;
		*) cp "$file" "$name.ko" ;;
		esac
		/run/busybox insmod "$name.ko"
	done
}
[[ -z ${DTRACE_VM:-} ]] || load loop crc16 crc32c_generic mbcache jbd2 ext4 2>/dev/null
truncate -s 32M image
loop=$(losetup -f --show "$PWD/image" 2>/dev/null) || { echo "no loop device"; exit 77; }
trap 'losetup -d "$loop"' EXIT
mkfs.ext4 -q -b 4096 "$loop" || exit 1
mkdir mnt
unshare -m mount -t ext4 "$loop" mnt || { echo "no ext4"; exit 77; }

cat >work.sh <<'EOF'
mount -t ext4 "$1" mnt
mkdir -p mnt/a/folder
dd if=/dev/zero of=mnt/a/folder/behind bs=64k count=1 conv=fsync status=none
dd if=/dev/zero of=mnt/a/folder/directly bs=128k count=1 oflag=direct status=none
dd if=mnt/a/folder/behind iflag=nocache count=0 status=none
cat mnt/a/folder/behind >/dev/null
for f in behind directly; do
	filefrag -v -b512 mnt/a/folder/$f | awk '$1 == "0:" { sub(/\.\./, "", $4); print $4 + 0 }' >where.$f
done
umount mnt
EOF
cat >io.d <<'EOF'
#pragma D option quiet

inline string KIND[int flags] = strjoin(flags & B_WRITE ? "write" : "", strjoin(flags & B_READ ? "read" : "",
	strjoin(flags & B_PAGEIO ? " pageio" : "", strjoin(flags & B_PHYS ? " phys" : "",
	strjoin(flags & B_ASYNC ? " async" : "", flags & B_DONE ? " done" : "")))));

io:::start, io:::done
/args[1]->dev_pathname == $$1 && args[2]->fi_name == "behind"/
{
	@file[probename, KIND[args[0]->b_flags], args[2]->fi_pathname, args[2]->fi_dirname, args[2]->fi_mount,
		args[2]->fi_fs] = sum(args[0]->b_bcount);
	@where[probename, KIND[args[0]->b_flags]] = min(args[0]->b_blkno);
	@same = sum(args[0]->b_bcount != args[0]->b_bufsize || args[0]->b_blkno != args[0]->b_lblkno ||
		args[0]->b_error || args[0]->b_resid || args[0]->b_addr || !args[0]->b_iodone);
}

io:::start
/args[1]->dev_pathname == $$1 && args[0]->b_flags & B_PHYS && execname == "dd"/
{
	@file[probename, KIND[args[0]->b_flags], args[2]->fi_pathname, args[2]->fi_dirname, args[2]->fi_mount,
		args[2]->fi_fs] = sum(args[0]->b_bcount);
	@where[probename, KIND[args[0]->b_flags]] = min(args[0]->b_blkno);
}

io:::start
/args[1]->dev_pathname == $$1/
{
	@device[args[1]->dev_name, args[1]->dev_statname, args[1]->dev_major, args[1]->dev_minor,
		args[1]->dev_instance == args[1]->dev_minor,
		args[0]->b_edev == (args[1]->dev_major << 20 | args[1]->dev_minor)] = count();
	n++;
}

END
{
	trunc(@device, 1);
	printa("device %s %s %d %d %d %d\n", @device);
	printa("%s %s %s %s %s %s %@d\n", @file);
	printa("where %s %s %@d\n", @where);
	printa("wrong %@d\n", @same);
}
EOF
"$DTRACE" -x strsize=512 -s io.d -c "unshare -m bash work.sh $loop" "$loop" >out || exit 1
here=$PWD/mnt behind=$(<where.behind) directly=$(<where.directly)
[[ $behind -gt 0 && $directly -gt 0 ]] || { echo "filefrag does not say where the files are"; exit 77; }
diff <(sort <<EOF
device loop ${loop#/dev/} 7 ${loop#/dev/loop} 1 1
start write pageio $here/a/folder/behind $here/a/folder $here ext4 65536
done write pageio done $here/a/folder/behind $here/a/folder $here ext4 65536
start read pageio async $here/a/folder/behind $here/a/folder $here ext4 65536
done read pageio async done $here/a/folder/behind $here/a/folder $here ext4 65536
start write phys $here/a/folder/directly $here/a/folder $here ext4 131072
where start write pageio $behind
where done write pageio done $behind
where start read pageio async $behind
where done read pageio async done $behind
where start write phys $directly
wrong 0
EOF
) <(grep . out | sort)
