#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcpsinfo_t: what it says of a connection is what TCP_INFO says of it, and each end's first sequence number is that of
# the segment that opened it.
# @ref providers 18.7 tcps_lport tcps_rport tcps_laddr tcps_raddr tcps_mss tcps_snd_ws tcps_rcv_ws tcps_iss tcps_irs tcps_local
# @ref providers 10 send
# @ref providers 18.7 ip_plength ip_saddr ip_daddr tcp_sport tcp_dport tcp_seq tcp_ack tcp_offset tcp_flags tcps_state tcps_snxt tcps_rnxt tcps_rto tcps_retransmit
. "${0%/*}/../lib.sh"

WITHIN="unshare -n"
for options in "" -6; do
	observe net $options -h -p 5000 tcp 5 1000 <<-'EOD'
	tcp:::send { this->port = args[3]->tcps_lport; }
	tcp:::send /args[4]->tcp_flags & TH_SYN/ { iss[args[4]->tcp_sport] = args[4]->tcp_seq; }
	tcp:::send
	/(this->port == 5000 || this->port == 5001) && args[2]->ip_plength > args[4]->tcp_offset/
	{
		state[this->port] = args[3]->tcps_state;
		@[this->port, "ports", this->port == args[4]->tcp_sport && args[3]->tcps_rport == args[4]->tcp_dport] = count();
		@[this->port, "addresses", args[3]->tcps_laddr == args[2]->ip_saddr &&
		    args[3]->tcps_raddr == args[2]->ip_daddr] = count();
		@[this->port, "local", args[3]->tcps_local] = count();
		@[this->port, "state", args[3]->tcps_state] = count();
		@[this->port, "snd_ws", args[3]->tcps_snd_ws] = count();
		@[this->port, "rcv_ws", args[3]->tcps_rcv_ws] = count();
		@[this->port, "ssthresh", args[3]->tcps_cwnd_ssthresh] = count();
	}
	tcp:::send
	/(this->port == 5000 || this->port == 5001) && args[2]->ip_plength > args[4]->tcp_offset/
	{
		/* the sequence number is the next one to send, or was so just now */
		@[this->port, "sequence", args[3]->tcps_snxt == args[4]->tcp_seq ||
		    args[3]->tcps_snxt == args[4]->tcp_seq + 1000] = count();
		@[this->port, "acknowledged", args[3]->tcps_rnxt == args[4]->tcp_ack] = count();
		@[this->port, "retransmit", args[3]->tcps_retransmit] = count();
		mss[this->port] = args[3]->tcps_mss;
		rto[this->port] = args[3]->tcps_rto;
		first[this->port] = args[3]->tcps_iss - iss[this->port];
		other[this->port] = args[3]->tcps_irs - iss[args[4]->tcp_dport];
	}
	END
	{
		printa("%d %s %d %@d\n", @);
		printf("5001 last %d %d\n5000 last %d %d\n", mss[5001], rto[5001], mss[5000], rto[5000]);
		printf("5001 first %d %d\n5000 first %d %d\n", (int)first[5001], (int)other[5001], (int)first[5000],
		    (int)other[5000]);
	}
	EOD
	for who in client server; do
		port=$([[ $who == client ]] && echo 5001 || echo 5000)
		value() { field facts.txt "info $who " "$1"; }
		diff - <(grep -E "^$port (ports|addr|local|state|snd|rcv|ss|seq|ack|retr)" events.txt | sort) <<-EOE ||
		$port acknowledged 1 5
		$port addresses 1 5
		$port local 1 5
		$port ports 1 5
		$port rcv_ws $(value rcv_ws) 5
		$port retransmit 0 5
		$port sequence 1 5
		$port snd_ws $(value snd_ws) 5
		$port ssthresh $(value ssthresh) 5
		$port state $(value state) 5
		EOE
			complain "$who $options: TCP_INFO <, tcpsinfo_t >"
		# TCP_INFO has the time in microseconds, and the last round trip changes it by a little
		read -r _ _ mss rto < <(grep "^$port last" events.txt)
		[[ $mss == "$(value mss)" ]] || complain "$who $options: mss $mss, not $(value mss)"
		[[ $rto -ge 180 && $rto -le 1100 ]] || complain "$who $options: rto $rto ms, not about $(value rto) us"
		# what opened the connection counts as one, or not
		read -r _ _ first other < <(grep "^$port first" events.txt)
		[[ $first -ge 0 && $first -le 1 && $other -ge 0 && $other -le 1 ]] ||
			complain "$who $options: sequence numbers begin $first and $other after those of SYN"
	done
done
exit $bad
