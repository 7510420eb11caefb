# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="libstdc++'s tests of exceptions and their propagation"
proof='\.exe 0$'
source=gcc-12 commands="g++" limit=600
modules="libstdc*.so* libgcc_s.so* *.exe" stepped='*.exe:' usdt='libstdcxx$target:::'
unpack() {
	local folder=gcc-12.2.0/libstdc++-v3/testsuite
	tar -xOf ./*.orig.tar.* --wildcards '*/gcc-12*.tar.xz' | tar -xJ "$folder/18_support" "$folder/util" "$folder/30_threads/packaged_task" "$folder/30_threads/async" &&
		mv $folder/* tree/
}
build() {
	local f
	for f in $(find 18_support 30_threads -name '*.cc' -path '*except*' -o -name '*.cc' -path '*terminate*' -o -name '*.cc' -path '*nested*' -o -name '*.cc' -path '*async*'); do
		grep -qE 'dg-error|dg-do compile' "$f" && continue
		g++ -std=gnu++17 -O2 -g -Iutil -pthread -o "$(basename "$(dirname "$f")")-$(basename "$f" .cc).exe" "$f" 2>/dev/null || :
	done
	[[ $(ls ./*.exe | wc -l) -gt 30 ]]
}
suite() {
	local f status bad=0
	for f in ./*.exe; do
		timeout 100 "$f" >/dev/null 2>&1
		status=$?
		echo "$f $status"
		[[ $status == 0 ]] || bad=1
	done
	return $bad
} 2>/dev/null # where bash says which were aborted
