/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java_helper: a process that does for the tracer what the owner of a Java VM may do, and no more.
 *
 * To load an agent, files are made in the VM's /tmp, a signal is sent, and a socket is connected
 * to.  The owner of the VM can exchange all these for something else at any time, so this process
 * has his ids, no other groups and no capabilities.  He can also stop or kill it: whoever waits for
 * it needs a deadline.  It removes its files in the end, also if the tracer is killed.
 */
#ifndef MANAGED_JAVA_HELPER_H
#define MANAGED_JAVA_HELPER_H

#include <stddef.h>
#include <sys/types.h>

struct java_patience;

struct java_errand {
	uid_t uid;
	gid_t gid;
	int tmp;				 /* the folder, which may be open with O_PATH */
	int pidfd;				 /* of the VM */
	const char *file, *sock, *ask, *vm_sock; /* names in the folder; VM_SOCK is the VM's */
	const void *image;			 /* the content of FILE */
	size_t len;
	int listener, client; /* sockets: one becomes SOCK, one is connected to VM_SOCK */
};

/* What the process does, in this order. */
enum java_step {
	JAVA_STEP_IDS,	   /* takes the ids */
	JAVA_STEP_FILE,	   /* writes the agent's file */
	JAVA_STEP_SOCKET,  /* binds LISTENER to SOCK, with mode 0600 */
	JAVA_STEP_SIGNAL,  /* lets the VM listen, unless it does */
	JAVA_STEP_CONNECT, /* connects CLIENT */
	JAVA_STEPS,
};

struct java_helper {
	pid_t pid; /* 0: there is none */
	int fd;	   /* what it says */
};

/* 0 or -errno. */
int java_helper_start(struct java_helper *h, const struct java_errand *e);

/*
 * Waits until STEP, the next one, is done.  *FILE is the agent's, open for reading, after
 * JAVA_STEP_FILE.  0; -EPIPE: the process has ended; -EEXIST: something that is not the VM's has
 * the name of its socket; java_wait()'s errors or another errno.
 */
int java_helper_step(
	struct java_helper *h, enum java_step step, int *file, const struct java_patience *p);

/* Ends the process, after it has removed its files if nobody hinders it. */
void java_helper_end(struct java_helper *h);

#endif
