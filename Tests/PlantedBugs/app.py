"""A lending library, served by Flask, with ten planted bugs; README.md lists them. FIXED=1 fixes them all.

    python app.py        listens on a free port, and prints its number first
"""

import os
import re

from flask import Flask, jsonify, make_response, request
from werkzeug.exceptions import HTTPException
from werkzeug.serving import make_server

FIXED = os.environ.get("FIXED") == "1"
GENRES = ("novel", "poetry", "science")
KEY = "open-sesame"

app = Flask(__name__)
books = {}
deleted = set()
last_id = 0


def refuse(status, error):
    return jsonify(error=error), status


@app.errorhandler(HTTPException)
def refuse_as_json(error):
    response = jsonify(error=error.description)
    response.status_code = error.code
    if error.code == 405:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods or []))
    return response


@app.errorhandler(RecursionError)
def refuse_depth(error):
    return refuse(400, "a book is not that deep")


@app.before_request
def check_key():
    if request.path in ("/api/news", "/api/status"):
        return None
    if request.path == "/api/members/me" and not FIXED:
        return None  # bug 1: the key is not checked
    if request.url_rule is not None and request.headers.get("X-Api-Key") != KEY:
        response = jsonify(error="a key, please")
        response.headers["WWW-Authenticate"] = "ApiKey"
        return response, 401
    return None


def whole_number(text, least, most):
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) and least <= int(text) <= most else None


@app.get("/api/books")
def list_books():
    limit = whole_number(request.args.get("limit", "20"), 1, 100)
    if limit is None and FIXED:
        return refuse(400, "limit is a number from 1 to 100")
    # bug 2: any limit is taken
    genre = request.args.get("genre")
    if genre is not None and genre not in GENRES:
        return refuse(400, "there is no such genre")
    found = [book for book in books.values() if genre is None or book.get("genre") == genre]
    response = jsonify(found[: limit or 20])
    if FIXED:
        response.headers["X-Total"] = str(len(found))  # bug 3: the header is forgotten
    return response


def problem(book):
    if not isinstance(book, dict) or not set(book) <= {"title", "pages", "genre"}:
        return "a book has title, pages and genre"
    title, pages = book.get("title"), book.get("pages")
    if not isinstance(title, str) or not 1 <= len(title) <= 80 or any("\ud800" <= c <= "\udfff" for c in title):
        return "title has 1 to 80 characters"
    if isinstance(pages, float) and pages.is_integer():
        pages = int(pages)
    if not isinstance(pages, int) or isinstance(pages, bool) or not 1 <= pages <= 5000:
        return "pages is a number from 1 to 5000"
    if "genre" in book and book["genre"] not in GENRES:
        return "there is no such genre"
    return None


@app.post("/api/books")
def add_book():
    global last_id
    if request.mimetype != "application/json":
        return refuse(415, "JSON, please")
    book = request.get_json(silent=True)
    error = problem(book)
    if error:
        return refuse(400, error)
    if not FIXED and book["pages"] == 5000:
        raise RuntimeError("no room for so many pages")  # bug 4: 500 at the edge
    last_id += 1
    books[last_id] = {**book, "id": last_id, "shelf": "A1"}
    answer = dict(books[last_id])
    if not FIXED:
        del answer["shelf"]  # bug 5: the link of the contract has nothing to go by
    return jsonify(answer), 201


def book_id(text):
    return whole_number(text, 1, 999_999_999) if not re.fullmatch(r"[0-9]{10,30}", text) else 0


@app.get("/api/books/<text>")
def read_book(text):
    number = book_id(text)
    if number is None:
        return refuse(400, "bookId is a number from 1")
    if number not in books:
        return refuse(404, "no such book")
    return jsonify(books[number])


@app.delete("/api/books/<text>")
def remove_book(text):
    number = book_id(text)
    if number is None:
        return refuse(400, "bookId is a number from 1")
    if number not in books or number in deleted:
        return refuse(404, "no such book")
    deleted.add(number)
    if FIXED:
        del books[number]  # bug 6: it is only marked, and still read
    return "", 204


@app.get("/api/shelves/<shelf>")
def read_shelf(shelf):
    if not re.fullmatch(r"[A-Z][0-9]", shelf):
        return refuse(400, "a shelf is a letter and a digit")
    return jsonify(shelf=shelf, kind="open" if FIXED else "ajar")  # bug 7: a kind that is not listed


@app.get("/api/fees")
def quote_fee():
    days = whole_number(request.args.get("days", ""), 0, 30)
    if days is None:
        return refuse(400, "days is a number from 0 to 30")
    branch = request.headers.get("X-Branch")
    if branch is None and not FIXED:
        branch = "north"  # bug 8: the required header is not checked
    if branch not in ("north", "south"):
        return refuse(400, "X-Branch is north or south")
    return jsonify(cents=25 * days)


@app.get("/api/members/me")
def read_member():
    return jsonify(name="Ada", email="ada@example.com")


@app.get("/api/news")
def read_news():
    response = make_response("The reading room is closed on Monday.\n")
    response.mimetype = "text/plain" if FIXED else "text/html"  # bug 9: text under the wrong type
    return response


@app.route("/api/status", methods=["GET"] if FIXED else ["GET", "PATCH"])  # bug 10: PATCH is answered
def read_status():
    return jsonify(open=True)


if __name__ == "__main__":
    import logging

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app.logger.disabled = True
    server = make_server("127.0.0.1", int(os.environ.get("PORT", "0")), app, threaded=True)
    print(server.server_port, flush=True)
    server.serve_forever()
