// SPDX-License-Identifier: Apache-2.0
/* Descriptors, lines and answers of a Java VM and its agent, and lines that come slowly. */
#include "managed/java_say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "managed/java_agent/agent.h"
#include "managed/java_wire.h"
#include "test.h"

static void test_valid(void)
{
	static const char *const valid[] = {"()V", "(I)I", "(BCDFIJSZ)[[J",
		"(Ljava/lang/String;)La;", "([[La b;I)V", "(La)b;)V"};

	for (size_t i = 0; i < sizeof(valid) / sizeof(*valid); i++)
		CHECK(java_desc_valid(valid[i]));
	CHECK_STR(java_desc_return("(La)b;)[I"), "[I"); /* a name may have a bracket */
	CHECK_STR(java_desc_return("()V"), "V");
	CHECK_STR(java_desc_next("[[La/b;I)V"), "I)V");
	CHECK_STR(java_desc_next("J)V"), ")V");
}

static void test_invalid(void)
{
	static const char *const invalid[] = {"", "(", ")", "I", "()", "(I", "(I)", "(V)V", "()VV",
		"()II", "(La)V", "(L;)V", "([)V", "()[", "()[V", "(a)V", "(`)V", "(\xff)V",
		"(L[a;)V", "( )V", "(I)V "};
	char many[1024] = "(";

	for (size_t i = 0; i < sizeof(invalid) / sizeof(*invalid); i++)
		CHECK(!java_desc_valid(invalid[i]));
	for (int i = 0; i < 255; i++)
		strcat(many, "I");
	strcat(many, ")V");
	CHECK(java_desc_valid(many));
	many[strlen(many) - 2] = '\0';
	strcat(many, "I)V");
	CHECK(!java_desc_valid(many));
	memset(many, '[', 257);
	strcpy(many, "()");
	memset(many + 2, '[', 255);
	strcpy(many + 257, "I");
	CHECK(java_desc_valid(many));
	strcpy(many + 257, "[I");
	CHECK(!java_desc_valid(many));
}

static bool reads(const char *text)
{
	char line[256];
	struct java_method m;

	snprintf(line, sizeof(line), "%s", text);
	return java_read_method(line, &m);
}

static void test_methods(void)
{
	char line[] = "M 7 1 12 com.example.Foo add (II)I My File.java";
	struct java_method m;

	CHECK(java_read_method(line, &m));
	CHECK_INT(m.index, 7);
	CHECK_INT(m.line, 12);
	CHECK(m.is_static);
	CHECK_STR(m.class, "com.example.Foo");
	CHECK_STR(m.name, "add");
	CHECK_STR(m.desc, "(II)I");
	CHECK_STR(m.file, "My File.java");
	CHECK(reads("M 4294967295 0 0 A m ()V -"));
	CHECK(!reads("M 4294967296 0 0 A m ()V -"));
	CHECK(!reads("M -1 0 0 A m ()V -"));
	CHECK(!reads("M 1 0 x A m ()V -"));
	CHECK(!reads("M 1 0 1 A m ()V"));
	CHECK(!reads("M 1 0 1 A  ()V -"));
	CHECK(!reads("M 1 0 1 A m (La)V -"));
	CHECK(!reads("N 1 0 1 A m ()V -"));
	CHECK(!reads(""));
}

static const char *answer(const char *text)
{
	static char copy[256];

	snprintf(copy, sizeof(copy), "%s", text);
	return java_read_answer(copy);
}

static void test_answers(void)
{
	CHECK(!answer("0\nreturn code: 0\n"));
	CHECK_STR(answer(""), "no answer");
	CHECK_STR(answer("100\nno such file\nmore"), "no such file");
	CHECK_STR(answer("0\nreturn code: 4"), "it cannot start a thread");
	CHECK_STR(answer("0\nreturn code: 99"), "return code: 99");
	CHECK_STR(answer("0\nreturn code: 99999999999"), "it returns no number");
	CHECK_STR(answer("0\nreturn code: -1"), "it returns no number");
}

/* ---- the wire ---- */

static bool is_over(void *arg)
{
	return true;
}

/* What java_wire_line() returns after TEXT, LEN bytes, has come and its sender is silent. */
static int line_of(const char *text, size_t len, bool closed, bool over)
{
	int ends[2], err;
	struct java_wire w = {.fd = -1};
	struct java_patience p = {
		.end = java_now() + 50 * JAVA_NSEC_PER_MS, .over = over ? is_over : NULL};
	char *line;

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends));
	w.fd = ends[0];
	CHECK_INT(send(ends[1], text, len, 0), len);
	if (closed)
		shutdown(ends[1], SHUT_WR);
	err = java_wire_line(&w, &line, &p);
	java_wire_close(&w);
	close(ends[1]);
	return err;
}

static void test_wire(void)
{
	static char text[AGENT_LINE_MOST + 2];

	memset(text, 'x', sizeof(text));
	CHECK_INT(line_of("a line\n", 7, false, false), 0);
	CHECK_INT(line_of("no end", 6, false, false), -ETIMEDOUT);
	CHECK_INT(line_of("no end", 6, false, true), -EINTR);
	CHECK_INT(line_of("no end", 6, true, false), -EPIPE);
	CHECK_INT(line_of("a\0b\n", 4, true, false), -EBADMSG);
	CHECK_INT(line_of(text, AGENT_LINE_MOST + 1, false, false), -EMSGSIZE);
	text[AGENT_LINE_MOST] = '\n';
	CHECK_INT(line_of(text, AGENT_LINE_MOST + 1, false, false), 0);
}

/* One that does not read is not waited for any longer than for one that does not answer. */
static void test_deaf(void)
{
	static char text[1 << 20];
	int ends[2];
	struct java_patience p = {.end = java_now() + 50 * JAVA_NSEC_PER_MS};

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends));
	CHECK_INT(java_write_all(ends[0], text, sizeof(text), &p), -ETIMEDOUT);
	close(ends[1]);
	p.end = java_now() + 50 * JAVA_NSEC_PER_MS;
	CHECK_INT(java_write_all(ends[0], text, sizeof(text), &p), -EPIPE);
	close(ends[0]);
}

int main(void)
{
	test_valid();
	test_invalid();
	test_methods();
	test_answers();
	test_wire();
	test_deaf();
	return test_done();
}
