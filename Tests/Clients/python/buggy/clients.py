"""Clients with bugs that the developers of public apps wrote down: a port of Examples/BuggyClients."""
import http.client
import json
from urllib.parse import urlsplit

FORM = "application/x-www-form-urlencoded"


class ClientError(Exception):
    """A status that is not a success."""


class Wire:
    """Sends what it is given: the clients below make their own mistakes."""

    def __init__(self, base_url):
        parts = urlsplit(base_url)
        self.host, self.port, self.prefix = parts.hostname, parts.port, parts.path

    def send(self, method, target, token="token", body=None, kind=FORM):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=5)
        headers = {"idtoken": token, **({"Content-Type": kind} if body is not None else {})}
        try:
            connection.request(method, self.prefix + target, None if body is None else body.encode(), headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    # Requests

    def cursor_in_the_path(self):
        """E9"""
        self.send("GET", "/v1/chat/u2%3FlastchatDate=2022-12-06T00:00:00.000Z")

    def cursor_in_local_time(self):
        """E10"""
        self.send("GET", "/v1/chat/u2?lastchatDate=2022-12-06T09:00:00.000+0900")

    def brackets_in_lists(self):
        """E14"""
        self.send("POST", "/v1/queue", body="lat=37.5&long=126.9&studylist%5B%5D=Swift&studylist%5B%5D=iOS")

    def list_as_one_text(self):
        """E15"""
        self.send("POST", "/v1/queue/rate/u2", body="otheruid=u2&reputation=1,0,0,0,0,0,0,0,0&comment=")

    def fields_in_the_query(self):
        """E16"""
        self.send("POST", "/v1/queue/studyrequest?otheruid=u2")

    def json_under_a_form_header(self):
        """E16"""
        self.send("POST", "/v1/queue/studyrequest", body='{"otheruid": "u2"}')

    def form_by_hand(self, text="a&b=c+d 한글"):
        """E17"""
        self.send("POST", "/v1/chat/u2", body=f"chat={text}")

    def double_slash(self):
        """E19"""
        self.send("GET", "//v1/user")

    def numbers_in_json(self):
        """E35"""
        body = '{"searchable": 1, "ageMin": 18, "ageMax": 30, "gender": 1, "study": ""}'
        self.send("PUT", "/v1/user/mypage", body=body, kind="application/json")

    def swapped_coordinates(self):
        """E37"""
        self.send("POST", "/v1/queue/search", body="lat=126.9&long=37.5")

    def get_for_post(self):
        """E42"""
        _, body = self.send("GET", "/v1/queue/myQueueState")
        self.send("GET", f"/v1/queue/dodge?otheruid={json.loads(body)['matchedUid']}")

    # Sequences

    def endless_refresh(self):
        """E20"""
        while True:
            status, _ = self.send("GET", "/v1/user", token="token-0")
            if status != 401:
                return status

    def history_after_each_message(self):
        """E24"""
        for text in ("a", "b"):
            self.send("POST", "/v1/chat/u2", body=f"chat={text}")
            self.send("GET", "/v1/chat/u2?lastchatDate=2000-01-01T00:00:00.000Z")

    def reused_button(self):
        """E31"""
        for uid in ("u2", "u3"):
            self.send("POST", "/v1/queue/studyrequest", body=f"otheruid={uid}")

    # Answers

    def every_two_hundred_is_success(self):
        """E5"""
        status, _ = self.send("POST", "/v1/queue", body="lat=37.5&long=126.9&studylist=Swift")
        if not 200 <= status <= 299:
            raise ClientError(status)
        return "searching"

    def default_for_the_missing(self):
        """E7"""
        _, body = self.send("GET", "/v1/chat/u2?lastchatDate=2000-01-01T00:00:00.000Z")
        return len(json.loads(body).get("payload", []))

    def everything_is_optional(self):
        """E43"""
        status, body = self.send("GET", "/v1/user")
        if status != 200:
            raise ClientError(status)
        return json.loads(body).get("nick") or "no name"

    def unreported_failure(self):
        """E2: a failure to decode reaches no callback."""
        import threading
        status, body = self.send("POST", "/v1/user/withdraw")
        if status != 200:
            raise ClientError(status)
        try:
            return json.loads(body)
        except ValueError:
            threading.Event().wait()
