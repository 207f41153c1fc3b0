"""The servers of Scripts/measure-servers: how each is installed and started, and a relay that writes down its requests."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
import venv

KINTO = """
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = {port}
[app:main]
use = egg:kinto
kinto.includes = kinto.plugins.history kinto.plugins.default_bucket
kinto.bucket_create_principals = system.Everyone
kinto.storage_backend = kinto.core.storage.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.cache_backend = kinto.core.cache.memory
multiauth.policies = basicauth
kinto.userid_hmac_secret = measure
"""

PYGEOAPI = """
server:
  bind: {{host: 127.0.0.1, port: {port}}}
  url: http://127.0.0.1:{port}
  mimetype: application/json; charset=UTF-8
  encoding: utf-8
  languages: [en-US]
  limits: {{default_items: 10, max_items: 50}}
  map: {{url: "https://example.org/{{z}}/{{x}}/{{y}}.png", attribution: none}}
logging: {{level: ERROR}}
metadata:
  identification: {{title: t, description: d, keywords: [k], keywords_type: theme, terms_of_service: x, url: "http://e.org"}}
  license: {{name: CC, url: "http://e.org"}}
  provider: {{name: n, url: "http://e.org"}}
  contact: {{name: n, email: a@example.org}}
resources:
  points:
    type: collection
    title: points
    description: points
    keywords: [k]
    extents: {{spatial: {{bbox: [-180, -90, 180, 90]}}}}
    providers: [{{type: feature, name: GeoJSON, data: points.geojson, id_field: id}}]
"""
POINTS = json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "id": str(n), "properties": {"n": n}, "geometry": {"type": "Point", "coordinates": [n, n]}}
    for n in range(1, 4)]})

# Each server: what to install, files to write, the command, its contract (a path of the server, a file below the
# environment, or part of its program), the path of its API, and the headers that both tools send, or the key that the server made up: a header, a
# file of the server's folder, and a pattern.
SERVERS = {
    "httpbin": dict(
        pip=["httpbin[mainapp]", "gunicorn", "setuptools<81"], contract="/spec.json",
        command=["{bin}/gunicorn", "-b", "127.0.0.1:{port}", "--threads", "4", "httpbin:app"]),
    "kinto": dict(
        pip=["kinto", "setuptools<81"], files={"kinto.ini": KINTO}, contract="/v1/__api__", base="/v1",
        command=["{bin}/kinto", "start", "--ini", "kinto.ini", "--port", "{port}"],
        headers={"Authorization": "Basic bWVhc3VyZTptZWFzdXJl"}),
    "jupyter_server": dict(
        pip=["jupyter_server"], contract="**/jupyter_server/services/api/api.yaml", base="",
        command=["{bin}/jupyter-server", "--allow-root", "--no-browser", "--ip=127.0.0.1", "--port={port}",
                 "--ServerApp.token=measure", "--ServerApp.root_dir={folder}"],
        headers={"Authorization": "token measure"}),
    "glances": dict(
        pip=["glances[web]"], contract="/openapi.json",
        command=["{bin}/glances", "-w", "-B", "127.0.0.1", "-p", "{port}", "--disable-webui", "--quiet"]),
    "pygeoapi": dict(
        pip=["pygeoapi", "gunicorn"], files={"pygeoapi.yml": PYGEOAPI, "points.geojson": POINTS},
        before=["{bin}/pygeoapi", "openapi", "generate", "pygeoapi.yml", "--output-file", "openapi.yml"],
        contract="/openapi?f=json", environment={"PYGEOAPI_CONFIG": "pygeoapi.yml", "PYGEOAPI_OPENAPI": "openapi.yml"},
        command=["{bin}/gunicorn", "-b", "127.0.0.1:{port}", "pygeoapi.flask_app:APP"]),
    "changedetection.io": dict(
        pip=["changedetection.io"], contract="**/docs/api-spec.yaml", base="/api/v1",
        key=("x-api-key", "data/changedetection.json", r'"api_access_token": *"([^"]+)"'),
        command=["{bin}/changedetection.io", "-C", "-d", "{folder}/data", "-h", "127.0.0.1", "-p", "{port}"]),
    "prefect": dict(
        pip=["prefect", "fastapi<0.119"], contract="/openapi.json", base="/api",
        environment={"PREFECT_HOME": "{folder}/home", "PREFECT_SERVER_ANALYTICS_ENABLED": "false"},
        command=["{bin}/prefect", "server", "start", "--host", "127.0.0.1", "--port", "{port}", "--no-services"]),
    "alertmanager": dict(
        apt="prometheus-alertmanager", files={"am.yml": "route: {{receiver: none}}\nreceivers: [{{name: none}}]\n"},
        contract="in the program", base="/api/v2",
        command=["prometheus-alertmanager", "--config.file=am.yml", "--storage.path={folder}/data",
                 "--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address="]),
    "pdns": dict(
        apt="pdns-server pdns-backend-bind", base="/api/v1", files={"pdns.conf": ""}, headers={"X-API-Key": "measure"},
        contract="/api/docs",
        command=["pdns_server", "--daemon=no", "--config-dir={folder}", "--socket-dir={folder}", "--launch=bind",
                 "--local-address=127.0.0.1", "--local-port={extra}", "--webserver=yes", "--api=yes",
                 "--api-key=measure", "--webserver-address=127.0.0.1", "--webserver-port={port}"]),
}


class Relay(threading.Thread):
    """Passes connections on byte by byte, and writes down the requests in them with the status of each answer."""

    REQUEST = re.compile(rb"(?:^|\r\n|[^\x20-\x7e]|[}\]>\w-])?([A-Z]{3,10}) ([!-~]+) HTTP/1\.[01]\r\n")
    STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")

    def __init__(self, port):
        super().__init__(daemon=True)
        self.target, self.requests = port, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=10)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            last = []
            for source, sink, note in [(client, server, self.asked), (server, client, self.answered)]:
                threading.Thread(target=self.copy, args=(source, sink, note, last), daemon=True).start()

    def asked(self, data, last):
        for method, target in self.REQUEST.findall(data):
            last[:] = [dict(time=time.time(), method=method.decode(), target=target.decode(), status=None)]
            self.requests += last

    def answered(self, data, last):
        if last and last[0]["status"] is None and (found := self.STATUS.match(data)):
            last[0]["status"] = found[1].decode()

    def copy(self, source, sink, note, last):
        try:
            while data := source.recv(65536):
                note(data, last)
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def stop(self):
        self.listener.close()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Server:
    """One of the servers, installed below a folder."""

    def __init__(self, name, root):
        self.name, self.about, self.root = name, SERVERS[name], root / name
        self.bin = self.root / "venv" / "bin"
        self.process = None

    def install(self):
        if package := self.about.get("apt"):
            if shutil.which(self.about["command"][0]) is None:
                run(["apt-get", "install", "-y", "--no-install-recommends", *package.split()])
            return
        if not (self.bin / "pip").exists():
            venv.create(self.root / "venv", with_pip=True)
            run([self.bin / "pip", "-q", "install", *self.about["pip"]])

    def start(self, turn):
        """Starts with empty data."""
        self.port = free_port()
        self.folder = self.root / f"run-{turn}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        names = dict(port=self.port, extra=free_port(), folder=self.folder, bin=self.bin)
        for name, text in self.about.get("files", {}).items():
            (self.folder / name).write_text(text.format(**names) if name != "points.geojson" else text)
        environment = dict(os.environ)
        for name, value in self.about.get("environment", {}).items():
            environment[name] = value.format(**names)
        fill = lambda words: [word.format(**names) for word in words]
        if before := self.about.get("before"):
            run(fill(before), cwd=self.folder, env=environment)
        log = (self.folder / "server.log").open("wb")
        self.process = subprocess.Popen(
            fill(self.about["command"]), cwd=self.folder, env=environment, stdout=log, stderr=log,
            start_new_session=True)
        for _ in range(240):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError((self.folder / "server.log").read_text(errors="replace")[-800:])
                time.sleep(0.5)

    def stop(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, 15)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, 9)

    def headers(self):
        """The headers that both tools send; a key that the server made up is in one of its files."""
        headers = dict(self.about.get("headers", {}))
        if about := self.about.get("key"):
            header, file, pattern = about
            headers[header] = re.search(pattern, (self.folder / file).read_text())[1]
        return headers

    def contract(self):
        """The file of the contract, written once."""
        place = self.about["contract"]
        if place.startswith("**"):
            return next(self.root.glob(place))
        if place == "in the program":
            program = pathlib.Path(shutil.which(self.about["command"][0])).read_bytes()
            start = re.search(rb'\{\s*"consumes": \[', program).start()
            # Bytes after the document do not matter.
            text = program[start:start + 1_000_000].decode("latin-1")
            content = json.dumps(json.JSONDecoder().raw_decode(text)[0], indent=1).encode()
        else:
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}{place}", headers=self.headers())
            with urllib.request.urlopen(request, timeout=60) as answer:
                content = answer.read()
        file = self.root / ("contract.json" if content.lstrip().startswith(b"{") else "contract.yaml")
        if not file.exists():
            file.write_bytes(content)
        return file


def run(command, **options):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, **options)
