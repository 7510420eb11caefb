/* SPDX-License-Identifier: Apache-2.0 */
/* faults: what went wrong in programs and in actions, told to the message handler and the sinks. */
#ifndef SESSION_FAULTS_H
#define SESSION_FAULTS_H

struct dt_fault;
struct dtrace;
struct event;

/* A record that a program wrote about a fault.  0 or a sink's negative errno. */
int faults_report(struct dtrace *d, const struct dt_fault *f);

/* A failure of the consumer with an action of EV, in the words of a fault; likewise. */
int faults_report_action(struct dtrace *d, const struct event *ev, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
