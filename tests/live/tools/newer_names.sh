#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dtruss names values of enums that the running kernel knows, though the headers with which dtrace was built may be older.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

# number 33; the name is there if the kernel knows it
want=33
grep -q BPF_MAP_TYPE_ARENA /sys/kernel/btf/vmlinux 2>/dev/null && want=BPF_MAP_TYPE_ARENA
[[ $want != 33 ]] || grep -q BPF_MAP_TYPE_ARENA /usr/include/linux/bpf.h && want=BPF_MAP_TYPE_ARENA
"$DTRACE" -c "$BUILD/tests/live/tools/newer_names" -s "$SRCDIR/tools/dtruss.d" >trace 2>errors
status=$?
grep -oE 'map_type=[^,]*' trace >types
case $want in
33) printf '%s\n' 'map_type=0x21 /* BPF_MAP_TYPE_??? */' ;;
*) echo "map_type=$want" ;;
esac >wanted
echo 'map_type=0x270f /* BPF_MAP_TYPE_??? */' >>wanted
diff wanted types && exit $status
tail -n 5 trace errors
exit 1
