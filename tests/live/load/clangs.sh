#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The run-time library as each version of clang that is installed compiles it: the kernel loads all of it, it takes no more stack than
# its table says, and its functions compute the same.
# @timeout 300
# @slow
# @needs make
# @vm no: compilers take long there
# links to what is built: they take no room
cd "$(mktemp -d "$BUILD/clangs.XXXXXX")" || exit 1
trap 'rm -rf "$PWD"' EXIT
tests="test_rt_all test_rt_object test_rt test_rt_usdt test_rt_search test_rt_convert"
ours=$(clang --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p') bad=0 n=0
for clang in $(compgen -c clang- | grep -xE 'clang-[0-9]+' | sort -u); do
	[[ $clang != clang-$ours ]] || continue
	# all but the library is as it was built
	rm -rf build && mkdir -p build/tests && cp -al "$BUILD/src" "$BUILD/viz" build && cp -al "$BUILD/tests/unit" build/tests || exit 1
	# what is written again may not be a link
	rm -f build/src/rt/rt.bpf.[od] build/src/load/rt_image.[od] build/tests/unit/test_rt*
	# shellcheck disable=SC2086
	make -s -C "$SRCDIR" B="$PWD/build" CLANG=$clang $(printf "$PWD/build/tests/unit/%s " test_rt.bpf.o $tests) >make.txt 2>&1 || {
		cat make.txt
		echo "$clang does not compile it"
		bad=1
		continue
	}
	for t in $tests; do
		build/tests/unit/$t >out.txt 2>&1
		case $? in
		0 | 77) ;;
		*)
			echo "$clang: $t:"
			head -30 out.txt
			bad=1
			;;
		esac
	done
	n=$((n + 1))
done
[[ $n != 0 || $bad != 0 ]] || { echo "no other version of clang"; exit 77; }
exit $bad
