"""The sessions of Evidence/record-servers, as arguments of curl."""

import json

PASSWORD = "correct-horse-77"

# What the contract of the server leaves out.
LOGIN = """
openapi: 3.1.0
info: {title: Login of Jupyter, version: "1"}
paths:
  /login:
    get:
      operationId: readLoginPage
      responses: {"200": {description: The form., content: {text/html: {}}}}
    post:
      operationId: login
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: {type: object, properties: {_xsrf: {type: string}, password: {type: string}}}
      responses:
        "302": {description: Signed in., headers: {Location: {schema: {type: string}}}}
        "401": {description: The password is wrong., content: {text/html: {}}}
  /files/{path}:
    get:
      operationId: downloadFile
      parameters: [{name: path, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: The file., content: {text/plain: {}, image/png: {}}}}
"""

JSON_TYPE = ["-H", "Content-Type: application/json"]
RECORDS = "/buckets/shelf/collections/books/records"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

# Each session: the arguments of curl. `{name}` is a value of an earlier response: `_xsrf` from the cookies, and what
# `=> name pointer` at the end of a step takes from its JSON.
SESSIONS = {
    "kinto": dict(secrets=["bWVhc3VyZTptZWFzdXJl", "measure:measure"], always=["-u", "measure:measure"], steps=[
        ["/"],
        ["/buckets/shelf", "-X", "PUT", *JSON_TYPE, "-d", '{"data": {"room": "north"}}'],
        ["/buckets/shelf/collections/books", "-X", "PUT"],
        [RECORDS],
        [RECORDS, *JSON_TYPE, "-d", '{"data": {"title": "Emma", "year": 1815}}', "=> id /data/id"],
        [RECORDS + "/{id}"],
        [RECORDS + "/{id}", "-X", "PATCH", *JSON_TYPE, "-d", '{"data": {"read": true}}'],
        [RECORDS + "/{id}"],
        [RECORDS],
        [RECORDS, *JSON_TYPE, "-d", '{"data": 7}'],
        [RECORDS + "/{id}", "-X", "DELETE"],
        [RECORDS + "/{id}"],
        [RECORDS + "/{id}", "-u", "nobody:wrong"],
        ["/buckets/attic"],
    ]),
    "jupyter_server": dict(secrets=[PASSWORD], also={"login.yaml": LOGIN}, always=[], steps=[
        ["/api/me"],
        ["/login"],
        ["/login", "--data-urlencode", "_xsrf={_xsrf}", "-d", "password=wrong-horse"],
        ["/login", "--data-urlencode", "_xsrf={_xsrf}", "-d", f"password={PASSWORD}"],
        ["/api/me"],
        ["/api/status"],
        ["/api/kernelspecs"],
        ["/api/contents/note.txt", "-X", "PUT", *JSON_TYPE, "-H", "X-XSRFToken: {_xsrf}", "-d",
         '{"type": "file", "format": "text", "content": "first line"}'],
        ["/api/contents/note.txt"],
        ["/api/contents/dot.png", "-X", "PUT", *JSON_TYPE, "-H", "X-XSRFToken: {_xsrf}", "-d",
         json.dumps({"type": "file", "format": "base64", "content": PNG})],
        ["/files/note.txt?_xsrf={_xsrf}"],
        ["/files/dot.png?_xsrf={_xsrf}"],
        ["/api/contents/note.txt", "-X", "PATCH", *JSON_TYPE, "-H", "X-XSRFToken: {_xsrf}", "-d", '{"path": "b.txt"}'],
        ["/api/contents/b.txt", "-X", "DELETE", "-H", "X-XSRFToken: {_xsrf}"],
        ["/api/contents/b.txt"],
        ["/api/sessions"],
    ]),
    "httpbin": dict(secrets=["s3cret-horse", "b4sic-pw"], always=[], steps=[
        ["/get?page=2"],
        ["/post", *JSON_TYPE, "-d", '{"nick": "Tom", "password": "s3cret-horse"}'],
        ["/post", "-d", "nick=Tom&password=s3cret-horse"],
        ["/put", "-X", "PUT", "-F", "file=@/etc/hostname", "-F", "token=s3cret-horse"],
        ["/image/png"],
        ["/image/jpeg"],
        ["/image/svg"],
        ["/bytes/2048?seed=7"],
        ["/stream/2"],
        ["/gzip"],
        ["/deflate"],
        ["/brotli"],
        ["/encoding/utf8"],
        ["/status/404"],
        ["/basic-auth/ann/b4sic-pw", "-u", "ann:b4sic-pw"],
        ["/bearer", "-H", "Authorization: Bearer s3cret-horse"],
        ["/bearer"],
        ["/uuid"],
        ["/xml"],
        ["/cookies/set?flavour=vanilla"],
    ]),
}

def json_body(value):
    """The arguments of curl for a JSON body; a string is sent as it stands."""
    return [*JSON_TYPE, "-d", value if isinstance(value, str) else json.dumps(value)]


TENANT = "/api/v2/tenants/library"
DATABASE = TENANT + "/databases/shelf"
BOOKS = DATABASE + "/collections/{books}"

SESSIONS["chroma"] = dict(secrets=[], always=[], steps=[
    ["/api/v2/version"],
    ["/api/v2/heartbeat"],
    ["/api/v2/pre-flight-checks"],
    ["/api/v2/auth/identity"],
    ["/api/v2/tenants", *json_body({"name": "library"})],
    ["/api/v2/tenants", *json_body({"name": "library"})],
    [TENANT],
    ["/api/v2/tenants/nobody"],
    [TENANT + "/databases", *json_body({"name": "shelf"})],
    [TENANT + "/databases", *json_body({})],
    [TENANT + "/databases", *json_body({"name": 7})],
    [TENANT + "/databases"],
    [DATABASE + "/collections"],
    [DATABASE + "/collections_count"],
    [DATABASE + "/collections", *json_body({"name": "books", "metadata": {"room": "north"}}), "=> books /id"],
    [DATABASE + "/collections", *json_body({"name": "books"})],
    [DATABASE + "/collections", *json_body({"name": "a"})],
    [DATABASE + "/collections"],
    [BOOKS + "/count"],
    [BOOKS + "/add", *json_body({
        "ids": ["emma", "persuasion"], "embeddings": [[1, 0, 0], [0, 1, 0.5]], "documents": ["one", "two"],
        "metadatas": [{"year": 1815}, {"year": 1817}]})],
    [BOOKS + "/add", *json_body({"embeddings": [[1, 0, 0]]})],
    [BOOKS + "/add", *json_body({"ids": ["short"], "embeddings": [[1, 0]]})],
    [BOOKS + "/count"],
    [BOOKS + "/get", *json_body({"include": ["documents", "metadatas"]})],
    [BOOKS + "/get", *json_body({"where": {"year": {"$gt": 1816}}, "include": ["embeddings"]})],
    [BOOKS + "/query", *json_body({"query_embeddings": [[1, 0, 0.1]], "n_results": 2, "include": ["distances"]})],
    [BOOKS + "/query", *json_body({"query_embeddings": "near", "n_results": 2})],
    [BOOKS + "/upsert", *json_body({"ids": ["emma"], "embeddings": [[0, 0, 1]], "documents": ["three"]})],
    [BOOKS + "/get", *json_body({"include": ["documents", "metadatas"]})],
    [BOOKS + "/delete", *json_body({"ids": ["persuasion"]})],
    [BOOKS + "/count"],
    [BOOKS + "/get", *json_body({"include": ["documents", "metadatas"]})],
    [BOOKS, "-X", "PUT", *json_body({"new_name": "novels"})],
    [DATABASE + "/collections/books"],
    [DATABASE + "/collections/novels"],
    [DATABASE + "/collections/novels", "-X", "DELETE"],
    [DATABASE + "/collections/novels"],
    [DATABASE + "/collections_count"],
    [DATABASE + "/collections"],
])

SIGNED_IN = ["-H", "Authorization: Bearer {token}"]
LOGIN_FORM = {"username": "admin", "password": "measure-39", "provider": "db"}

SESSIONS["flask-appbuilder"] = dict(secrets=["measure-39"], always=[], steps=[
    ["/api/v1/team/"],
    ["/api/v1/security/login", *json_body(LOGIN_FORM | {"password": "wrong-horse"})],
    ["/api/v1/security/login", *json_body({"username": "admin"})],
    ["/api/v1/security/login", *json_body(LOGIN_FORM | {"refresh": True}), "=> token /access_token",
     "=> refresh /refresh_token"],
    ["/api/v1/menu/", *SIGNED_IN],
    ["/api/v1/team/_info", *SIGNED_IN],
    ["/api/v1/team/", *SIGNED_IN],
    ["/api/v1/team/", *SIGNED_IN, *json_body({"name": "North"}), "=> team /id"],
    ["/api/v1/team/", *SIGNED_IN, *json_body({"name": "North"})],
    ["/api/v1/team/", *SIGNED_IN, *json_body({})],
    ["/api/v1/team/", *SIGNED_IN, *json_body({"name": 7})],
    ["/api/v1/team/", *SIGNED_IN, *json_body('{"name": ')],
    ["/api/v1/team/{team}", *SIGNED_IN],
    ["/api/v1/team/{team}", "-X", "PUT", *SIGNED_IN, *json_body({"name": "South"})],
    ["/api/v1/team/{team}", *SIGNED_IN],
    ["/api/v1/contact/", *SIGNED_IN, *json_body('{"name": "Ann", "birthday": "1990-05-01", "team": {team}}'),
     "=> contact /id"],
    ["/api/v1/contact/", *SIGNED_IN, *json_body({"name": "Ben", "birthday": "soon"})],
    ["/api/v1/contact/", *SIGNED_IN, *json_body({"name": "Cat", "birthday": None}), "=> other /id"],
    ["/api/v1/contact/{contact}", *SIGNED_IN],
    ["/api/v1/contact/", *SIGNED_IN],
    ["/api/v1/contact/?q=(filters:!((col:name,opr:sw,value:A)))", *SIGNED_IN],
    ["/api/v1/contact/?q=(columns:!(name),order_column:name,order_direction:desc)", *SIGNED_IN],
    ["/api/v1/contact/{contact}", "-X", "PUT", *SIGNED_IN, *json_body({"name": "Anna"})],
    ["/api/v1/contact/{contact}", *SIGNED_IN],
    ["/api/v1/contact/{contact}", "-X", "DELETE", *SIGNED_IN],
    ["/api/v1/contact/{contact}", *SIGNED_IN],
    ["/api/v1/contact/{contact}", "-X", "DELETE", *SIGNED_IN],
    ["/api/v1/contact/", *SIGNED_IN],
    ["/api/v1/security/refresh", "-X", "POST", "-H", "Authorization: Bearer {refresh}", "=> token /access_token"],
    ["/api/v1/contact/{other}", *SIGNED_IN],
    ["/api/v1/security/roles/", *SIGNED_IN],
    ["/api/v1/team/{team}", "-X", "DELETE", *SIGNED_IN],
    ["/api/v1/team/", *SIGNED_IN],
    ["/api/v1/team/", "-H", "Authorization: Bearer none"],
])

LAB = "/v3/projects/{lab}"
SQUARE = '<svg width="20" height="20"><rect width="20" height="20"/></svg>'

SESSIONS["gns3"] = dict(secrets=["admin-wrong-horse", "correct-horse-77"], always=[], steps=[
    ["/v3/version"],
    ["/v3/version", *json_body({"version": "1.0.0"})],
    ["/v3/projects"],
    ["/v3/access/users/authenticate", *json_body({"username": "admin", "password": "admin-wrong-horse"})],
    ["/v3/access/users/authenticate", *json_body({"username": "admin"})],
    ["/v3/access/users/authenticate", *json_body({"username": "admin", "password": "admin"}), "=> token /access_token"],
    ["/v3/access/users/me", *SIGNED_IN],
    ["/v3/access/users", *SIGNED_IN, *json_body({"username": "ann", "password": PASSWORD, "email": "ann@example.org"}),
     "=> ann /user_id"],
    ["/v3/access/users", *SIGNED_IN, *json_body({"username": "ben", "password": PASSWORD, "email": "nowhere"})],
    ["/v3/access/users/{ann}", *SIGNED_IN],
    ["/v3/projects", *SIGNED_IN],
    ["/v3/projects", *SIGNED_IN, *json_body({"name": "lab"}), "=> lab /project_id"],
    ["/v3/projects", *SIGNED_IN, *json_body({"name": "lab"})],
    ["/v3/projects", *SIGNED_IN, *json_body({})],
    ["/v3/projects", *SIGNED_IN, *json_body({"name": 7})],
    [LAB, *SIGNED_IN],
    [LAB, "-X", "PUT", *SIGNED_IN, *json_body({"name": "bench", "scene_width": 900})],
    [LAB, *SIGNED_IN],
    ["/v3/projects", *SIGNED_IN],
    [LAB + "/drawings", *SIGNED_IN, *json_body({"svg": SQUARE, "x": 10, "y": 20}), "=> square /drawing_id"],
    [LAB + "/drawings", *SIGNED_IN, *json_body({"svg": SQUARE, "x": "left"})],
    [LAB + "/drawings/{square}", *SIGNED_IN],
    [LAB + "/drawings/{square}", "-X", "PUT", *SIGNED_IN, *json_body({"x": 40})],
    [LAB + "/drawings", *SIGNED_IN],
    [LAB + "/drawings/{square}", "-X", "DELETE", *SIGNED_IN],
    [LAB + "/drawings", *SIGNED_IN],
    [LAB + "/drawings/{square}", *SIGNED_IN],
    [LAB + "/locked", *SIGNED_IN],
    [LAB + "/lock", "-X", "POST", *SIGNED_IN],
    [LAB + "/locked", *SIGNED_IN],
    [LAB + "/nodes", *SIGNED_IN],
    ["/v3/projects/no-uuid", *SIGNED_IN],
    ["/v3/projects/00000000-0000-4000-8000-000000000000", *SIGNED_IN],
    [LAB + "/close", "-X", "POST", *SIGNED_IN],
    [LAB, *SIGNED_IN],
    [LAB + "/open", "-X", "POST", *SIGNED_IN],
    [LAB, "-X", "DELETE", *SIGNED_IN],
    [LAB, *SIGNED_IN],
    ["/v3/projects", *SIGNED_IN],
])
