#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --doctor: privileges, the machine, each provider with what -l lists of it and each feature; the same as JSON.
# @ref kernels
. "${0%/*}/lib.sh"
command -v jq >/dev/null || { echo "needs jq"; exit 77; }

mounts=$(cat /proc/self/mountinfo)

# ---- the table
try "$DTRACE" --doctor --output text
expect_status 0
expect_err ""
cp out.txt table.txt
expect_text "first lines" "$(head -n 4 table.txt)" "privileges  ok
kernel      $(uname -s) $(uname -r) $(uname -m)
cpus        $(getconf _NPROCESSORS_ONLN)"
providers=$(sed -n '/^PROVIDER/,/^$/p' table.txt | sed '1d;$d')
features=$(sed -n '/^FEATURE/,$p' table.txt | sed 1d)

# every feature there is, in the order of the table in the sources
expect_text features "$(awk '{ print $1 }' <<<"$features")" \
	"$(sed -n 's/^FEATURE([A-Z_0-9]*, "\([a-z_0-9]*\)".*/\1/p' "$SRCDIR/src/probe/features.def")"
# "ok" and nothing else, or a reason
expect_text reasons "$(grep -vE '^[a-z_0-9]+ +(ok|missing   [^ ].*)$' <<<"$features")" ""
expect_text reasons "$(grep -vE '^[a-z]+ +[0-9]+  (ok|(missing |degraded)  [^ ].*)$' <<<"$providers")" ""
expect_text alignment "$(sed -n '/^FEATURE/,$p' table.txt | cut -c 28-33 | grep -vE '^(STATUS|ok|missin)$')" ""

# as many probes as are listed; a provider without any says why, unless its probes come with processes
"$DTRACE" -l 2>/dev/null | awk 'NR > 1 { n[$2]++ } END { for (p in n) print p, n[p] }' | sort >listed.txt
expect_text "probes" "$(awk '$2 != 0 { print $1, $2 }' <<<"$providers" | sort)" "$(<listed.txt)"
expect_text "providers without probes" "$(grep -E '^[a-z]+ +0 ' <<<"$providers" | grep -vE '^(pid|java|python|usdt) |  missing   ')" ""
for name in dtrace profile syscall; do
	grep -qE "^$name +[1-9][0-9]*  ok$" <<<"$providers" || complain "provider $name: $providers"
done

# what any kernel has that this program runs on, and what this one's configuration says
for name in btf tp_btf raw_tp cpu_clock task_storage; do
	grep -qE "^$name +ok$" <<<"$features" || complain "feature $name: $features"
done
if [[ -r /proc/config.gz ]]; then
	configured() { zcat /proc/config.gz | grep -qx "$1=y"; }
elif [[ -r /boot/config-$(uname -r) ]]; then
	configured() { grep -qx "$1=y" "/boot/config-$(uname -r)"; }
else
	configured() { return 2; }
fi
expect_configured() { # FEATURE OPTION
	local found=0 set=0
	grep -qE "^$1 +ok$" <<<"$features" || found=1
	configured "$2" || set=$?
	[[ $set == 2 || $set == "$found" ]] || complain "$1 and $2 disagree: $features"
}
expect_configured kprobe CONFIG_KPROBE_EVENTS
expect_configured uprobe CONFIG_UPROBE_EVENTS
expect_configured kallsyms_all CONFIG_KALLSYMS_ALL

# ---- JSON
try "$DTRACE" --doctor --output=json
expect_status 0
expect_err ""
cp out.txt doctor.json
expect_text "one document" "$(jq -s length doctor.json)" 1
expect_text head "$(jq -c '[.type, .schema, .version, .kernel.name, .kernel.release, .kernel.machine, .cpus, .privileges]' doctor.json)" \
	"[\"doctor\",1,\"$("$DTRACE" -V -v | sed '1d;s/.* //')\",\"$(uname -s)\",\"$(uname -r)\",\"$(uname -m)\",$(getconf _NPROCESSORS_ONLN),{\"status\":\"ok\"}]"
expect_text members "$(jq -c 'keys' doctor.json)" '["cpus","features","kernel","privileges","providers","schema","type","version"]'
words() { sed -E 's/ +/ /g'; }
expect_text "providers as JSON" "$(jq -r '.providers[] | "\(.name) \(.probes) \(.status) \(.why // "")" | rtrimstr(" ")' doctor.json)" \
	"$(words <<<"$providers")"
expect_text "features as JSON" "$(jq -r '.features[] | "\(.name) \(.status) \(.why // "")" | rtrimstr(" ")' doctor.json)" \
	"$(words <<<"$features")"

expect_text "mounts" "$(cat /proc/self/mountinfo)" "$mounts"

# ---- without privileges: all is said, and that it cannot be
exec 9<"$DTRACE"
unprivileged() {
	# the program may be where nobody may look
	try setpriv --reuid 65534 --regid 65534 --clear-groups bash -c 'exec -a dtrace /proc/self/fd/9 "$@"' - "$@"
}
unprivileged --doctor
expect_status 1
expect_err ""
expect_text "first line" "${out%%$'\n'*}" \
	"privileges  missing  this process may not trace the kernel: run it as root, or with CAP_BPF and CAP_PERFMON"
expect_match "a feature" "$out" $'\nraw_tp +missing   it takes privileges\n'

# with what it takes to trace and no more: what is refused for that is not blamed on the kernel
try setpriv --bounding-set -all,+bpf,+perfmon --inh-caps -all "$DTRACE" --doctor
expect_status 0
expect_text "privileges" "${out%%,*}" "privileges  degraded  no CAP_NET_ADMIN for send and receive of tcp"
expect_match "a feature" "$out" $'\nraw_tp +ok\n'
expect_match "tracefs" "$out" $'\nperf_tp +(ok|missing   the kernel refuses to (show tracefs|attach it) [(](EPERM|EACCES)[)]: it takes CAP_[A-Z_]+( and CAP_DAC_READ_SEARCH)?)\n'
if grep -qE '^netfilter +ok$' <<<"$features"; then
	expect_match "netfilter" "$out" \
		$'\nnetfilter +missing   the kernel refuses to load it [(]EPERM[)]: it takes CAP_NET_ADMIN\n'
fi

# ---- what does not go with it
for words in "-l" "-n BEGIN" "-w" "operand" "-xquiet"; do
	# shellcheck disable=SC2086
	try "$DTRACE" --doctor $words
	expect_status 2
	expect_err_line "dtrace: --doctor not valid in combination with options other than --output"
	expect_out ""
done
try "$DTRACE" --doctor --output=csv
expect_status 2
expect_err_line "dtrace: --output=csv: --doctor writes only text or json, and only to stdout"
try "$DTRACE" --doctor --output=json --output=text
expect_status 2
expect_err_line "dtrace: --doctor takes only one --output"
try "$DTRACE" --doctor --output=json:/no/such/file
expect_status 2

# ---- a full disk is noticed
status=0
"$DTRACE" --doctor >/dev/full 2>err.txt || status=$?
what="--doctor >/dev/full"
expect_text status "$status" 1
expect_text stderr "$(<err.txt)" "dtrace: failed to write to <stdout>: No space left on device"
finish
