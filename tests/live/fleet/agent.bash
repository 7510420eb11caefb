# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Runs dtrace --agent with an /etc of its own, for the tests of this folder.
#
#	instrument NAME TEXT [LINE...]   write a script, and its section with more lines
#	begin_agent [LINE...]            start it with more lines in [agent]; its lines are in agent.txt
#	said REGEX                       wait for a line
#	running                          the processes that run instruments; the_child sets $child to the only one
#	end_agent [SIGNAL]               end it, and wait for it
agent=
conf=etc/dtrace.conf
scripts=$PWD/scripts
mkdir -p etc "$scripts"
chmod 755 . etc "$scripts"
cp -a /etc/ld.so.cache /etc/passwd /etc/group etc
: >$conf.instruments

instrument() { # NAME TEXT [LINE...]
	local file=$scripts/$1.d
	printf '%s\n' "$2" >"$file"
	chmod 644 "$file"
	printf '%s\n' "[instrument $1]" "file = $file" "sha256 = $(sha256sum "$file" | cut -d' ' -f1)" "${@:3}" >>$conf.instruments
}

begin_agent() { # [LINE...]
	printf '%s\n' '[agent]' "spool = $PWD/spool" 'poll = 1s' "$@" >$conf
	cat $conf.instruments >>$conf
	chmod 644 $conf
	: >agent.txt
	# shellcheck disable=SC2016
	unshare -m bash -c 'mount --bind etc /etc && exec "$0" --agent' "$DTRACE" >agent.out 2>agent.txt </dev/null &
	agent=$!
}

said() { # REGEX [TIMES]: wait until so many lines match
	local i
	for ((i = 0; i < 1200 * ${TIMEOUT_SCALE:-1}; i++)); do
		[[ $(grep -cE -- "$1" agent.txt) -ge ${2:-1} ]] && return
		sleep 0.05
	done
	complain "the agent did not say: $1"
	tail -n 50 agent.txt
	end_agent KILL
	exit 1 # nothing after it could come true
}

# The processes of instruments: the agent's children that have the script as descriptor 3. Those that ask and send have not.
running() {
	local child
	for child in $(cat "/proc/$agent/task/$agent/children" 2>/dev/null); do
		[[ $(readlink "/proc/$child/fd/3") == /memfd:instrument* ]] && echo "$child"
	done
}

# Waits for the one that was said to run, which may not have begun to; it is $child.
the_child() {
	local i
	for ((i = 0; i < 200 * ${TIMEOUT_SCALE:-1}; i++)); do
		child=$(running)
		[[ $child ]] && return
		sleep 0.05
	done
	complain "nothing runs"
}

count_running() { running | wc -l; }

end_agent() { # [SIGNAL]
	[[ $agent ]] || return 0
	kill "-${1:-TERM}" "$agent" 2>/dev/null
	status=0
	wait "$agent" 2>/dev/null || status=$?
	agent=
}

gone() { # PID...: they end soon
	local pid i
	for pid; do
		for ((i = 0; i < 200 * ${TIMEOUT_SCALE:-1}; i++)); do
			kill -0 "$pid" 2>/dev/null || continue 2
			sleep 0.05
		done
		complain "process $pid is still there: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
	done
}

later() { date -u -d "+$1" +%FT%TZ; } # 2026-11-26T10:00:00Z
