#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Package and node of each CPU, against sysfs.
# @ref d-builtins 1 curcpu
# @ref providers 18.3 cpu_chip cpu_lgrp
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }
want="" text=""
for dir in /sys/devices/system/cpu/cpu[0-9]*; do
	[[ -e $dir/topology/physical_package_id ]] || continue
	cpu=${dir##*cpu}
	node=$(echo "$dir"/node[0-9]*)
	node=${node##*node}
	[[ $node =~ ^[0-9]+$ ]] || node=0
	want+="$cpu $(<"$dir/topology/physical_package_id") $node"$'\n'
	text+="printf(\"$cpu %d %d\\n\", xlate <cpuinfo_t *>($cpu)->cpu_chip, xlate <cpuinfo_t *>($cpu)->cpu_lgrp); "
done
[[ -n $want ]] || { echo "no CPUs in sysfs"; exit 77; }
got=$("$DTRACE" -qn "BEGIN { ${text}exit(0); }") || exit 1
diff <(echo "${want%$'\n'}") <(echo "${got%$'\n'}")
