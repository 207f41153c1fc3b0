"""A small contract with fixtures for `Evidence/serving-differential`: templates, matchers, odd names and scenarios."""

CONTRACT = """
openapi: 3.1.0
info: {title: Notes, version: "1"}
servers: [{url: /n}]
paths:
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readNote
      parameters:
        - {name: q, in: query, schema: {type: string}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {}}, text/html: {schema: {type: string}}}}
        "404": {x-meaning: gone away, description: no, content: {text/plain: {schema: {type: string}}}}
    post:
      operationId: write note
      requestBody: {content: {application/json: {schema: {type: object}}, text/plain: {schema: {type: string}}}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {}}}}
        "201":
          description: made
          headers: {Location: {schema: {type: string}}}
          content: {application/json: {schema: {}}}
        "409": {description: no, content: {application/json: {schema: {}}}}
  /lists:
    get:
      responses:
        "200": {description: ok, content: {application/json: {schema: {}}}}
        4XX: {description: no, content: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}}
        default: {description: else, content: {text/plain: {schema: {type: string, minLength: 3}}}}
    head:
      operationId: größe/(head)
      responses: {"204": {description: ok}}
"""

# Fixtures and scenarios by path. Names have blanks, parentheses and letters beyond ASCII.
FIXTURES = {
    "readNote/200.yaml": """
        template: true
        body:
          id: "{{request.path.id}}"
          q: "{{request.query.q}}|{{{request.query.q}}}|{{#request.query.tags}}[{{.}}]{{/request.query.tags}}"
          agent: "{{request.header.x-agent}}{{^request.header.x-agent}}none{{/request.header.x-agent}}"
          uuid: "{{uuid}}"
          numbers: ["{{random min=1 max=6}}", "{{random length=8}}", "{{random hex=8}}", "{{random}}"]
          colour: "{{random of=red,green,blue}}"
          state: "{{var.seen}}{{! nothing }}"
        """,
    "readNote/200.times.yaml": """
        template: true
        contentType: application/json
        text: '{"now": "{{now}}", "later": "{{now +1d12h}}", "epoch": {{now format=epoch}},
          "http": "{{now format=http}}", "ms": {{now -1h format=epoch-ms}},
          "jwt": "{{jwt exp=+5s sub=tom admin=true}}"}'
        """,
    "readNote/200.page.yaml": """
        template: true
        contentType: text/html
        text: <p>{{request.query.q}} &amp; {{&request.query.q}} {{random max=3}}</p>
        when: {header: {accept: {contains: html}}}
        """,
    "readNote/200.with blank.json": '{"name": "with blank"}',
    "readNote/200.(round).json": '{"name": "round"}',
    "readNote/200.größe.json": '{"name": "größe"}',
    "readNote/404.yaml": """
        text: "gone: {{request.path.id}}"
        template: true
        when: {path: {id: {matches: "^x+$"}}}
        """,
    "write note/200.yaml": """
        template: true
        body:
          text: "{{request.body.text}}"
          list: "{{#request.body.list}}<{{.}}>{{/request.body.list}}"
          n: "{{random}}"
        """,
    "write note/409.yaml": """
        body: {taken: true}
        when: {body: {text: {oneOf: [taken, "be(setzt)"]}, /a/b: {present: false}}, query: {force: {present: false}}}
        """,
    "write note/201.né.yaml": """
        headers: {Location: /n/notes/7, X-Extra: "a, b"}
        body: {made: true}
        when: {body: {text: new}}
        """,
    "GET_lists/200.yaml": """
        template: true
        body:
          dice: "{{random min=1 max=6}}"
          others: "{{#others.here}}{{me}}: {{nick}}{{^isLast}}, {{/isLast}}{{/others.here}}"
        """,
    "GET_lists/200.empty.json": "[]",
    "_scenarios/two steps.yaml": """
        summary: A sequence that begins again.
        sequence: {readNote: [404*2, 200.with blank, "200.(round)", loop], write note: [409, 201]}
        """,
    "_scenarios/(größe).yaml": """
        machine:
          per: {header: x-agent}
          start: new one
          on: {GET_lists: {answer: 200, others: {here: {in: "in/out"}}}}
          states:
            new one:
              on:
                write note: {to: "in/out", set: {nick: "{{request.body.text}}", seen: "{{response.body.text}}"}}
                readNote: 404
            in/out:
              after: {10s: "späť"}
              expects: readNote
              on:
                readNote:
                  - {if: {nick: "{{request.query.q}}"}, answer: 200.größe, to: "späť"}
                  - other: {who: "{{request.path.id}}", in: "in/out"}
                    answer: 200
                    moves: {who: "{{request.path.id}}", to: "späť"}
                  - 200
            späť:
              never: write note
              on: {"*": {advance: 5s, status: default, to: new one}}
        """,
    "_scenarios/machines.yaml": """
        checks: [retry-storm, {burst: {operations: [readNote], interval: 1s, limit: 2}}]
        machines:
          a:
            states:
              one: {on: {readNote: {answer: 404, to: two}}}
              two: {after: {1m: one}, on: {readNote: {to: one}}}
          b (c):
            states:
              x: {on: {write note: {when: {body: {text: go}}, answer: 201, to: y, set: {seen: "{{now}}"}}}}
              y: {final: true, on: {GET_lists: 200.empty}}
        """,
}
SCENARIOS = [None, "two steps", "(größe)", "machines"]


def write_contract(folder):
    """Writes the contract and its fixtures; returns the arguments that serve them."""
    (folder / "notes.yaml").write_text(CONTRACT)
    for name, text in FIXTURES.items():
        path = folder / "fixtures/notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [str(folder / "notes.yaml"), "--fixtures", str(folder / "fixtures")]
