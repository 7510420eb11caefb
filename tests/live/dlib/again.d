/*
 * tcps_retransmit of the tcp provider's send, for connections that get no answer.
 * @trigger again
 * @stderr
 * @ref providers 18.7 tcps_retransmit
 * @ref providers 18.7 tcp_dport tcp_flags
 */
#pragma D option quiet

int port, first, again;

syscall::getppid:entry
/pid == $target && (int)arg1 == -1/
{
	port = arg0;
}

tcp:::send
/port && args[4]->tcp_dport == port && args[4]->tcp_flags == TH_SYN/
{
	args[3]->tcps_retransmit ? again++ : first++;
}

syscall::getppid:entry
/pid == $target && (int)arg1 != -1/
{
	printf("first %d again %s\n", first, again > 0 && again >= arg1 ? "as many as the kernel says" :
		lltostr(again));
	port = 0;
}
