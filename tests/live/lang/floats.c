/* SPDX-License-Identifier: Apache-2.0 */
/* floats: one getppid(2) whose arguments are the addresses of a float, a double and a long double.
 */
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	static volatile float f = -1.5f;
	static volatile double d = 1234.0625;
	static volatile long double l = 0.125L;

	syscall(SYS_getppid, &f, &d, &l);
	return 0;
}
