// SPDX-License-Identifier: Apache-2.0
/* Tests flame graphs as SVG: places, colours, what is left out, differences, and names of any
 * bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#include "base/buf.h"
#include "formats/gather.h"
#include "pictures/picture.h"
#include "pictures/svg.h"
#include "formats/stack_tree.h"

static void add(
	struct graph *g, const char *names, enum frame_kind kind, uint64_t now, uint64_t old)
{
	char text[5000], *save = NULL;
	uint32_t node = TREE_ROOT;

	strcpy(text, names);
	for (char *p = strtok_r(text, ";", &save); p; p = strtok_r(NULL, ";", &save)) {
		const struct tree_frame f = {.name = p, .object = "", .file = "", .kind = kind};

		node = tree_child(g->tree, node, tree_frame(g->tree, &f));
	}
	tree_add(g->tree, node, GATHER_COUNT, now);
	tree_add(g->tree, node, GATHER_OLD, old);
}

/* Returns the picture of G alone; the caller frees it. */
static char *draw(struct graph *g, bool old)
{
	struct gather all = {.old = old};
	struct buf b = {0};

	CHECK_INT(heapvec_push(&all.graphs, g), 0);
	CHECK_INT(flamegraph_svg_put(&b, &all), 0);
	heapvec_free(&all.graphs);
	CHECK(!b.failed);
	return b.data;
}

static void has(const char *picture, const char *part)
{
	if (!strstr(picture, part))
		printf("no %s in\n%s", part, picture);
	CHECK(strstr(picture, part));
}

static size_t count(const char *picture, const char *part)
{
	size_t n = 0;

	while ((picture = strstr(picture, part))) {
		picture += strlen(part);
		n++;
	}
	return n;
}

static void test_places(void)
{
	struct graph g = {.name = (char[]){"a"}, .function = "count", .tree = tree_new()};
	char *picture;

	add(&g, "main;f", FRAME_PROGRAM, 30, 0);
	add(&g, "main;k", FRAME_KERNEL, 70, 0);
	add(&g, "main;k;inner", FRAME_KERNEL, 100, 0);
	picture = draw(&g, false);
	has(picture, "<text class=\"heading\" x=\"10\" y=\"23\">@a count()</text>");
	/* the outermost frame is the lowest one */
	has(picture,
		"<g class=\"same\"><title>all, 100 %, 200</title>"
		"<rect x=\"10\" y=\"94\" width=\"1179.50\" height=\"15\"/>");
	has(picture,
		"<g class=\"program\"><title>f, 15 %, 30</title>"
		"<rect x=\"10\" y=\"62\" width=\"176.50\" height=\"15\"/>");
	has(picture,
		"<g class=\"kernel\"><title>k, 85 %, 170</title>"
		"<rect x=\"187\" y=\"62\" width=\"1002.50\" height=\"15\"/>");
	has(picture,
		"<g class=\"kernel\"><title>inner, 50 %, 100</title>"
		"<rect x=\"187\" y=\"46\" width=\"589.50\" height=\"15\"/>");
	CHECK(!strstr(picture, "not drawn"));
	CHECK(!strstr(picture, "<script"));
	free(picture);
	tree_free(g.tree);
}

static void test_narrow(void)
{
	struct graph g = {.name = (char[]){""}, .function = "", .tree = tree_new()};
	char *picture;

	add(&g, "main", FRAME_PROGRAM, 1000000, 0);
	/* 0.3 of 1180 pixels is one in 3,933 */
	add(&g, "main;seen", FRAME_PROGRAM, 300, 0);
	add(&g, "main;narrow;inner", FRAME_PROGRAM, 200, 0);
	picture = draw(&g, false);
	has(picture, ">recorded stacks<");
	has(picture, ">2 of 4 frames are not drawn: they are narrower than 0.3 pixels<");
	has(picture, "<title>seen, 0.03 %, 300</title>");
	CHECK(!strstr(picture, "narrow,"));
	free(picture);
	tree_free(g.tree);
}

static void test_zero(void)
{
	struct graph g = {
		.name = (char[]){"a"}, .function = "sum", .tree = tree_new(), .negative = 3};
	char *picture = draw(&g, false);

	has(picture, "<title>all, 100 %, 0</title>");
	has(picture, ">3 below zero: not drawn<");
	free(picture);
	tree_free(g.tree);
}

static void test_difference(void)
{
	struct graph g = {.name = (char[]){"_"}, .function = "count", .tree = tree_new()};
	char *picture;

	add(&g, "same", FRAME_PROGRAM, 10, 20);
	add(&g, "grown", FRAME_PROGRAM, 30, 20);
	add(&g, "new", FRAME_PROGRAM, 10, 0);
	add(&g, "vanished", FRAME_PROGRAM, 0, 60);
	picture = draw(&g, true);
	has(picture, ">@ count()<");
	has(picture, "<g class=\"same\"><title>same, 12.50 %, before 10, now 10</title>");
	has(picture, "<g class=\"grown7\"><title>grown, 37.50 %, before 10, now 30</title>");
	has(picture, "<g class=\"grown10\"><title>new, 12.50 %, before 0, now 10</title>");
	has(picture, "<g class=\"shrunk10\"><title>vanished, 37.50 %, before 30, now 0</title>");
	has(picture, ">the older numbers are multiplied by 0.50 to the same whole<");
	free(picture);
	tree_free(g.tree);
}

static void check_text(const char *text, size_t cells, const char *want)
{
	struct buf b = {0};

	svg_put_text(&b, text, cells);
	CHECK_STR(b.data ? b.data : "", want);
	buf_free(&b);
}

static void test_text(void)
{
	check_text("", 5, "");
	check_text("operator<<", SIZE_MAX, "operator&#60;&#60;");
	check_text("a&\"b", SIZE_MAX, "a&#38;&#34;b");
	check_text("abcdef", 6, "abcdef");
	check_text("abcdef", 5, "abcd\xe2\x80\xa6");
	check_text("a\x1b\x7f\x80z", SIZE_MAX, "a\\x1b\\x7f\\x80z");
	check_text("a\x1b\x7f", 6, "a\\x1b\xe2\x80\xa6");
	check_text("\xc2\x85\xef\xbf\xbf\xc3\xa4", SIZE_MAX, "\\x85\\xef\\xbf\\xbf\xc3\xa4");
	/* two cells each */
	check_text("\xe6\xbc\xa2\xe5\xad\x97", 4, "\xe6\xbc\xa2\xe5\xad\x97");
	check_text("\xe6\xbc\xa2\xe5\xad\x97", 3, "\xe6\xbc\xa2\xe2\x80\xa6");
}

/* An XML parser accepts a picture whose names have all bytes, and names of 4 KB. */
static void test_valid(void)
{
	struct graph g = {.name = (char[]){"</svg>"}, .function = "count", .tree = tree_new()};
	const char *folder = getenv("TMPDIR");
	char name[4097], path[4096], command[4200], *picture;
	FILE *f;

	for (int c = 1; c < 256; c++) {
		snprintf(name, sizeof(name), "x%cy\xc3%c%cz", c == ';' ? ':' : c,
			c == ';' ? ':' : c, 0x80 | (c & 0x3f));
		add(&g, name, FRAME_LIBRARY, 1, 0);
	}
	memset(name, '<', 4096);
	name[4096] = '\0';
	add(&g, name, FRAME_JIT, 300, 0);
	add(&g, "<script>alert(1)</script>", FRAME_UNKNOWN, 300, 0);
	picture = draw(&g, false);
	CHECK(!strstr(picture, "<script"));
	CHECK_INT(count(picture, "<g class=\"library\">"), 255);
	if (system("command -v xmllint >/dev/null 2>&1")) {
		printf("no xmllint: the picture is not parsed\n");
	} else {
		snprintf(path, sizeof(path), "%s/x.svg", folder ? folder : "/tmp");
		snprintf(command, sizeof(command), "xmllint --noout '%s'", path);
		f = fopen(path, "w");
		CHECK(f && fputs(picture, f) >= 0);
		if (f)
			fclose(f);
		CHECK_INT(system(command), 0);
		unlink(path);
	}
	free(picture);
	tree_free(g.tree);
}

int main(void)
{
	test_places();
	test_narrow();
	test_zero();
	test_difference();
	test_text();
	test_valid();
	return test_done();
}
