# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="openssl's own tests, with the shared library's assembler"
proof='^ *ok [0-9]+ - run_file_tests'
source=openssl commands="gcc make perl" limit=900
all_modules="libcrypto.so.3"
# exptest calls bn_* and BN_* some 10^8 times
modules=$(printf 'libcrypto.so.3:%s ' 'EVP_*' 'evp_*' 'CRYPTO_*' 'ossl_*' 'BN_mod_exp*' 'BN_CTX_*' 'ec_*' 'EC_*' '*aes*' '*sha*')
stepped='libcrypto.so.3:*sha256* libcrypto.so.3:aes* libcrypto.so.3:bn_*'
build() {
	./Configure linux-x86_64 shared no-fips && make -j2 build_generated && make -j2 libcrypto.so libssl.so apps/openssl providers/legacy.so &&
		make -j2 $(printf 'test/%s ' sha_test bntest aesgcmtest chacha_internal_test ectest evp_extra_test rsa_test exptest threadstest)
}
suite() {
	local t tests="aesgcmtest exptest rsa_test ectest threadstest bntest"
	[[ $1 == small ]] && tests="aesgcmtest rsa_test threadstest bntest"
	export LD_LIBRARY_PATH=$PWD OPENSSL_MODULES=$PWD/providers
	for t in $tests; do
		case $t in
		bntest) set -- test/recipes/10-test_bn_data/bnmod.txt ;;
		threadstest) set -- -config test/default.cnf test/recipes/90-test_threads_data ;;
		*) set -- ;;
		esac
		echo "$t" && ./test/$t "$@" || return
	done
}
normal() { sed -E '/OPENSSL_TEST_RAND_ORDER/d; s/ in [0-9.]+ ?s.*//; s/seed [0-9]+//i; s/[0-9.]+ ms//'; }
