#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pcap(): a packet is shown by tshark, as bytes where there is none, and after freopen() is added to that file in libpcap's
# format; pcapsize bounds what is kept. NULL is no packet; what cannot be read is a fault. The packets are made by hand.
# @ref d-builtins 4 pcap
# @ref output 15 pcap-file pcap-tshark pcap-dump pcapsize
# @ref d-builtins 5.2 header rows
# @ref options 3 pcapsize

fail() { echo "$1:"; cat out err; od -A x -t x1z cap 2>/dev/null; exit 1; }

packet() { # BEFORE AFTER [LENGTH]
	cat <<-E2
	BEGIN
	{
		this->p = (char *)alloca(24);
		bcopy("packet data of 24 bytes", this->p, 24);
		this->skb = (struct sk_buff *)alloca(sizeof (struct sk_buff));
		this->skb->len = ${3:-24};
		this->skb->data_len = 0;
		this->skb->data = (unsigned char *)this->p;
		this->skb->head = (unsigned char *)this->p;
		this->type = 1;
		$1
		pcap(this->skb, this->type);
		$2
		exit(0);
	}
	E2
}
run() { PATH=${path:-$PATH} "$DTRACE" -wq -x scratchsize=4k -s p.d "$@" >out 2>err || fail "status $?"; }

# as bytes: no tshark to be found
mkdir empty tools
packet 'printf("before");' 'printf("after");' >p.d
path=$PWD/empty run
cat >want <<'E2'
before
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 70 61 63 6b 65 74 20 64 61 74 61 20 6f 66 20 32  packet data of 2
        10: 34 20 62 79 74 65 73 00                          4 bytes.
after
E2
diff out want || fail bytes
for n in 16 10; do # 10 is rounded up to 8s
	path=$PWD/empty run -x pcapsize=$n
	diff out <(grep -v 10: want) || fail "pcapsize $n"
done
path=$PWD/empty run -x pcapsize=0
diff out want || fail "pcapsize 0"

# through tshark, here one that shows what it is given
cat >tools/tshark <<'E2'
#!/bin/bash
PATH=/usr/bin:/bin
echo "$*" >args
head -c 24 | od -A n -t x4 -v | sed -n '1s/^ */magic /p'
tail -c +17 | tr -d '\0'
echo
E2
chmod +x tools/tshark
packet '' '' >p.d
path=$PWD/tools:/usr/bin:/bin run
grep -q 'magic a1b2c3d4' out && grep -q 'packet data of 24 bytes' out || fail tshark
grep -qw -- '-r -' args || fail "tshark's arguments"

# to a file: the magic, version 2.4, the link type; of each packet both lengths and the bytes
packet 'freopen("cap");' 'pcap(this->skb, this->type); freopen(""); printf("after");' >p.d
run
[[ $(<out) == after && $(stat -c %s cap) == $((24 + 2 * (16 + 24))) ]] || fail "file"
[[ $(od -A n -t x4 -N 8 -v cap | tr -s ' ') == ' a1b2c3d4 00040002' && $(od -A n -t u4 -j 20 -N 4 cap | tr -d ' ') == 1 ]] || fail "its head"
for at in 24 64; do
	[[ $(od -A n -t u4 -j $((at + 8)) -N 8 cap | tr -s ' ') == ' 24 24' ]] || fail "lengths"
	cmp -n 23 -i $((at + 16)):0 cap <(printf 'packet data of 24 bytes') || fail "packet"
	now=$(date +%s) then=$(od -A n -t u4 -j $at -N 4 cap)
	((then <= now && then > now - 60)) || fail "time"
done

# cut: the length on the wire stays
rm cap
packet 'freopen("cap");' '' >p.d
run -x pcapsize=8
[[ $(od -A n -t u4 -j 32 -N 8 cap | tr -s ' ') == ' 8 24' && $(stat -c %s cap) == 48 ]] || fail "cut"

# no packet, and none that can be read
"$DTRACE" -q -n 'BEGIN { pcap(NULL, 1); pcap((void *)0, 12); printf("nothing"); exit(0); }' >out 2>err || fail "status"
[[ $(<out) == nothing ]] || fail NULL
"$DTRACE" -q -n 'BEGIN { pcap((void *)4096, 1); printf("not reached"); } ERROR { printf("fault %d", arg4); exit(0); }' >out 2>err
[[ $(<out) == "fault 1" ]] || fail "fault"
