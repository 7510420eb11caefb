/* SPDX-License-Identifier: Apache-2.0 */
/*
 * web: shows the aggregations of a running session in browsers, through src/web.  A consumer of the
 * public interface; what it makes costs nothing while no browser shows the page.
 */
#ifndef PICTURES_LIVE_H
#define PICTURES_LIVE_H

#include <stdint.h>

struct writer;
struct writer_about;

/*
 * Start the server at PORT (0 = any) of a page about ABOUT and fill in W, whose release() stops it.
 * *ADDRESS is what to open, and valid until then.  A negative errno, with a constant text in
 * *PROBLEM.
 */
int live_open(uint16_t port, const struct writer_about *about, struct writer *w,
	const char **address, const char **problem);

#endif
