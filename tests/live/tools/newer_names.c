// SPDX-License-Identifier: Apache-2.0
/* Asks bpf(2) for maps of types 33 and 9999, of which headers of Linux 6.1 know neither. */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	static const unsigned types[] = {33, 9999};

	for (int i = 0; i < 2; i++) {
		unsigned attr[18];

		memset(attr, 0, sizeof(attr));
		attr[0] = types[i];
		syscall(SYS_bpf, 0, attr, sizeof(attr));
	}
	return 0;
}
