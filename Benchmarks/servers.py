"""Starts servers, and measures them with wrk and the counters of /proc: for `throughput` and `scaling`."""
import collections
import glob
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time

# Requests a second, and the number of requests.
Load = collections.namedtuple("Load", "rate requests")


def start(command, url=None, folder=None):
    """The base URL of a server and its process, once it listens. A server that prints no address needs its URL here."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               cwd=folder, start_new_session=True)
    try:
        return (wait(process, command, url) if url else printed(process, command)), process
    except BaseException:
        stop(process)
        raise


def printed(process, command):
    """The address that a server prints."""
    seen = b""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        ready, _, _ = select.select([process.stdout], [], [], 1)
        if not ready:
            continue
        piece = os.read(process.stdout.fileno(), 4096)
        if not piece:
            sys.exit(f"{command}: ended with status {process.wait()} before it printed its address:\n{seen.decode()}")
        seen += piece
        # The line must be complete, or the port may lack digits.
        if match := re.search(rb"(https?://[^\s/]+:\d+)[^\d]", seen):
            return match[1].decode()
    sys.exit(f"{command}: printed no address within 30 s")


def wait(process, command, url):
    """The same URL, once a server listens there."""
    host, port = url.removeprefix("http://").split(":")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if process.poll() is not None:
            sys.exit(f"{command}: ended with status {process.returncode}:\n{process.stdout.read().decode()}")
        try:
            socket.create_connection((host, int(port)), 1).close()
            return url
        except OSError:
            time.sleep(0.01)
    sys.exit(f"{command}: did not listen on {url} within 30 s")


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the children as well
            process.wait()
    process.stdout.close()


def processor_time(process):
    """Seconds of a process and its children in user and system mode so far; None where the system does not report it."""
    ticks = None
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                number, rest = file.read().split(" ", 1)
        except OSError:  # ended meanwhile
            continue
        fields = rest.rsplit(")", 1)[1].split()
        if process.pid in (int(number), int(fields[1])):
            ticks = (ticks or 0) + int(fields[11]) + int(fields[12])
    return None if ticks is None else ticks / os.sysconf("SC_CLK_TCK")


def measure(url, seconds, connections, threads=1, headers=(), script=None, prefix=()):
    """The load that wrk puts on a server. Exits unless the server answers every request with success."""
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed (apt install wrk, brew install wrk)")
    command = [*prefix, "wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s"]
    for header in headers:
        command += ["-H", header]
    if script:
        command += ["-s", script]
    report = subprocess.run([*command, url], capture_output=True, text=True, timeout=seconds + 30)
    output = report.stdout + report.stderr
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    requests = re.search(r"(\d+) requests in", output)
    if report.returncode != 0 or not rate or not requests:
        sys.exit(f"wrk failed on {url}:\n{output}")
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(f"{url} did not answer every request with success:\n{output}")
    return Load(float(rate[1]), int(requests[1]))
