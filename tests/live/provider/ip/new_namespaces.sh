#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 60
# A network namespace that is made while tracing is attached in at once, not at statusrate: what it sends later is counted
# exactly, without a word; where packets were faster, dtrace says that the first ones are unknown.
# @ref providers 9
. "${0%/*}/../lib.sh"

"$DTRACE" --doctor 2>&1 | grep -q 'the first packets of network namespaces' || { echo "packets are traced in kernel functions"; exit 77; }
message='network namespaces* came before their probes were placed; the first packets are unknown'

# Sends 3 datagrams and receives 3, both ends in the namespace, and counts them all: 6.  The status is dtrace's.
seen() { # COMMAND
	"$DTRACE" -x statusrate=60s --fail-on-drops -qn 'udp:::send
/args[4]->udp_length == 1055 && (args[4]->udp_dport == 5000 || args[4]->udp_sport == 5000)/ { @ = count(); }
END { printa("%@d\n", @); }' -o seen.txt -c "$1" >facts.txt 2>err.txt
}

send="$triggers/net -h -p 5000 udp 3 1047"
# in it there are as many hooks again when dtrace has attached there
cat >quiet.sh <<'END'
#!/bin/sh
hooks() { cat /proc/$tracer/fdinfo/* 2>/dev/null | grep -c netfilter; }
export tracer=$PPID
first=$(hooks)
unshare -n sleep 100 &
quiet=$!
until [ "$(hooks)" = $((2 * first)) ]; do sleep 0.05; done
nsenter -n -t $quiet "$@"
kill $quiet
END
chmod +x quiet.sh
for before in true "$triggers/calls getppid 5"; do
	rm -f seen.txt
	seen "./quiet.sh sh -c '$before >&2; $send'" || complain "a quiet namespace: status $?, $(<err.txt)"
	[[ $(sed '/^$/d' seen.txt) == 6 && ! -s err.txt ]] || complain "a quiet namespace: $(<seen.txt) $(<err.txt)"
done

# dtrace is stopped while a namespace comes: its first packets are unknown, the later ones are not
for what in "$send" "unshare -n $send"; do
	rm -f seen.txt
	echo "#!/bin/sh
kill -STOP \$PPID
unshare -n sh -c '$what
kill -CONT '\$PPID'
sleep 1
$send'" >stopped.sh
	chmod +x stopped.sh
	seen ./stopped.sh
	[[ $? != 0 ]] || complain "$what: --fail-on-drops did not fail"
	n=$(sed '/^$/d' seen.txt)
	# the namespace, and the one in it that is gone
	lost=1
	[[ $what == "$send" ]] || lost=2
	[[ $n == 6 ]] || complain "$what: $n of 6"
	sed -nE "s/^dtrace: ([0-9]+) $message\$/\\1/p" err.txt | grep -qx "[1-$lost]" || complain "$what: $(<err.txt)"
done

# several, one after the other, each of which ends before the next
printf '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8; do unshare -n %s; done\n' "$send" >eight.sh
chmod +x eight.sh
rm -f seen.txt
seen ./eight.sh
n=$(sed '/^$/d' seen.txt)
lost=$(sed -nE "s/^dtrace: ([0-9]+) $message\$/\\1/p" err.txt | awk '{ n += $1 } END { print n + 0 }')
# what could have been missed are the packets of the namespaces that are counted
[[ $((${n:-0} + 6 * lost)) -ge 48 && ${n:-0} -le 48 ]] || complain "$n of 48 and $lost namespaces: $(<err.txt)"
exit $bad
