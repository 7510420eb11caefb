# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Starts ClickHouse servers for the tests of this folder, on free ports of 127.0.0.1, with folders below the current one.
#
#	servers NAME...   prepare servers that are the shards of cluster `fleet`
#	group_inserts NAME...  with GROUP=1: a Distributed table passes several inserts on as one
#	start NAME        ask ${http[NAME]} or ${tcp[NAME]} then; it ends with the test
#	stop NAME         as a crash does
#	sql NAME TEXT     TabSeparated rows
# shellcheck disable=SC2034
declare -A http tcp pid
bad=0

complain() {
	echo "$1"
	bad=1
}

# A test that lacks what it needs is skipped.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
for tool in clickhouse-server clickhouse-client curl; do
	command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
ldconfig -p | grep -q libcurl.so.4 || { echo "no libcurl"; exit 77; }

free_port() {
	local port
	for ((port = 20000 + RANDOM % 10000; ; port++)); do
		(: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
	done
	echo $port
}

servers() {
	local name shards=
	for name; do
		http[$name]=$(free_port)
		tcp[$name]=$(free_port)
		shards+="<shard><replica><host>127.0.0.1</host><port>${tcp[$name]}</port></replica></shard>"
	done
	for name; do
		mkdir -p "$name/data"
		cat >"$name/config.xml" <<-END
			<yandex>
			<logger><level>warning</level><log>$PWD/$name/log</log><errorlog>$PWD/$name/errors</errorlog></logger>
			<http_port>${http[$name]}</http_port><tcp_port>${tcp[$name]}</tcp_port><listen_host>127.0.0.1</listen_host>
			<path>$PWD/$name/data/</path><tmp_path>$PWD/$name/tmp/</tmp_path>
			<users_config>$PWD/$name/users.xml</users_config><default_profile>default</default_profile>
			<default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
			<remote_servers><fleet>$shards</fleet></remote_servers>
			</yandex>
		END
		cat >"$name/users.xml" <<-END
			<yandex><profiles><default/><reader><readonly>1</readonly></reader></profiles><users>
			<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
			<sender><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></sender>
			<reader><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota></reader>
			<denied><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota>
			<allow_databases><database>default</database></allow_databases></denied>
			</users><quotas><default/></quotas></yandex>
		END
	done
}

group_inserts() {
	local name
	[[ $GROUP == 1 ]] || return
	for name; do
		sed -i 's|<profiles><default/>|<profiles><default><distributed_directory_monitor_batch_inserts>1</distributed_directory_monitor_batch_inserts></default>|' \
			"$name/users.xml"
	done
}

start() {
	local i
	clickhouse-server --config-file="$PWD/$1/config.xml" >"$1/out" 2>&1 &
	pid[$1]=$!
	for ((i = 0; i < 600; i++)); do
		[[ $(curl -s "http://127.0.0.1:${http[$1]}/ping") == Ok. ]] && return
		sleep 0.05
	done
	echo "clickhouse-server does not start: $(tail -n 3 "$1/errors" "$1/out")"
	exit 1
}

stop() {
	[[ ${pid[$1]:-} ]] || return
	kill -9 "${pid[$1]}"
	wait "${pid[$1]}" 2>/dev/null
	pid[$1]=
}

end_servers() {
	local name
	for name in "${!pid[@]}"; do
		stop "$name"
	done
}
trap end_servers EXIT

sql() {
	clickhouse-client --port "${tcp[$1]}" -q "$2"
}

# Runs the statements of --schema=WHAT on server NAME.
schema() { # NAME WHAT
	"$DTRACE" --schema="$2" >"$1/schema.sql" || complain "--schema=$2: $?"
	clickhouse-client --port "${tcp[$1]}" -nm <"$1/schema.sql" || complain "--schema=$2 is refused"
}

# Traces; the text is in out.txt, the messages in err.txt, the status in $status.
ship() { # URL OPTION...
	local url=$1
	shift
	status=0
	"$DTRACE" -x spool="$PWD/spool" --output=text --output="clickhouse:$url" "$@" >out.txt 2>err.txt || status=$?
}
