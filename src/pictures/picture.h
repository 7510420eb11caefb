/* SPDX-License-Identifier: Apache-2.0 */
/*
 * picture: the data of pictures, as JSON for the viewer (viz/), and the page that holds them.
 *
 * Lists of numbers are JSON strings: each number is its digits to the base of 32, the lowest first,
 * as characters of base64 (RFC 4648, section 4) that have bit 32 set if another one follows.
 * viz/data.js reads them.
 *
 *	{"frames":{"names":[...],"objects":[...],"files":[...],"list":"..."},
 *	 "graphs":[{"name":"c","function":"count","values":["count"],"nodes":"..."}], ...}
 *
 * Names of different frames can be equal.  "list" has five numbers for each frame: the numbers of
 * its name, object and file, its line, its kind (enum frame_kind).  "nodes" has for each node,
 * parents before children and siblings by name: how many levels its parent is above the node before
 * it, its frame, and its own values, one for each of "values".  The first node's parent is the
 *root, which is not in the list.
 */
#ifndef PICTURES_PICTURE_H
#define PICTURES_PICTURE_H

#include <stdint.h>
#include <stdio.h>

struct buf;
struct gather;
struct stream;
struct tree;
struct writer_about;

/* ---- picture.c ---- */

/* Appends N to a list of numbers. */
void picture_put_number(struct buf *b, uint64_t n);

/* Appends a JSON string that can stand in a page, with its quotes: text of any bytes, up to a NUL.
 */
void picture_put_text(struct buf *b, const char *text);

/*
 * Appends the members "frames" and "graphs" for the graphs of G that add up, without braces around
 * them.  0 or -ENOMEM.
 */
int picture_put_graphs(struct buf *b, const struct gather *g);

/*
 * Appends the member "about", {"program":...,"command":...,"host":...,"saved":...,"time":...} with
 * what is known, and a comma.
 */
void picture_put_about(struct buf *b, const struct writer_about *about);

/* ---- flamegraph_svg.c ---- */

/*
 * Appends an SVG picture of the graphs of G that add up, one below the other; of averages and
 * distributions the count and the sum.  0 or -ENOMEM.
 */
int flamegraph_svg_put(struct buf *b, const struct gather *g);

/* ---- page.c ---- */

/* Pages of files need nothing else; the live one gets its data from the server that it came from.
 */
enum page_kind { PAGE_FILE, PAGE_LIVE };

/* Appends the content security policy of such a page. */
void page_put_policy(struct buf *b, enum page_kind kind);

/*
 * Appends a page that shows PICTURE, JSON of LEN bytes without '<', when it is opened: it needs no
 * other file and makes no network request.  TITLE is plain text, followed by the name of the script
 * and the host of ABOUT, which may be NULL.
 */
void page_put(struct buf *b, enum page_kind kind, const char *title,
	const struct writer_about *about, const char *picture, size_t len);

#endif
