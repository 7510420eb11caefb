/*
 * curpsinfo and curlwpsinfo: the process and the thread as the library translates them.
 * @ref d-builtins 1 curpsinfo curlwpsinfo curcpu
 * @ref providers 18.1 pr_pid pr_ppid pr_pgid pr_sid pr_uid pr_euid pr_gid pr_fname
 * @ref providers 18.2 pr_lwpid
 * @ref providers 18.3 cpu_id
 * @ref d-language 16.2 pointer-member
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", curpsinfo->pr_pid == $pid, curpsinfo->pr_ppid == $ppid, curpsinfo->pr_pgid == $pgid,
		curpsinfo->pr_sid == $sid);
	printf("%d %d %d %d\n", curpsinfo->pr_uid == $uid, curpsinfo->pr_euid == $euid, curpsinfo->pr_gid == $gid,
		curpsinfo->pr_fname == execname);
	printf("%d\n", curlwpsinfo->pr_lwpid == tid);
	printf("%d\n", curcpu->cpu_id == cpu);
	exit(0);
}
