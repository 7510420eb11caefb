/* SPDX-License-Identifier: Apache-2.0 */
/* faults: what went wrong in programs and in actions, told to the message handler and the sinks. */
#ifndef SESSION_FAULTS_H
#define SESSION_FAULTS_H

struct dt_fault;
struct dtrace;
struct event;

/* Report a fault that a program recorded.  0 or a sink's negative errno. */
int faults_report(struct dtrace *d, const struct dt_fault *f);

/* Report a failure of the consumer with an action of EV as a fault.  0 or a negative errno. */
int faults_report_action(struct dtrace *d, const struct event *ev, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
