#!/usr/sbin/dtrace -s
/*
 * Associative arrays with tuples of numbers and strings, C arrays, a queue kept in an array, elements deleted by 0.
 * @trigger values ints 7 3 7 9
 * @ref d-language 8.3 string-keys
 */

#pragma D option quiet

int64_t seen[string, int];
string history[int];
self int depth[string];
int ring[4];

uint64_t value[int];

dtrace:::BEGIN
{
	head = 0;
	left = 0;
	history[0] = "begin";
	prime[2] = prime[3] = prime[5] = prime[7] = 1;
}

syscall::getppid:entry
/pid == $target/
{
	seen[probefunc, (int)arg0]++;
	value[(int)arg0] += arg0;
	ring[head % 4] = (int)arg0;
	history[++head] = strjoin("call ", lltostr(arg0));
	self->depth[probefunc] += 1;
	printf("%d is %s\n", (int)arg0, prime[(int)arg0] ? "prime" : "composite");
}

syscall::getppid:return
/pid == $target && self->depth[probefunc]/
{
	self->depth[probefunc] -= 1;
	left += self->depth[probefunc];
}

dtrace:::END
{
	printf("7 came %d times, 9 %d, 8 %d\n", seen["getppid", 7], seen["getppid", 9], seen["getppid", 8]);
	printf("7: %d calls, %d in all\n", seen["getppid", 7], value[7]);
	printf("ring %d %d %d %d\n", ring[0], ring[1], ring[2], ring[3]);
	printf("%s, %s, ..., %s\n", history[0], history[1], history[head]);
	printf("left %d\n", left);
	seen["getppid", 7] = 0;
	history[0] = NULL;
	printf("deleted: %d %d\n", seen["getppid", 7], history[0] == NULL);
	printf("%s\n", history[4] != NULL && history[5] == NULL ? "four entries" : "wrong");
}
