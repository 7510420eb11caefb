# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="gmp's own tests, with the shared library's assembler"
proof='^Running test with 2 repetitions'
source=gmp commands="gcc make m4" limit=900
modules="libgmp.so*" stepped="libgmp.so*:"
build() {
	mkdir -p doc && echo 'all check:' >doc/Makefile.in # Debian leaves the book out
	./configure --enable-shared --disable-static && make -j2 && make -j2 -C tests libtests.la && for f in mpn mpz; do
		make -j2 -C tests/$f check TESTS=
	done
}
suite() {
	local t tests="mpn/t-asmtype mpn/t-fat mpn/t-mod_1 mpn/t-instrument mpn/t-hgcd mpz/t-mul mpz/t-tdiv mpz/t-powm mpz/t-gcd mpz/convert mpz/t-root"
	[[ $1 == small ]] && tests="mpn/t-fat mpz/t-root"
	cd tests || return
	export GMP_CHECK_RANDOMIZE=7
	for t in $tests; do
		echo "$t" && LD_LIBRARY_PATH=$PWD/../.libs "./$t" 2 || return # repetitions
	done
}
