#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The page of --web --fleet: from a heat map of all hosts to the slow host's cell, its names, which are markup, and its function in a flame
# graph; a difference; one host; a shard that is lost; a failure. Rows come from a real server of ClickHouse.
# @needs chromium chromedriver clickhouse-server clickhouse-client
# @timeout 120
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from browser import Browser, Flame, Keys, check, finish, skip

DTRACE = os.environ["DTRACE"]
PROGRAM = "'); DROP TABLE numbers; --"
MARKUP = "<img src=x onerror=alert(1)>"
NAP = "libc.so.6`nap" + MARKUP


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A server of ClickHouse, in a folder below this one; SHARDS: the TCP ports of all."""

    def __init__(self, name, tcp, shards):
        self.tcp, self.http, here = tcp, free_port(), Path.cwd() / name
        (here / "data").mkdir(parents=True)
        cluster = "".join(f"<shard><replica><host>127.0.0.1</host><port>{port}</port></replica></shard>" for port in shards)
        (here / "config.xml").write_text(f"""<yandex><logger><level>warning</level><log>{here}/log</log><errorlog>{here}/errors</errorlog></logger>
            <http_port>{self.http}</http_port><tcp_port>{tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
            <path>{here}/data/</path><tmp_path>{here}/tmp/</tmp_path><users_config>{here}/users.xml</users_config>
            <default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
            <remote_servers><fleet>{cluster}</fleet></remote_servers></yandex>""")
        (here / "users.xml").write_text("""<yandex><profiles><default/><reader><readonly>2</readonly></reader></profiles><users>
            <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
            <reader><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota></reader>
            </users><quotas><default/></quotas></yandex>""")
        self.process = subprocess.Popen(["clickhouse-server", f"--config-file={here}/config.xml"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, sql):
        return subprocess.run(["clickhouse-client", "--port", str(self.tcp), "-q", sql], capture_output=True, text=True)

    def await_answer(self, sql, answer, seconds=30):
        for _ in range(seconds * 20):
            if self.ask(sql).stdout.strip() == answer:
                return True
            time.sleep(0.05)
        return False

    def make_tables(self):
        schema = subprocess.run([DTRACE, "--schema=clickhouse:fleet"], capture_output=True, check=True).stdout
        subprocess.run(["clickhouse-client", "--port", str(self.tcp), "-nm"], input=schema, check=True)

    def kill(self):
        self.process.kill()
        self.process.wait()


def text(value):
    return value.replace("\\", "\\\\").replace("'", "\\'").replace("\t", "\\t")


def insert(server, table, columns, rows):
    lines = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    subprocess.run(["clickhouse-client", "--port", str(server.tcp), "-q", f"INSERT INTO dtrace.{table} ({columns}) FORMAT TabSeparated"],
                   input=lines.encode(), check=True)


def fill(server, now):
    """Forty hosts for five minutes: host7 is slow for a while, in nap() called by main()."""
    prog, cells, numbers = text(PROGRAM), [], []
    for second in range(now - 300, now, 5):
        for host in range(40):
            slow = host == 7 and now - 200 <= second < now - 150
            name = MARKUP if slow else "nginx"
            low = 1 << (20 if slow else 10 + host % 3)
            cells.append((prog, "lat", second, 5000, f"host{host}", 1, second, f"['{text(name)}']", 0, low, 2 * low - 1, 30))
            numbers.append((prog, "cpu", second, 5000, f"host{host}", 1, second, "['1']", 101 if slow else 100, "count", 10))
    insert(server, "distributions", "prog, agg, ts, ms, host, run, seq, key, stack, lo, hi, count", cells)
    insert(server, "numbers", "prog, agg, ts, ms, host, run, seq, key, stack, function, value", numbers)
    insert(server, "aggregations", "prog, agg, host, run, ts, seq, function, types", [
        (prog, agg, f"host{host}", 1, now, 1, *what) for host in range(40)
        for agg, what in (("lat", ("quantize", "['string']")), ("cpu", ("count", "['stack']")))])
    insert(server, "stacks", "stack, frames, host, ts, seq", [(100, "[1,3]", "host7", now, 1), (101, "[2,3]", "host7", now, 1)])
    insert(server, "frames", "frame, text, host, ts, seq", [
        (1, "app`work", "host7", now, 1), (2, f"libc.so.6`nap{MARKUP}", "host7", now, 1), (3, "app`main", "host7", now, 1)])


def choose(b, label, value):
    b.run("""const s = [...document.querySelectorAll('.fleet-form label')].find(l => l.firstChild.textContent === arguments[0]).querySelector('select');
        s.value = arguments[1]; s.dispatchEvent(new Event('change'))""", label, value)


def summary(b, what):
    b.wait(f"return document.querySelector('.heat-summary') && document.querySelector('.heat-summary').textContent.startsWith({what!r})")


def names(b, part):
    return [e.text for e in b.find(f".fleet-parts table[data-part='{part}'] tbody th")]


def visit(b, url):
    b.driver.get(url)
    summary(b, "72,000 values in 60 columns")
    check("the program", b.run("return document.querySelector('.fleet-form select').selectedOptions[0].textContent"), PROGRAM)
    choose(b, "Decompose by", "0")
    b.wait("return document.querySelectorAll('.heat-keys [data-hue]').length === 7")
    hues = b.run("return [...document.querySelectorAll('.heat-keys [data-hue]')].map(e => Number(e.value))")
    check("a hue each for six hosts, none for the others", sorted(hues), [0, 1, 2, 3, 4, 5, 6])
    check("the others", "(all others)" in [e.text for e in b.find(".heat-keys tbody th")])

    # with keys: the highest row has only the slow host's cells
    b.run("document.querySelector('.heat-canvas').focus()")
    b.press(Keys.HOME, *[Keys.ARROW_UP] * 20)
    for _ in range(60):
        if "1,048,576" in b.text(".heat-status") and not b.text(".heat-status").endswith(": 0"):
            break
        b.press(Keys.ARROW_RIGHT)
    b.press(Keys.RETURN)
    b.wait("return document.querySelector('.fleet-parts table')")
    check("the host of the cell", names(b, 0), ["host7"])
    check("its key, as text", names(b, 1), [MARKUP])
    check("no markup", len(b.find("img")), 0)
    b.wait("return document.querySelector('.flame-frame')")
    check("the function, and its caller", [f[0] for f in Flame(b).frames()], ["all", "app`main", NAP])
    b.screenshot("fleet")

    # against all other hosts: nap() is what they do not have
    choose(b, "Compare with", "rest")
    b.wait("return [...document.querySelectorAll('.flame-frame')].some(e => e.getAttribute('aria-label').startsWith('app`work'))")
    labels = {label.split(",")[0]: label for label in Flame(b).labels()}
    check("only now", ", before 0, now " in labels[NAP])
    check("only before", labels["app`work"].endswith(", now 0"))
    check("the legend says so", "more than before" in b.text(".flame-legend"))
    b.screenshot("fleet-difference")

    # one host, by a link; the address has it, and Back comes back
    b.find(".fleet-parts table[data-part='0'] a")[0].click()
    summary(b, "1,800 values")
    check("the filter", [e.text for e in b.find(".fleet-filters span")], ["only host host7"])
    check("the address", "only=0%3Ahost7" in b.driver.current_url)
    b.driver.back()
    summary(b, "72,000 values")
    b.driver.forward()
    summary(b, "1,800 values")
    b.find(".fleet-filters button")[0].click()
    summary(b, "72,000 values")

    # numbers with stacks: merged over hosts
    choose(b, "Aggregation", "cpu")
    b.wait("return document.querySelectorAll('.fleet-parts table[data-part=\"0\"] tbody tr').length === 40")
    b.wait("return [...document.querySelectorAll('.flame-frame')].some(e => e.getAttribute('aria-label') === 'all, 100.00 %, 24,000')")
    check("a frame of all hosts", "app`main, 100.00 %, 24,000" in Flame(b).labels())


def lose_shard(b, shard, left):
    """Without a shard there is an error, and on demand what the other one has: LEFT values."""
    choose(b, "Aggregation", "lat")
    summary(b, "72,000 values")
    shard.kill()
    b.button("Ask again").click()
    b.wait("return document.querySelector('.status.problem')")
    b.button("Ask without shards that do not answer").click()
    check("a part of the values", 0 < int(left) < 72000 or left)
    summary(b, f"{int(left):,} values")
    check("it says what is missing", [e.text for e in b.find(".fleet-filters span")], ["only shards that answer: the hosts of others are missing"])
    check("no error any more", b.text(".status"), "")
    check("the address has it", "shards=up" in b.driver.current_url)
    b.screenshot("fleet-shard")
    b.find(".fleet-filters button")[0].click()
    b.wait("return document.querySelector('.status.problem')")


def main():
    ports = [free_port(), free_port()]
    servers = [Server(name, port, ports) for name, port in zip("ab", ports)]
    page = None
    try:
        if not all(server.await_answer("SELECT 1", "1") for server in servers):
            skip("clickhouse-server does not start")
        for server in servers:
            server.make_tables()
        now = int(time.time()) // 5 * 5
        fill(servers[0], now)
        check("all rows arrive", servers[0].await_answer("SELECT sum(count) FROM dtrace.distributions FINAL", "72000"))
        check("and what is inserted last", servers[0].await_answer("SELECT count() FROM dtrace.frames FINAL", "3"))
        Path("credentials").write_text("user=reader\npassword=secret\n")
        os.chmod("credentials", 0o600)
        page = subprocess.Popen([DTRACE, "--web", f"--fleet=http://127.0.0.1:{servers[0].http}/", "-x", "credentials=credentials"], stderr=subprocess.PIPE, text=True)
        line = page.stderr.readline()
        if "libmicrohttpd" in line or "libcurl" in line:
            skip(line)
        url = line.split()[-1]
        with Browser(height=1600) as b:
            b.allowed = (url,)
            visit(b, url)
            lose_shard(b, servers[1], servers[0].ask("SELECT sum(count) FROM dtrace.distributions_local FINAL").stdout.strip())
            servers[0].kill()
            b.button("Ask again").click()
            # that of the shard is still marked as a problem
            b.wait("const s = document.querySelector('.status'); return s.classList.contains('problem') && s.textContent !== 'Asking'")
            check("a server that is away", "onnect" in b.text(".status") or b.text(".status"))
            check("the page stays", len(b.find(".flame-frame")) > 0)
            page.send_signal(signal.SIGINT)
            b.wait("return document.querySelector('.status').textContent === 'dtrace has ended'")
        lines = page.communicate()[1]
        # the first question after a shard's end fails in another way than the next
        check("a line for each kind of failure", all(line.startswith("dtrace: --web: http") for line in lines.splitlines()) and lines.count("\n") in (2, 3) or lines)
        check("the status", page.returncode, 0)
    finally:
        for process in (page, *(server.process for server in servers)):
            if process and process.poll() is None:
                process.kill()
                process.wait()


main()
finish()
