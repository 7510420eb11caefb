// SPDX-License-Identifier: Apache-2.0
/* Tests who may stay connected to the server of --web, and who is turned out for others. */
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"
#include "web/visitors.h"

/* A connection: the server's end, and the visitor's. */
struct line {
	int fd, other;
	struct web_visitor *v;
};

static struct line come(struct web_visitors *all, uint64_t deadline)
{
	struct line l;
	int pair[2] = {-1, -1};

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	l = (struct line){pair[0], pair[1], visitors_come(all, pair[0], deadline)};
	CHECK(l.v != NULL);
	return l;
}

/* True if the visitor's end says that the connection is closed. */
static int is_closed(const struct line *l)
{
	char c;

	return recv(l->other, &c, 1, MSG_DONTWAIT) == 0;
}

static void leave(struct web_visitors *all, struct line *l)
{
	close(l->fd);
	close(l->other);
	visitors_leave(all, l->v);
}

/* The oldest stranger makes room for one more; who shows the token stays. */
static void test_room(void)
{
	static struct line strangers[VISITORS_STRANGERS];
	struct web_visitors all = {0};
	struct line known = come(&all, 5), more;

	CHECK(visitors_know(&all, known.v));
	CHECK(visitors_know(&all, known.v)); /* again */
	CHECK_INT(all.known, 1);
	for (unsigned i = 0; i < VISITORS_STRANGERS; i++)
		strangers[i] = come(&all, 5);
	CHECK_INT(all.strangers, VISITORS_STRANGERS);
	CHECK(!is_closed(&strangers[0]));
	visitors_renew(&all, strangers[0].v, 6); /* is no longer the oldest */
	more = come(&all, 5);
	CHECK_INT(all.strangers, VISITORS_STRANGERS);
	CHECK(!is_closed(&strangers[0]) && is_closed(&strangers[1]) && !is_closed(&strangers[2]));
	CHECK(!is_closed(&known));
	/* who was turned out shows the token too late, and is not counted twice */
	CHECK(!visitors_know(&all, strangers[1].v));
	visitors_renew(&all, strangers[1].v, 9);
	for (unsigned i = 0; i < VISITORS_STRANGERS; i++)
		leave(&all, &strangers[i]);
	leave(&all, &more);
	leave(&all, &known);
	CHECK(!all.strangers && !all.known && !all.oldest && !all.newest);
}

/* The token is enough for so many; another one stays a stranger until somebody leaves. */
static void test_known(void)
{
	struct line known[VISITORS_KNOWN], more;
	struct web_visitors all = {0};

	for (unsigned i = 0; i < VISITORS_KNOWN; i++) {
		known[i] = come(&all, 5);
		CHECK(visitors_know(&all, known[i].v));
	}
	more = come(&all, 5);
	CHECK(!visitors_know(&all, more.v));
	CHECK_INT(all.known, VISITORS_KNOWN);
	CHECK_INT(all.strangers, 1);
	leave(&all, &known[3]);
	CHECK(visitors_know(&all, more.v));
	CHECK_INT(all.strangers, 0);
	for (unsigned i = 0; i < VISITORS_KNOWN; i++)
		if (i != 3)
			leave(&all, &known[i]);
	leave(&all, &more);
	visitors_leave(&all, NULL);
	CHECK(!all.strangers && !all.known);
}

static void test_deadlines(void)
{
	struct web_visitors all = {0};
	struct line first, second, third;

	CHECK(visitors_expire(&all, 7) == UINT64_MAX);
	first = come(&all, 10);
	second = come(&all, 20);
	third = come(&all, 30);
	CHECK_INT(visitors_expire(&all, 9), 10);
	CHECK(!is_closed(&first));
	CHECK(visitors_know(&all, second.v));
	visitors_renew(&all, second.v, 1); /* has no deadline any more */
	CHECK_INT(visitors_expire(&all, 10), 30);
	CHECK(is_closed(&first) && !is_closed(&second) && !is_closed(&third));
	visitors_renew(&all, third.v, 40);
	CHECK_INT(visitors_expire(&all, 30), 40);
	CHECK(visitors_expire(&all, 50) == UINT64_MAX);
	CHECK(is_closed(&third) && !is_closed(&second));
	leave(&all, &third);
	leave(&all, &second);
	leave(&all, &first);
	CHECK(!all.strangers && !all.known);
}

int main(void)
{
	test_room();
	test_known();
	test_deadlines();
	return test_done();
}
