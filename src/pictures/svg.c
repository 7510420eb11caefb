// SPDX-License-Identifier: Apache-2.0
/* Writes text, numbers and colours of SVG pictures. */
#include "pictures/svg.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "formats/json.h"
#include "formats/stack_tree.h"

#define GROWTH_STEPS 10
#define SAMPLE	     96 /* pixels from one colour of the legend to the next */

enum colour {
#define PALETTE(name, light, dark) COLOUR_##name,
#include "pictures/palette.def"
#undef PALETTE
	COLOURS
};

struct shades {
	const char *name;
	uint32_t light, dark;
};

static const struct shades palette[COLOURS] = {
#define PALETTE(name, light, dark) {#name, light, dark},
#include "pictures/palette.def"
#undef PALETTE
};

/* ---- text and numbers ---- */

static void put_xml_char(struct buf *b, char c)
{
	if (c == '<' || c == '>' || c == '&' || c == '"')
		buf_printf(b, "&#%d;", c);
	else
		put_char(b, c);
}

static bool unescaped(struct buf *b, unsigned char c)
{
	return false;
}

/* The character at P of valid UTF-8. */
struct glyph {
	size_t len;	/* bytes */
	unsigned cells; /* as it is shown */
	bool as_bytes;	/* as \xNN */
};

static uint32_t code_at(const unsigned char *p, size_t *len)
{
	uint32_t c = p[0];

	*len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (*len > 1)
		c &= 0x7fu >> *len;
	for (size_t i = 1; i < *len; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* XML has no control characters, and neither U+FFFE nor U+FFFF (XML 1.0, 2.2). */
static struct glyph glyph_at(const unsigned char *p)
{
	struct glyph g = {.cells = 1};
	uint32_t c = code_at(p, &g.len);

	if (is_control(c) || (c >= 0xef80 && c <= 0xefff)) {
		g.as_bytes = true;
		g.cells = 4;
	} else if (c == 0xfffe || c == 0xffff) {
		g.as_bytes = true;
		g.cells = 12;
	} else if (c >= 0x1100) {
		g.cells = 2;
	}
	return g;
}

static void put_escape(struct buf *b, unsigned byte)
{
	unsigned char c = (unsigned char)byte;

	put_literal(b, "\\x");
	json_put_hex(b, &c, 1);
}

static void put_glyph(struct buf *b, const unsigned char *p, struct glyph g)
{
	size_t len;
	uint32_t c = code_at(p, &len);

	if (!g.as_bytes && len == 1)
		put_xml_char(b, (char)*p);
	else if (!g.as_bytes)
		put_bytes(b, p, len);
	else if (c > 0xefff)
		for (size_t i = 0; i < len; i++)
			put_escape(b, p[i]);
	else
		put_escape(b, c & 0xff);
}

void svg_put_text(struct buf *b, const char *text, size_t cells)
{
	struct buf utf8 = {0};
	size_t used = 0, at = 0, fits = 0;

	json_put_utf8(&utf8, text, strlen(text), unescaped);
	b->failed |= utf8.failed;
	/* how much fits with an ellipsis, if not everything does */
	while (at < utf8.len && used <= cells) {
		struct glyph g = glyph_at((unsigned char *)utf8.data + at);

		used += g.cells;
		at += g.len;
		if (used < cells)
			fits = at;
	}
	if (used <= cells)
		fits = utf8.len;
	for (at = 0; at < fits;) {
		const unsigned char *p = (unsigned char *)utf8.data + at;
		struct glyph g = glyph_at(p);

		put_glyph(b, p, g);
		at += g.len;
	}
	if (fits < utf8.len)
		put_literal(b, "\xe2\x80\xa6");
	buf_free(&utf8);
}

void svg_put_decimal(struct buf *b, double n)
{
	uint64_t hundredths = (uint64_t)(n * 100 + .5);

	unsigned rest = (unsigned)(hundredths % 100);

	json_put_unsigned(b, hundredths / 100);
	if (rest)
		buf_printf(b, ".%02u", rest);
}

/* ---- colours ---- */

const char *svg_kind_class(enum frame_kind kind)
{
	return palette[kind].name; /* the first rows are the kinds */
}

void svg_put_growth_class(struct buf *b, int step)
{
	if (!step)
		put_literal(b, "same");
	else
		buf_printf(b, "%s%d", step < 0 ? "shrunk" : "grown", step < 0 ? -step : step);
}

/* PART of GROWTH_STEPS of one colour, and the rest of another one. */
static uint32_t mix(uint32_t a, uint32_t b, unsigned part)
{
	uint32_t out = 0;

	for (unsigned shift = 0; shift < 24; shift += 8)
		out |= ((a >> shift & 255) * part + (b >> shift & 255) * (GROWTH_STEPS - part)) /
				GROWTH_STEPS
			<< shift;
	return out;
}

static uint32_t shade(enum colour c, bool dark)
{
	return dark ? palette[c].dark : palette[c].light;
}

static void put_rules(struct buf *b, bool dark, bool diff)
{
	for (unsigned i = 0; i < FRAME_KINDS; i++)
		buf_printf(b, ".%s rect{fill:#%06" PRIx32 "}\n", palette[i].name,
			shade((enum colour)i, dark));
	for (unsigned i = 1; i <= GROWTH_STEPS && diff; i++) {
		uint32_t same = shade(COLOUR_same, dark);

		buf_printf(b, ".grown%u rect{fill:#%06" PRIx32 "}\n", i,
			mix(shade(COLOUR_grown, dark), same, i));
		buf_printf(b, ".shrunk%u rect{fill:#%06" PRIx32 "}\n", i,
			mix(shade(COLOUR_shrunk, dark), same, i));
	}
	buf_printf(b, ".same rect{fill:#%06" PRIx32 "}\n", shade(COLOUR_same, dark));
	buf_printf(b, ".page{fill:#%06" PRIx32 "}\n", shade(COLOUR_page, dark));
	buf_printf(b, "text{fill:#%06" PRIx32 "}\n", shade(COLOUR_text, dark));
}

void svg_put_start(struct buf *b, const char *title, unsigned width, unsigned height, bool diff)
{
	put_literal(b,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" ");
	buf_printf(b, "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n<title>", width, height,
		width, height);
	svg_put_text(b, title, SIZE_MAX);
	put_literal(b,
		"</title>\n<style>\n"
		"text{font:12px \"DejaVu Sans Mono\",monospace;white-space:pre}\n"
		".heading{font-weight:bold}\n"
		".sample text,.note{font-family:sans-serif}\n");
	put_rules(b, false, diff);
	put_literal(b, "@media (prefers-color-scheme:dark){\n");
	put_rules(b, true, diff);
	put_literal(b, "}\n</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
}

static unsigned put_sample(
	struct buf *b, const char *class, const char *text, unsigned x, unsigned y)
{
	buf_printf(b, "<g class=\"%s sample\"><rect x=\"%u\" y=\"%u\" width=\"10\" height=\"10\"/>",
		class, x, y - 9);
	buf_printf(b, "<text x=\"%u\" y=\"%u\">%s</text></g>\n", x + 14, y, text);
	return x + SAMPLE;
}

void svg_put_legend(struct buf *b, unsigned x, unsigned y, const bool *has)
{
	static const char *const texts[FRAME_KINDS] = {[FRAME_JIT] = "JIT"};

	if (!has) {
		x = put_sample(b, "grown10", "more", x, y);
		x = put_sample(b, "shrunk10", "less", x, y);
		put_sample(b, "same", "the same", x, y);
		return;
	}
	for (unsigned k = 0; k < FRAME_KINDS; k++)
		if (has[k])
			x = put_sample(
				b, palette[k].name, texts[k] ? texts[k] : palette[k].name, x, y);
}
