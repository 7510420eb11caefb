/*
 * Libraries are compiled when a name of theirs is used; the program's own of the same names stand.
 * @ref d-language 18.1 libraries
 * @ref providers 18.1 pr_pid
 */
#pragma D option quiet

inline int SIGHUP = 77;
typedef long lgrp_id_t;
int O_CREAT;

int getmajor(int x)
{
	return x + 1;
}

BEGIN
{
	O_CREAT = 5;
	PR_IDLE = 6;
	printf("%d %d %d %d\n", SIGHUP, O_CREAT, getmajor(3), sizeof (lgrp_id_t));
	printf("%d %d %d\n", SIGINT, getminor(0x100003), curpsinfo->pr_pid == pid);
	printf("%d %d %d %d %d\n", SIGHUP, O_CREAT, getmajor(3), sizeof (lgrp_id_t), PR_IDLE);
	exit(0);
}
