// SPDX-License-Identifier: Apache-2.0
/*
 * Writes pages that hold a picture and its viewer.
 *
 * The viewer's script and style sheet, made from viz/, are embedded here, with the hashes that name
 * them in the content security policy (W3C CSP 3, section 2.3.1).  The policy forbids everything
 * else: no other script runs, whatever the names of functions and keys contain, and nothing is
 * fetched.
 */
#include <string.h>

#include "base/buf.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "formats/writer.h"

/* The assembler reads the files; VIZ, their folder, comes from the Makefile. */
#define EMBED(name, file)                            \
	__asm__(".pushsection .rodata\n" #name ":\n" \
		".incbin \"" VIZ "/" file "\"\n"     \
		".byte 0\n"                          \
		".popsection\n");                    \
	extern const char name[] __attribute__((visibility("hidden")))

EMBED(page_script, "viewer.js");
EMBED(page_script_hash, "viewer.js.sha256");
EMBED(page_style, "viewer.css");
EMBED(page_style_hash, "viewer.css.sha256");

static bool html_escaped(struct buf *b, unsigned char c)
{
	if (c != '<' && c != '>' && c != '&' && c != '"')
		return false;
	buf_printf(b, "&#%u;", c);
	return true;
}

void page_put_policy(struct buf *b, enum page_kind kind)
{
	put_literal(b, "default-src 'none'; script-src 'sha256-");
	buf_puts(b, page_script_hash);
	put_literal(b, "'; style-src 'sha256-");
	buf_puts(b, page_style_hash);
	put_literal(b, "'; base-uri 'none'; form-action 'none'");
	if (kind == PAGE_LIVE)
		put_literal(b, "; connect-src 'self'");
}

static void put_title(struct buf *b, const char *title, const struct writer_about *about)
{
	json_put_utf8(b, title, strlen(title), html_escaped);
	if (about && about->name) {
		put_literal(b, " of ");
		json_put_utf8(b, about->name, strlen(about->name), html_escaped);
	}
	if (about && about->host) {
		put_literal(b, " on ");
		json_put_utf8(b, about->host, strlen(about->host), html_escaped);
	}
}

void page_put(struct buf *b, enum page_kind kind, const char *title,
	const struct writer_about *about, const char *picture, size_t len)
{
	put_literal(b,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"");
	page_put_policy(b, kind);
	put_literal(b,
		"\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	put_title(b, title, about);
	put_literal(b, "</title>\n<style>");
	buf_puts(b, page_style);
	put_literal(b,
		"</style>\n</head>\n<body>\n"
		"<noscript>This picture needs JavaScript. Write it as SVG to see it without.</noscript>\n"
		"<script type=\"application/json\" id=\"picture\">");
	put_bytes(b, picture, len);
	put_literal(b, "</script>\n<script>");
	buf_puts(b, page_script);
	put_literal(b, "</script>\n</body>\n</html>\n");
}
