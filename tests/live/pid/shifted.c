/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -g -O1 -fcf-protection=full */
/* shifted: pushes(n), and leaf(n) with nothing but arithmetic, begin with endbr64. */
__attribute__((noinline)) long leaf(long n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) long pushes(long n)
{
	long sum = leaf(n);

	return sum + leaf(n + sum) + n;
}

int main(void)
{
	return pushes(1) + pushes(2) != 16;
}
