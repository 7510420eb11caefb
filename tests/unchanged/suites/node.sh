# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="node's tests of streams, workers, promises and timers"
proof='^stream-pipeline 0$'
source=nodejs commands="node" limit=900 all_modules="node" stepped='node:uv_*'
# of 78,000 functions; V8's own run some 10^7 times in each test
modules=$(printf 'node:%s ' 'uv_*' '_ZN4node*' '_ZNK4node*' '_ZN2v86Object*' '_ZN2v88Function*' 'llhttp_*' 'EVP_*' 'Brotli*' 'napi_*')
unpack() {
	tar -xf nodejs_*.orig.tar.* -C tree --strip-components=1 --wildcards '*/test/parallel' '*/test/common' '*/test/fixtures'
}
suite() {
	local t tests="stream-pipeline stream-readable-flow stream-transform-objectmode-falsey worker-message-port worker-terminate-nested
		promise-unhandled-throw timers-immediate-queue zlib-from-string zlib-brotli child-process-fork crypto-hash fs-readfile
		net-pingpong http-chunked vm-basic util-inspect-proxy async-hooks-close-during-destroy"
	[[ $1 == small ]] && tests="stream-pipeline worker-message-port"
	for t in $tests; do
		[[ -e test/parallel/test-$t.js ]] || continue
		timeout 400 node --expose-internals --no-warnings "test/parallel/test-$t.js" 2>&1
		echo "$t $?"
	done
}
# what reads in parallel ends in any order
normal() { grep -av '^Validating readFile' | sed -E 's/0x[0-9a-f]+/0xN/g; s/\(node:[0-9]+\)//'; }
