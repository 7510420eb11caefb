/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen: the terminal as --top uses it: the alternate screen, keys without Enter, and standard
 * error kept for later.  It knows nothing of what is shown.
 */
#ifndef CMD_SCREEN_H
#define CMD_SCREEN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>

struct screen {
	FILE *lines; /* what to show: a line each, up to `rows`; written by the owner, shown by
			screen_show() */
	char *text;  /* its memory */
	size_t len;
	unsigned rows, columns;
	bool open;
	struct termios keys; /* the terminal's settings before */
	int input_flags;
	int error;	/* standard error, as it was */
	FILE *messages; /* what went there meanwhile */
};

/* Take the terminal.  Returns 0, or -1 after a message: there is none, or it can do too little. */
int screen_open(struct screen *s);

/* Give it back, and print the messages.  For a screen that was not opened, it does nothing. */
void screen_close(struct screen *s);

/* Give it back, without the messages.  Async-signal-safe. */
void screen_abandon(const struct screen *s);

/* Returns the next key that was pressed, or 0. */
char screen_key(struct screen *s);

/* True, once, if the window has another size than before; `rows` and `columns` have it. */
bool screen_resized(struct screen *s);

/* Write the last message, without its newline, to BUF; *N is their number.  "" = none. */
void screen_last_message(struct screen *s, char *buf, size_t size, unsigned *n);

/* Put on the screen what was written to `lines`. */
void screen_show(struct screen *s);

#endif
