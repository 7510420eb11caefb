/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent: what Agent_OnAttach() of the Java agent returns.  The VM passes it on to who asked for the
 * agent, as a decimal number.
 */
#ifndef JAVA_AGENT_AGENT_H
#define JAVA_AGENT_AGENT_H

enum agent_return {
	AGENT_RUNS,
	AGENT_OPTIONS,	   /* are not a socket and the helper's name */
	AGENT_EVENTS,	   /* JVMTI refuses to tell of classes or to change them */
	AGENT_CONNECTIONS, /* cannot be made to the tracer: three descriptors are needed */
	AGENT_THREAD,	   /* cannot be created */
};

#endif
