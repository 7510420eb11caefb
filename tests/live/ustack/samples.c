// SPDX-License-Identifier: Apache-2.0
/* @cc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
 * samples vdso|crypto SECONDS: run there.  crypto is libcrypto's SHA-256 by dlopen(3), which is
 * assembler code.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

NOINLINE double in_vdso(void)
{
	double t = 0;

	for (int i = 0; i < 100000; i++)
		t = now();
	return t;
}

static unsigned char *(*hash)(const unsigned char *, size_t, unsigned char *);
static unsigned char data[1 << 20], digest[64];

NOINLINE double in_crypto(void)
{
	hash(data, sizeof(data), digest);
	return now();
}

int main(int argc, char **argv)
{
	int crypto = argc > 1 && !strcmp(argv[1], "crypto");
	double end = now() + (argc > 2 ? atof(argv[2]) : 1);
	void *so = crypto ? dlopen("libcrypto.so.3", RTLD_NOW) : NULL;

	hash = so ? (unsigned char *(*)(const unsigned char *, size_t, unsigned char *))dlsym(
			    so, "SHA256")
		  : NULL;
	if (crypto && !hash)
		return 77;
	while ((crypto ? in_crypto() : in_vdso()) < end)
		;
	return 0;
}
