#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --web --fleet: what a real server, asked as a read-only user, answers to the page's questions; hostile names; failures.
# @needs python3
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 300
. "$SRCDIR/tests/live/fleet/servers.bash"
unshare --uts true 2>/dev/null || { echo "no UTS namespaces"; exit 77; }
ldconfig -p | grep -q libmicrohttpd.so.12 || { echo "no libmicrohttpd"; exit 77; }
page=
trap 'end_page; end_servers' EXIT

# Serves the page of URL; its address is in $address, what dtrace says in err.txt.
serve() { # URL OPTION...
	: >err.txt
	"$DTRACE" --web --fleet="$1" "${@:2}" 2>err.txt &
	page=$!
	address=
	for ((i = 0; i < 400 && ! ${#address}; i++)); do
		address=$(sed -n 's/^dtrace: open //p' err.txt)
		kill -0 $page 2>/dev/null || break
		sleep 0.05
	done
}

end_page() {
	[[ $page ]] || return
	kill $page 2>/dev/null
	wait $page
	status=$?
	page=
}

ask() { # NAME=VALUE...: the answer is in answer.json
	local words=() word
	for word; do
		words+=(--data-urlencode "$word")
	done
	curl -s -G "${address}ask" "${words[@]}" >answer.json
}

# What python makes of the answer `a`.
expect() { # WHAT EXPRESSION RESULT
	local got
	got=$(python3 -c "import json; a = json.load(open('answer.json')); print($2)" 2>&1)
	[[ $got == "$3" ]] || complain "$1: $got, not $3: $(head -c 500 answer.json)"
}

# ---- without a server, or without what it needs
serve ftp://127.0.0.1/
[[ $(<err.txt) == "dtrace: --fleet=ftp://127.0.0.1/: the URL is not http://HOST:PORT/ or https://HOST:PORT/" ]] || complain "another protocol: $(<err.txt)"
end_page
[[ $status == 1 ]] || complain "another protocol: status $status"
printf 'user=reader\npassword=secret\n' >credentials
chmod 644 credentials
serve http://127.0.0.1:1/ -x credentials=credentials
[[ $(<err.txt) == *"must belong to its reader alone (chmod 600)" ]] || complain "credentials that all can read: $(<err.txt)"
end_page
chmod 600 credentials
serve http://127.0.0.1:1/ -x cafile=none.pem
[[ $(<err.txt) == *"the file of certificates cannot be read" ]] || complain "no file of certificates: $(<err.txt)"
end_page
for words in "--fleet=http://127.0.0.1:1/" "--web --fleet=http://127.0.0.1:1/ -n BEGIN" "--web --fleet=http://127.0.0.1:1/ x"; do
	# shellcheck disable=SC2086
	"$DTRACE" $words 2>err.txt
	[[ $? == 2 && $(<err.txt) == "dtrace: --fleet "* && $(wc -l <err.txt) == 1 ]] || complain "$words: $(<err.txt)"
done

# ---- no tables, no user, no right to read: one line each, and the page goes on
servers one
start one
url=http://127.0.0.1:${http[one]}/
serve "$url" -x credentials=credentials
ask what=list
expect "no database" 'a["error"]' "$url: Database dtrace doesn't exist (HTTP status 404); dtrace --schema=clickhouse makes the tables"
ask what=list
[[ $(grep -c 'dtrace: --web: .*Database' err.txt) == 1 ]] || complain "a failure that repeats is not said once: $(<err.txt)"
schema one clickhouse
ask what=list
expect "nothing sent" 'a["aggregations"]' '[]'
ask what=drop
expect "a question that is none" 'a["error"]' 'the page asks for something that dtrace does not know'
[[ $(curl -s "${address}ask") == "the question is too long, or empty" ]] || complain "an empty question"
[[ $(curl -s -G "${address}ask" --data-urlencode "prog=$(head -c 17000 /dev/zero | tr '\0' x)") == "the question is too long, or empty" ]] || complain "a long question"
[[ $(curl -s -o /dev/null -w '%{http_code}' "${address%/*/}/wrong/ask?what=list") == 404 ]] || complain "a question without the token"
[[ $(curl -s -o /dev/null -w '%{http_code}' -H 'Host: example.com' "${address}ask?what=list") == 403 ]] || complain "a question of another page"
end_page
[[ $status == 0 ]] || complain "SIGTERM: status $status"
printf 'user=nobody\npassword=secret\n' >nobody
chmod 600 nobody
serve "$url" -x credentials=nobody
ask what=list
expect "an unknown user" 'a["error"]' "$url: Unknown user nobody (HTTP status 401)"
end_page
printf 'user=denied\npassword=secret\n' >denied
chmod 600 denied
serve "$url" -x credentials=denied
ask what=list
expect "a user without rights" '"Access denied to database dtrace" in a["error"]' True
end_page

# ---- rows of three hosts; h3 is slow.  The names are hostile
cat >io.d <<'END'
#pragma D option quiet
tick-10ms /n < 60/ { n++; @size["a"] = avg(n); @cpu[stack()] = count(); @own[stack(), "k"] = quantize($1); @lat["fast", n % 2] = quantize(1000); @lat["<img src=x onerror=alert(1)>", 7] = quantize($1); }
tick-2s { exit(0); }
END
prog="'); DROP TABLE numbers; --"
send() { # HOST LATENCY
	unshare --uts python3 -c 'import os, socket, sys; socket.sethostname(os.fsencode(sys.argv[1])); os.execv(sys.argv[2], sys.argv[2:])' \
		"$1" "$DTRACE" -x spool="$PWD/spool" --output=text \
		--output="clickhouse:$url" --output=folded:"${1//[^a-z0-9]/_}.folded" -x program="$prog" -s io.d "$2" >out.txt 2>err.txt ||
		complain "$1: $(<err.txt)"
}
from=$(date +%s)
send h1 1000
send '<b>h2' 1000
send $'h3\xff' 1000000
to=$(($(date +%s) + 1))
for ((i = 0; i < 100; i++)); do
	[[ $(sql one "SELECT count(DISTINCT host) FROM dtrace.sends") == 3 ]] && break
	sleep 0.1
done

serve "$url" -x credentials=credentials
about=("prog=$prog" "from=$from" "to=$to")
ask what=list
expect "aggregations" '[(r["agg"], r["function"], r["keys"], r["stack"], r["hosts"]) for r in a["aggregations"]]' \
	"[('cpu', 'count', 1, 1, 3), ('lat', 'quantize', 2, 0, 3), ('own', 'quantize', 2, 1, 3), ('size', 'avg', 1, 0, 3)]"
expect "the program" 'a["aggregations"][0]["prog"]' "$prog"

# Sums of the cells by row and group; numbers as src/pictures/picture.h has them.
cat >sums.py <<'END'
import json
a = json.load(open("answer.json"))
def numbers(text):
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    out, n, shift = [], 0, 0
    for c in text:
        d = digits.index(c)
        n |= (d & 31) << shift
        shift += 5
        if d < 32:
            out.append(n)
            n = shift = 0
    return out
m = a["heatmaps"][0]
cells, sums, i = numbers(m["cells"]), {}, 0
names = ["all others"] + a["values"]
while i < len(cells):
    for k in range(cells[i + 1]):
        row, series, count = cells[i + 2 + 3 * k:i + 5 + 3 * k]
        key = (m["rows"][row][0], names[series])
        sums[key] = sums.get(key, 0) + count
    i += 2 + 3 * cells[i + 1]
print(sorted(sums.items()))
END
sums() { # WHAT RESULT
	local got
	got=$(python3 sums.py 2>&1)
	[[ $got == "$2" ]] || complain "$1: $got, not $2: $(head -c 500 answer.json)"
}
ask what=heat agg=lat by=none "${about[@]}"
sums "all hosts" "[(('512', 'all others'), 300), (('524288', 'all others'), 60)]"
ask what=heat agg=lat by=0 "${about[@]}"
sums "by host" "[(('512', '<b>h2'), 120), (('512', 'h1'), 120), (('512', 'h3\\uefff'), 60), (('524288', 'h3\\uefff'), 60)]"
ask what=heat agg=lat by=1 "${about[@]}"
sums "by key" "[(('512', '<img src=x onerror=alert(1)>'), 120), (('512', 'fast'), 180), (('524288', '<img src=x onerror=alert(1)>'), 60)]"
ask what=heat agg=lat by=1 "${about[@]}" $'only=0:h3\xee\xbf\xbf'
sums "a host whose name is no UTF-8" "[(('512', 'fast'), 60), (('524288', '<img src=x onerror=alert(1)>'), 60)]"
ask what=heat agg=lat by=0 "${about[@]}" 'without=0:h1' 'only=1:fast' 'only=2:0'
sums "filters" "[(('512', '<b>h2'), 30), (('512', 'h3\\uefff'), 30)]"
grep -q '<' answer.json && complain "an answer has <"
ask what=heat agg=none by=0 "${about[@]}"
expect "no rows" 'a' "{'empty': True}"
ask what=list shards=up # a user with readonly=1 cannot ask so: tests/browser/fleet.py has one who can
expect "without the shards that are down" '"skip_unavailable_shards" in a["error"]' True
ask what=list shards=some
expect "which shards" 'a["error"]' 'the page asks for something that dtrace does not know'

ask what=cells agg=lat low=524288 high=1048575 "${about[@]}"
expect "the slow cells" 'a["parts"]' "[[['h3\\uefff', 60]], [['<img src=x onerror=alert(1)>', 60]], [['7', 60]]]"
ask what=cells agg=size table=numbers "${about[@]}"
expect "numbers" 'sorted(a["parts"][0])' "[['<b>h2', 60], ['h1', 60], ['h3\\uefff', 60]]"

# ---- stacks: those of the folded output
cat >flame.py <<'END'
import json, sys
exec(open("sums.py").read().split("m = a")[0])
g, f = a["graphs"][0], numbers(a["frames"]["list"])
frames = []
for i in range(0, len(f), 5):
    name, module = a["frames"]["names"][f[i]], a["frames"]["objects"][f[i + 1]]
    frames.append(module + "`" + name if module else name)
nodes, step, path = numbers(g["nodes"]), 2 + len(g["values"]), []
for i in range(0, len(nodes), step):
    path = path[:len(path) - nodes[i]] + [frames[nodes[i + 1]]]
    if any(nodes[i + 2:i + step]):
        print(";".join(path), *nodes[i + 2:i + step])
END
flame() { # WHAT HOST...: the graph is what these printed
	local what=$1
	shift
	python3 flame.py | sort >got.folded
	cat "$@" | awk '{ n = $NF; sub(/ [0-9]+$/, ""); total[$0] += n } END { for (i in total) print i " " total[i] }' | sort >want.folded
	[[ $(<got.folded) == *\;* ]] || complain "$what: no stacks: $(head -c 300 answer.json)"
	diff want.folded got.folded >diff.txt || complain "$what: $(head -n 5 diff.txt)"
}
for name in h1 _b_h2 h3_; do
	grep -v '^k[; ]' $name.folded >$name.cpu # without @own
done
ask what=flame agg=cpu table=numbers "${about[@]}"
flame "stacks of all hosts" h1.cpu _b_h2.cpu h3_.cpu
ask what=flame agg=cpu table=numbers through=lat low=524288 high=1048575 "${about[@]}"
flame "stacks of the slow host" h3_.cpu
ask what=flame agg=own table=distributions low=524288 high=1048575 "${about[@]}"
[[ $(python3 flame.py | awk '{ n += $NF } END { print n }') == 60 ]] || complain "stacks of the cells: $(head -c 300 answer.json)"
ask what=flame agg=cpu table=numbers "${about[@]}" only=0:h1 "old_from=$from" "old_to=$to" 'old_only=0:<b>h2'
expect "a difference" 'a["graphs"][0]["values"]' "['count', 'old count']"
got=$(python3 flame.py | awk '{ now += $(NF - 1); old += $NF } END { print now, old }')
want=$(cat h1.cpu | awk '{ n += $NF } END { print n }')" $(cat _b_h2.cpu | awk '{ n += $NF } END { print n }')"
[[ $got == "$want" ]] || complain "a difference: $got, not $want"

# ---- the sums of --schema=clickhouse-rollup give the same
"$DTRACE" --schema=clickhouse-rollup | clickhouse-client --port "${tcp[one]}" -nm || complain "rollup"
for rows in 1s 1m 10m; do
	ask what=heat agg=lat by=1 rows=$rows "${about[@]}" "from=$((from / 600 * 600))"
	sums "rows=$rows" "[(('512', '<img src=x onerror=alert(1)>'), 120), (('512', 'fast'), 180), (('524288', '<img src=x onerror=alert(1)>'), 60)]"
done
[[ $(sql one "SELECT count() FROM dtrace.numbers" 2>&1) -gt 0 ]] || complain "the tables are gone"

# ---- what the processes may do
children=$(pgrep -P $page)
[[ $(wc -w <<<"$children") == 2 ]] || complain "children: $children"
for child in $children; do
	grep -q 'CapEff:	0000000000000000' "/proc/$child/status" || complain "capabilities: $(grep Cap "/proc/$child/status")"
	grep -q 'Seccomp:	2' "/proc/$child/status" || complain "no filter: $(grep Seccomp "/proc/$child/status")"
	grep -q 'Uid:	65534	65534	65534' "/proc/$child/status" || complain "user: $(grep Uid "/proc/$child/status")"
	tr '\0' ' ' <"/proc/$child/cmdline" | grep -q secret && complain "a password in a command line"
done

# ---- a process that is killed, a server that is away, another schema: a line each, and then it goes on
for child in $children; do
	grep -q libcurl "/proc/$child/maps" && kill -9 "$child"
done
sleep 0.5
ask what=list
expect "another process asks" 'len(a["aggregations"])' 4
stop one
ask what=list
expect "a server that is away" '"connect" in a["error"]' True
start one
ask what=list
expect "it is back" 'len(a["aggregations"])' 4
sql one "DROP TABLE dtrace.distributions"
sql one "CREATE TABLE dtrace.distributions (other String) ENGINE = Memory"
ask what=heat agg=lat by=0 "${about[@]}"
expect "another schema" '"Missing columns" in a["error"] or "Unknown identifier" in a["error"]' True
[[ $(grep -vc '^dtrace: ' err.txt) == 0 && $(wc -l <err.txt) == 4 ]] || complain "lines on stderr: $(<err.txt)"
grep -q secret err.txt && complain "a password was written"
end_page

# ---- TLS is verified
if command -v openssl >/dev/null; then
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem 2>/dev/null
	rm -f port requests
	python3 -B "$SRCDIR/tests/live/fleet/read/receiver.py" record cert.pem key.pem 2>receiver.txt &
	receiver=$!
	for ((i = 0; i < 400; i++)); do
		[[ -s port ]] && break
		sleep 0.05
	done
	serve "https://127.0.0.1:$(<port)/" -x credentials=credentials
	ask what=list
	expect "a certificate of nobody" '"certificate" in a["error"].lower()' True
	[[ -e requests ]] && complain "a question went to a server that cannot be trusted"
	end_page
	chmod 600 cert.pem
	serve "https://127.0.0.1:$(<port)/" -x credentials=credentials -x cafile=cert.pem
	ask what=list
	expect "a certificate that is trusted" 'a' "{'aggregations': []}"
	grep -q '^POST /?wait_end_of_query=1&query=SELECT' requests || complain "nothing was asked with TLS: $(head -c 300 requests)"
	end_page
	kill $receiver
	wait $receiver 2>/dev/null
fi
exit $bad
