"""The servers of Evidence/measure-servers: how each is installed and started, and a relay that writes down its requests."""

import getpass
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

FAB_CONFIG = """SECRET_KEY = "measure-only-measure-only-measure-only"
SQLALCHEMY_DATABASE_URI = "sqlite:///app.db"
FAB_API_SWAGGER_UI = True
FAB_ADD_SECURITY_API = True
WTF_CSRF_ENABLED = False
RATELIMIT_ENABLED = False
AUTH_RATE_LIMITED = False
"""

FAB_APP = """from flask import Flask
from flask_appbuilder import AppBuilder, Model
from flask_appbuilder.api import ModelRestApi
from flask_appbuilder.models.sqla.interface import SQLAInterface
from flask_appbuilder.utils.legacy import get_sqla_class
from sqlalchemy import Column, Date, ForeignKey, Integer, String
from sqlalchemy.orm import relationship

db = get_sqla_class()()
app = Flask(__name__)
app.config.from_pyfile("config.py")
appbuilder = AppBuilder()


class Team(Model):
    __tablename__ = "team"
    id = Column(Integer, primary_key=True)
    name = Column(String(50), unique=True, nullable=False)


class Contact(Model):
    __tablename__ = "contact"
    id = Column(Integer, primary_key=True)
    name = Column(String(150), unique=True, nullable=False)
    birthday = Column(Date)
    team_id = Column(Integer, ForeignKey("team.id"))
    team = relationship("Team")


class TeamApi(ModelRestApi):
    resource_name = "team"
    datamodel = SQLAInterface(Team)


class ContactApi(ModelRestApi):
    resource_name = "contact"
    datamodel = SQLAInterface(Contact)


with app.app_context():
    db.init_app(app)
    appbuilder.init_app(app, db.session)
    db.create_all()
    appbuilder.add_api(TeamApi)
    appbuilder.add_api(ContactApi)
    manager = appbuilder.sm
    if not manager.find_user("admin"):
        manager.add_user("admin", "Ad", "Min", "admin@localhost", manager.find_role("Admin"), "measure-39")
"""

DRF_APP = """import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"], DEBUG=False, ROOT_URLCONF=__name__, SECRET_KEY="measure-only-measure-only-measure-only",
    DATABASES={{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": "app.db"}}}}, USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework", "drf_spectacular"],
    REST_FRAMEWORK={{"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
                    "DEFAULT_AUTHENTICATION_CLASSES": [],
                    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination", "PAGE_SIZE": 10}})
django.setup()

from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework import routers, serializers, viewsets


class UserSerializer(serializers.HyperlinkedModelSerializer):
    class Meta:
        model = User
        fields = ["url", "username", "email", "groups"]


class GroupSerializer(serializers.HyperlinkedModelSerializer):
    class Meta:
        model = Group
        fields = ["url", "name"]


class UserViewSet(viewsets.ModelViewSet):
    queryset = User.objects.all().order_by("-date_joined")
    serializer_class = UserSerializer


class GroupViewSet(viewsets.ModelViewSet):
    queryset = Group.objects.all().order_by("name")
    serializer_class = GroupSerializer


router = routers.DefaultRouter()
router.register(r"users", UserViewSet)
router.register(r"groups", GroupViewSet)
urlpatterns = [path("", include(router.urls)), path("schema/", SpectacularAPIView.as_view())]
call_command("migrate", verbosity=0)
application = get_wsgi_application()
"""

CONNEXION_CONTRACT = """openapi: 3.0.0
info: {{title: Shelves, version: "1"}}
components:
  schemas:
    Shelf:
      type: object
      required: [name]
      properties:
        id: {{type: integer, readOnly: true}}
        name: {{type: string, minLength: 1, maxLength: 40}}
        width: {{type: number, minimum: 0}}
        tags: {{type: array, items: {{type: string}}}}
paths:
  /shelves:
    get:
      operationId: app.search
      parameters:
        - {{name: limit, in: query, schema: {{type: integer, minimum: 1, maximum: 100, default: 20}}}}
        - {{name: tag, in: query, schema: {{type: string}}}}
      responses:
        "200": {{description: shelves, content: {{application/json: {{schema: {{type: array, items: {{$ref: "#/components/schemas/Shelf"}}}}}}}}}}
    post:
      operationId: app.add
      requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: "#/components/schemas/Shelf"}}}}}}}}
      responses:
        "201": {{description: added, content: {{application/json: {{schema: {{$ref: "#/components/schemas/Shelf"}}}}}}}}
        "400": {{description: bad}}
  /shelves/{{shelf_id}}:
    parameters: [{{name: shelf_id, in: path, required: true, schema: {{type: integer}}}}]
    get:
      operationId: app.read
      responses:
        "200": {{description: one, content: {{application/json: {{schema: {{$ref: "#/components/schemas/Shelf"}}}}}}}}
        "404": {{description: none}}
    put:
      operationId: app.change
      requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: "#/components/schemas/Shelf"}}}}}}}}
      responses: {{"200": {{description: changed}}, "404": {{description: none}}}}
    delete:
      operationId: app.remove
      responses: {{"204": {{description: removed}}, "404": {{description: none}}}}
"""

CONNEXION_APP = """import itertools

import connexion

SHELVES, IDS = {{}}, itertools.count(1)


def search(limit=20, tag=None):
    return [shelf for shelf in SHELVES.values() if tag is None or tag in shelf.get("tags", [])][:limit]


def add(body):
    shelf = dict(body, id=next(IDS))
    SHELVES[shelf["id"]] = shelf
    return shelf, 201


def read(shelf_id):
    return (SHELVES[shelf_id], 200) if shelf_id in SHELVES else (None, 404)


def change(shelf_id, body):
    if shelf_id not in SHELVES:
        return None, 404
    SHELVES[shelf_id] = dict(body, id=shelf_id)
    return None, 200


def remove(shelf_id):
    return None, 204 if SHELVES.pop(shelf_id, None) else 404


app = connexion.FlaskApp(__name__, specification_dir=".")
app.add_api("shelves.yaml")
"""

NETDATA = """
[global]
 run as user = {user}
[directories]
 cache = {folder}/cache
 lib = {folder}/lib
 log = {folder}/log
 registry = {folder}/registry
[web]
 bind to = 127.0.0.1:{port}
[plugins]
 apps = no
"""

FLEXGET = """
tasks: {{t1: {{mock: [{{title: a, url: "http://127.0.0.1/a"}}], accept_all: yes}}}}
web_server: {{bind: 127.0.0.1, port: {port}}}
schedules: no
"""

ORTHANC = """
{{"HttpPort": {port}, "DicomPort": {extra}, "StorageDirectory": "{folder}/db", "IndexDirectory": "{folder}/db",
 "RemoteAccessAllowed": false, "AuthenticationEnabled": false, "DicomServerEnabled": false}}
"""

LITELLM = """
model_list:
  - model_name: fake
    litellm_params: {{model: openai/fake, api_key: none, mock_response: hello}}
general_settings: {{master_key: sk-measure-39}}
"""

GNS3 = """
[Controller]
jwt_secret_key = 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
"""

# Each server: what to install, files to write, the command, its contract (a path of the server, a file below the
# environment, or part of its program), the path of its API, and the headers that both tools send, or the key that the server made up: a header, a
# file of the server's folder or a command, and a pattern; or a login: the header's scheme, a path, a body, and the member of the
# answer. `ends` are operations that end the server, by their ids.
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


SERVERS |= {
    "chroma": dict(
        pip=["chromadb"], contract="/openapi.json",
        command=["{bin}/chroma", "run", "--path", "{folder}/data", "--host", "127.0.0.1", "--port", "{port}"]),
    "flask-appbuilder": dict(
        pip=["Flask-AppBuilder", "marshmallow<4", "marshmallow-sqlalchemy<1.5", "gunicorn"], base="",
        files={"config.py": FAB_CONFIG, "app.py": FAB_APP}, contract="/api/v1/_openapi",
        command=["{bin}/gunicorn", "-b", "127.0.0.1:{port}", "--threads", "4", "app:app"],
        login=("Bearer", "/api/v1/security/login",
               dict(username="admin", password="measure-39", provider="db"), "access_token")),
    "flexget": dict(
        pip=["flexget"], files={"config.yml": FLEXGET}, contract="/api/swagger.json", base="/api",
        before=["{bin}/flexget", "-c", "config.yml", "web", "passwd", "Measure-39-open-sesame"],
        key=("Authorization", ["{bin}/flexget", "-c", "config.yml", "web", "showtoken"], r"(?s)Token: (\w+)", "Token "),
        # After a change of the configuration the web server stops itself within the request, and answers nothing any more.
        # The last two reset the database and end the server; Understudy leaves them alone by itself.
        ends=["post_schedules_api", "put_schedule_api", "delete_schedule_api", "post_tasks_api", "put_task_api",
              "delete_task_api", "post_server_raw_config_api", "post_db_operation", "post_server_reload_api"],
        command=["{bin}/flexget", "-c", "config.yml", "daemon", "start"]),
    "gns3": dict(
        # Streams without an end, which Schemathesis reads to the end.
        streams=["controller_http_notifications_v3_notifications_get",
                 "project_http_notifications_v3_projects__project_id__notifications_get"],
        pip=["gns3-server"], files={"gns3.conf": GNS3}, contract="/openapi.json", environment={"HOME": "{folder}"},
        command=["{bin}/gns3server", "--host", "127.0.0.1", "--port", "{port}", "--config", "gns3.conf"],
        login=("Bearer", "/v3/access/users/authenticate", dict(username="admin", password="admin"), "access_token")),
    "marimo": dict(
        pip=["marimo"], contract=["{bin}/marimo", "development", "openapi"], environment={"HOME": "{folder}"},
        command=["{bin}/marimo", "edit", "--headless", "--no-token", "--host", "127.0.0.1", "-p", "{port}"]),
    "netdata": dict(
        apt="netdata-core netdata-web", files={"netdata.conf": NETDATA}, contract="/netdata-swagger.json", base="/api/v1",
        folders=["cache", "lib", "log", "registry"], command=["netdata", "-D", "-c", "{folder}/netdata.conf"]),
    "orthanc": dict(
        apt="orthanc", files={"orthanc.json": ORTHANC}, contract=["Orthanc", "--openapi=-"], folders=["db"],
        command=["Orthanc", "orthanc.json"]),
    "kernel_gateway": dict(
        pip=["jupyter_kernel_gateway", "ipykernel"], contract="/api/swagger.json",
        environment={"HOME": "{folder}", "IPYTHONDIR": "{folder}"},
        command=["{bin}/jupyter-kernelgateway", "--KernelGatewayApp.ip=127.0.0.1", "--KernelGatewayApp.port={port}",
                 "--JupyterWebsocketPersonality.list_kernels=True"]),
    "litellm": dict(
        pip=["litellm[proxy]"], files={"config.yaml": LITELLM}, contract="/openapi.json",
        headers={"Authorization": "Bearer sk-measure-39"},
        command=["{bin}/litellm", "--config", "config.yaml", "--host", "127.0.0.1", "--port", "{port}"]),
    "drf-spectacular": dict(
        pip=["django", "djangorestframework", "drf-spectacular", "gunicorn"], files={"tutorial.py": DRF_APP},
        contract="/schema/", command=["{bin}/gunicorn", "-b", "127.0.0.1:{port}", "--threads", "4", "tutorial:application"]),
    "connexion": dict(
        pip=["connexion[flask,uvicorn]"], files={"shelves.yaml": CONNEXION_CONTRACT, "app.py": CONNEXION_APP},
        contract="shelves.yaml", command=["{bin}/uvicorn", "--port", "{port}", "--log-level", "error", "app:app"]),
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
        self.process = self.known = None

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
        self.port, self.known = free_port(), None
        self.folder = self.root / f"run-{turn}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for name in self.about.get("folders", []):
            (self.folder / name).mkdir()
        names = dict(port=self.port, extra=free_port(), folder=self.folder, bin=self.bin, user=getpass.getuser())
        self.names = names
        for name, text in self.about.get("files", {}).items():
            (self.folder / name).write_text(text.format(**names) if name != "points.geojson" else text)
        environment = dict(os.environ)
        for name, value in self.about.get("environment", {}).items():
            environment[name] = value.format(**names)
        fill = lambda words: [word.format(**names) for word in words]
        if before := self.about.get("before"):
            run(fill(before), cwd=self.folder, env=environment)
        self.command, self.environment = fill(self.about["command"]), environment
        self.launch()

    def revive(self):
        """Starts again with the data that are there, where the process has ended."""
        if self.process.poll() is not None:
            self.launch()

    def launch(self):
        log = (self.folder / "server.log").open("ab")
        self.process = subprocess.Popen(
            self.command, cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True)
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
        """The headers that both tools send; a key that the server made up is in one of its files. A run may change what a login
        needs, so that it happens once for each start; a key is read again, as a run may replace it."""
        if self.known is None or "key" in self.about:
            self.known = self.read_headers()
        return self.known

    def read_headers(self):
        headers = dict(self.about.get("headers", {}))
        if about := self.about.get("key"):
            header, source, pattern, *scheme = about
            text = self.output(source) if isinstance(source, list) else (self.folder / source).read_text()
            headers[header] = "".join(scheme) + re.search(pattern, text)[1]
        if about := self.about.get("login"):
            scheme, path, body, member = about
            request = urllib.request.Request(
                f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                headers["Authorization"] = f"{scheme} {json.load(answer)[member]}"
        return headers

    def output(self, command):
        """What a command prints in the folder of the server."""
        return subprocess.run(
            [word.format(**self.names) for word in command], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

    def contract(self):
        """The file of the contract, written once."""
        place = self.about["contract"]
        if not isinstance(place, list) and place.startswith("**"):
            return next(self.root.glob(place))
        if (self.folder / str(place)).is_file():
            return self.folder / place
        if isinstance(place, list):
            content = self.output(place).encode()
        elif place == "in the program":
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
