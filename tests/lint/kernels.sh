#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs/KERNELS.md is what tests/kernels/page makes of tests/kernels/*.json, and these have all features and
# providers there are, and nothing of one machine.
cd "$SRCDIR" || exit 1
status=0
for tool in python3 jq; do
	command -v $tool >/dev/null || { echo "skip: no $tool"; exit 77; }
done
tests/kernels/page -c || status=1

features=$(sed -n 's/^FEATURE([A-Z_0-9]*, "\([a-z_0-9]*\)".*/\1/p' src/probe/features.def)
providers=$(sed -n 's/^\t&provider_\([a-z]*\),$/\1/p' src/prov/providers.c | sort)
[[ -n $features && -n $providers ]] || { echo "no features or providers found"; status=1; }
stale() {
	echo "$1: make kernels-doc as root"
	status=1
}
seen=0
for file in tests/kernels/[0-9]*.json; do
	[[ $file == *.tests.json ]] && continue
	seen=$((seen + 1))
	[[ $(jq -r '.features[].name' "$file") == "$features" ]] || stale "$file has other features than src/probe/features.def"
	[[ $(jq -r '.providers[].name' "$file" | sort) == "$providers" ]] || stale "$file has other providers than src/prov/providers.c"
	[[ $(jq -c '[.type, .schema, .privileges.status, .kernel.release, .cpus]' "$file") == '["doctor",1,"ok",null,null]' ]] ||
		stale "$file is not what tests/kernels/collect writes"
done
[[ $seen -ge 3 ]] || { echo "$seen kernels only"; status=1; }
exit $status
