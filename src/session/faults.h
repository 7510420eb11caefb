/* SPDX-License-Identifier: Apache-2.0 */
/* faults: what went wrong in programs and in actions, told to the message handler and the sinks. */
#ifndef SESSION_FAULTS_H
#define SESSION_FAULTS_H

struct dt_fault;
struct dtrace;
struct event;
struct rec_action;

/* Report a fault that a program recorded.  0 or a sink's negative errno. */
int faults_report(struct dtrace *d, const struct dt_fault *f);

/* Report a failure of the consumer with ACT of EV as a fault.  0 or a negative errno. */
int faults_report_action(struct dtrace *d, const struct event *ev, const struct rec_action *act,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
