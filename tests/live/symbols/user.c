/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -g -O1 */
/* user: variables of a program that change in the course of three calls of tick(). */
struct config {
	int level;
	char name[8];
	struct config *next;
};

static struct config second = {7, "second", 0};
struct config config = {3, "first", &second};
static long counter = 41;

__attribute__((noinline)) long tick(int n)
{
	__asm__ volatile("" ::: "memory");
	counter += n;
	return counter;
}

int main(void)
{
	tick(1);
	config.level = 9;
	tick(2);
	tick(3);
	return 0;
}
