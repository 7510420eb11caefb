# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="a Rust crate's tests (smallvec), which panic through its functions"
proof='^test .* ok$'
commands="rustc" modules="smallvec" stepped="smallvec:*smallvec*" modules_in_sample="smallvec:*panic* smallvec:*unwind* smallvec:*drop*" in_sample=1
build() {
	local folder
	folder=$(echo /usr/share/cargo/registry/smallvec-*)
	[[ -e $folder/src/lib.rs ]] || { echo "librust-smallvec-dev is not installed"; return 1; }
	rustc --edition 2018 --test -g -O --cap-lints allow -o smallvec "$folder/src/lib.rs"
}
suite() {
	[[ $1 == small ]] || RUST_BACKTRACE=1 ./smallvec --test-threads 1
	RUST_BACKTRACE=0 ./smallvec
}
normal() { sed -E 's/finished in [0-9.]+s//; s/0x[0-9a-f]+/0xN/g' | sort; }
