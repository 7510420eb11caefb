/* SPDX-License-Identifier: Apache-2.0 */
/* agent: what the Java agent and dtrace have agreed on. */
#ifndef JAVA_AGENT_AGENT_H
#define JAVA_AGENT_AGENT_H

#define AGENT_LINE_MOST 8192 /* bytes of a line of the agent, without its end */
#define AGENT_NO_FILE	"-"  /* of a class that does not name its source */

/*
 * What Agent_OnAttach() returns.  The VM passes it on to who asked for the agent, as a decimal
 * number.
 */
enum agent_return {
	AGENT_RUNS,
	AGENT_OPTIONS,	   /* are not a socket and the helper's name */
	AGENT_EVENTS,	   /* JVMTI refuses to tell of classes or to change them */
	AGENT_CONNECTIONS, /* cannot be made to the tracer: two descriptors are needed */
	AGENT_THREAD,	   /* cannot be created */
};

#endif
