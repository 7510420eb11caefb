// SPDX-License-Identifier: Apache-2.0
/*
 * Format strings taken apart, and DTrace's words for those that cannot be.
 * @ref d-builtins 8
 * @ref d-builtins 8.2 syntax
 */
#include "test.h"

#include "base/arena.h"
#include "lang/format.h"

static struct arena *arena;

static const struct format *parse(const char *text, const char **error)
{
	return format_parse(arena, text, strlen(text), error);
}

static const char *error_of(const char *text)
{
	const char *error;

	CHECK(!parse(text, &error));
	return error;
}

/* The only conversion of TEXT. */
static const struct conv *one(const char *text)
{
	static const struct conv none = {.width = -1, .prec = -1};
	const char *error;
	const struct format *f = parse(text, &error);

	CHECK(f && f->nconvs == 1 && f->convs[0].info);
	return f && f->nconvs == 1 ? &f->convs[0] : &none;
}

static void test_shape(void)
{
	const char *error;
	const struct format *f = parse("a=%d, b=%-5s%% %p\n", &error);

	CHECK(f != NULL);
	if (!f)
		return;
	CHECK_STR(f->source, "a=%d, b=%-5s%% %p\n");
	CHECK_INT(f->nconvs, 5);
	CHECK_INT(f->convs[0].text_len, 2);
	CHECK(!memcmp(f->convs[0].text, "a=", 2));
	CHECK_STR(f->convs[0].spelled, "%d");
	CHECK_INT(f->convs[0].info->letter, 'd');
	CHECK_INT(f->convs[1].text_len, 4);
	CHECK_STR(f->convs[1].spelled, "%-5s");
	CHECK_INT(f->convs[1].width, 5);
	CHECK_INT(f->convs[1].flags, FLAG_LEFT);
	CHECK_INT(f->convs[2].info->klass, CONV_LITERAL);
	CHECK_INT(f->convs[2].text_len, 0);
	CHECK_INT(f->convs[3].info->klass, CONV_POINTER);
	CHECK(f->convs[4].info == NULL);
	CHECK_INT(f->convs[4].text_len, 1);

	f = parse("", &error);
	CHECK(f && f->nconvs == 0);
	f = parse("text", &error);
	CHECK(f && f->nconvs == 1 && !f->convs[0].info && f->convs[0].text_len == 4);
	f = format_parse(arena, "%dxyz", 2, &error); /* LEN counts */
	CHECK(f && f->nconvs == 1);
}

static void test_modifiers(void)
{
	const struct conv *c = one("%#+ '012.7lld");

	CHECK_INT(c->flags, FLAG_ALT | FLAG_PLUS | FLAG_SPACE | FLAG_GROUP | FLAG_ZERO);
	CHECK_INT(c->width, 12);
	CHECK_INT(c->prec, 7);
	CHECK_STR(c->size, "ll");
	/* the later of 0 and - counts */
	CHECK_INT(one("%-05d")->flags, FLAG_ZERO);
	CHECK_INT(one("%0-5d")->flags, FLAG_LEFT);
	CHECK_INT(one("%?p")->width, 16);
	CHECK_INT(one("%*.*d")->flags, FLAG_DYNWIDTH | FLAG_DYNPREC);
	CHECK_INT(one("%-*d")->flags, FLAG_LEFT | FLAG_DYNWIDTH);
	CHECK_INT(one("%@-10u")->flags, FLAG_AGG | FLAG_LEFT);
	c = one("%-10@u");
	CHECK_INT(c->flags, FLAG_AGG | FLAG_LEFT);
	CHECK_INT(c->width, 10);
	CHECK_INT(one("%.d")->prec, 0);
	CHECK_INT(one("%.0s")->prec, 0);
	CHECK_INT(one("%99999999999d")->width, INT32_MAX);
}

static void test_conversions(void)
{
	static const char all[] = "aAcCdeEfgGikopsSTuxXY";
	static const char *const sized[] = {"hd", "hi", "ho", "hu", "hx", "hX", "ld", "lli", "llo",
		"lu", "llx", "lX", "Le", "LE", "Lf", "Lg", "LG", "lc", "wc", "ls", "ws"};
	char text[8];

	for (const char *p = all; *p; p++) {
		snprintf(text, sizeof(text), "%%%c", *p);
		CHECK_INT(one(text)->info->letter, *p);
		CHECK(format_conv(*p) != NULL);
	}
	for (size_t i = 0; i < sizeof(sized) / sizeof(sized[0]); i++) {
		snprintf(text, sizeof(text), "%%%s", sized[i]);
		CHECK_STR(one(text)->spelled, text);
		CHECK(strlen(one(text)->size) == strlen(sized[i]) - 1);
	}
	CHECK_INT(one("%@r")->info->klass, CONV_SHARE);
	CHECK_INT(one("%5@.1R")->info->klass, CONV_SHARE);
	CHECK(format_conv('q') && !format_conv('y') && !format_conv('\0'));
}

static void test_errors(void)
{
	CHECK_STR(error_of("%hhd"), "format conversion #1 is undefined: %hhd");
	CHECK_STR(error_of("%d %z"), "format conversion #2 is undefined: %z");
	CHECK_STR(error_of("%% %d %5y"), "format conversion #3 is undefined: %y");
	/* a share is of an aggregation */
	CHECK_STR(error_of("%r"), "format conversion #1 is undefined: %r");
	CHECK_STR(error_of("%@lr"), "format conversion #1 is undefined: %lr");
	CHECK_STR(error_of("%lp"), "format conversion #1 is undefined: %lp");
	CHECK_STR(error_of("%llld"), "format conversion #1 is undefined: %llld");
	CHECK_STR(error_of("%hc"), "format conversion #1 is undefined: %hc");
	CHECK_STR(error_of("%"), "format conversion #1 is undefined: %");
	CHECK_STR(error_of("100%"), "format conversion #1 is undefined: %");
	CHECK_STR(error_of("%-5l"), "format conversion #1 is undefined: %l");
	CHECK_STR(
		error_of("%1$d"), "format conversion #1 uses unsupported positional format (%n$)");
	CHECK_STR(error_of("%d%**d"),
		"format conversion #2 has more than one '*' specified for the output width");
	CHECK_STR(error_of("%.**d"),
		"format conversion #1 has more than one '*' specified for the output precision");
	CHECK_STR(error_of("%1.2.3d"), "format conversion #1 has more than one '.' specified");
	CHECK_STR(error_of("%-%"),
		"format conversion #1 cannot be combined with other format flags: %%");
	CHECK_STR(error_of("%5%"),
		"format conversion #1 cannot be combined with other format flags: %%");
}

int main(void)
{
	arena = arena_new();
	test_shape();
	test_modifiers();
	test_conversions();
	test_errors();
	arena_free(arena);
	return test_done();
}
