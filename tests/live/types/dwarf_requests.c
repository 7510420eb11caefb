// SPDX-License-Identifier: Apache-2.0
/* Functions with arguments of all kinds, called once each.  @cc -O2 */
#include <stdbool.h>
#include <string.h>

enum verb { GET = 1, PUT };

struct address {
	const char *path;
	int port;
};

struct request {
	int id;
	struct address where;
	struct request *next;
	char name[16];
	unsigned int flags : 3, level : 5;
	double weight;
	enum verb verb;
	int (*handler)(struct request *);
	union {
		long number;
		short half;
	};
	int grid[2][2];
};

/* names that the kernel has too */
struct list_head {
	int here;
	struct list_head *next;
};

struct task_struct {
	char comment[8];
	int pid;
};

typedef struct request request_t;

__attribute__((noipa)) static int handler(struct request *r)
{
	return r->id;
}

__attribute__((noipa)) int handle_request(
	request_t *r, const struct address *a, const char *text, bool yes, enum verb verb, short n)
{
	return r->id + a->port + text[0] + yes + (int)verb + n;
}

__attribute__((noipa)) long many(int a, double d, long b, unsigned char c, const char *e, int f,
	int g, struct request *h, short i)
{
	return a + (long)d + b + c + e[0] + f + g + h->id + i;
}

__attribute__((noipa)) struct request *make(int id)
{
	static struct request r[2];

	r[0].id = id;
	r[0].next = &r[1];
	strcpy(r[0].name, "first");
	r[0].where.port = 8080;
	r[0].flags = 5;
	r[0].weight = 1.5;
	r[0].verb = PUT;
	r[0].number = -2;
	r[0].grid[1][0] = 3;
	r[1].id = id * 10;
	r[1].where.path = "/second";
	r[1].handler = handler;
	return r;
}

__attribute__((noipa)) int collide(struct list_head *l, struct task_struct *t)
{
	return l->next->here + t->pid;
}

int main(void)
{
	struct address a = {"/etc/motd", 80};
	struct list_head second = {22, NULL}, first = {11, &second};
	struct task_struct t = {"mine", 42};
	struct request *r = make(7);
	long sum = handle_request(r, &a, "text", true, GET, -6);

	sum += many(1, 2.5, 3, 200, "fifth", 6, 7, r, -9);
	sum += collide(&first, &t);
	return sum == r[1].handler(r);
}
