import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct FixtureRelationsTests {
  /// Two conditions of `when`, the earlier first, and whether the later one never comes to its turn.
  @Test(arguments: [
    ("query: {kind: cat}", "query: {kind: cat}", true),
    ("query: {kind: cat}", "query: {kind: dog}", false),
    ("query: {kind: [cat, dog]}", "query: {kind: dog}", true),
    ("query: {kind: dog}", "query: {kind: [cat, dog]}", false),
    ("query: {kind: {present: true}}", "query: {kind: dog}", true),
    ("query: {kind: {present: false}}", "query: {kind: dog}", false),
    ("query: {kind: {contains: o}}", "query: {kind: dog}", true),
    ("query: {kind: {matches: ^d}}", "query: {kind: dog}", true),
    ("query: {kind: {matches: ^d}}", "query: {kind: {matches: ^d}}", true),
    ("query: {kind: {contains: at}}", "query: {kind: {contains: cat}}", true),
    ("query: {kind: {contains: cat}}", "query: {kind: {contains: at}}", false),
    ("query: {kind: dog}", "query: {kind: {equals: [dog]}}", true),
    ("query: {kind: {equals: [dog]}}", "query: {kind: {equals: [dog]}}", true),
    ("query: {kind: {equals: [dog]}}", "query: {kind: dog}", false),
    ("header: {X-Trace: a}", "header: {x-trace: a}", true),
    // The fixture with more conditions is tried first.
    ("query: {kind: cat}", "query: {kind: cat}\n  path: {id: 4}", false),
    ("query: {kind: cat}\npriority: 1", "query: {kind: cat}\n  path: {id: 4}", true),
    ("query: {kind: cat}\n  path: {id: 4}", "query: {kind: cat}", false),
  ]) func `a fixture that is never reached is reported`(first: String, second: String, isShadowed: Bool) async throws {
    let fixtures = [
      "readPet/200.a.yaml": "when:\n  \(first)\nbody: {id: 1, name: Tom}\n",
      "readPet/200.b.yaml": "\(isShadowed ? "↓" : "")when:\n  \(second)\nbody: {id: 1, name: Tom}\n",
    ]
    let verified = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified()
    #expect(verified.rules == (isShadowed ? ["fixture.shadowed"] : []))
    #expect(Set(verified.marks).isSubset(of: verified.places))
  }

  @Test(arguments: [
    ("path: {↓ident: 1}", "/pets/{id} has no `{ident}`"),
    ("path: {↓id: Tom}", "path `id` cannot be `Tom`"),
    ("path: {↓id: 0}", "path `id` cannot be `0`"),
    ("query: {↓kind: [cow, pig]}", "query `kind` cannot be any of `cow`, `pig`"),
    ("query: {↓kind: {equals: [cow]}}", "query `kind` cannot be `cow`"),
    ("query: {↓kind: {contains: x}}", "query `kind` is one of a list, and none of its values matches"),
    ("query: {↓kin: cat}", "readPet declares no query parameter `kin`"),
    ("header: {↓X-Trace: {present: false}}", "header `X-Trace` is required, so it is never absent"),
    ("body: {↓a: 1}", "readPet documents no body"),
  ]) func `a condition that only invalid requests meet is reported`(when: String, reason: String) async throws {
    let fixtures = ["readPet/200.a.yaml": "when:\n  \(when)\nbody: {id: 1, name: Tom}\n"]
    let verified = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified()
    #expect(verified.messages == ["no valid request meets this condition: " + reason])
    #expect(verified.rules == ["fixture.request.unreachable"])
    #expect(Set(verified.marks).isSubset(of: verified.places))
  }

  @Test(arguments: [
    "path: {id: 12}", "path: {id: [0, 1]}", "query: {kind: {matches: '^[cx]'}}", "query: {variant: b}",
    "query: {kind: {present: false}}", "header: {X-Other: 1}", "header: {x-trace: {contains: a}}",
  ]) func `a condition that some request meets is in order`(when: String) async throws {
    let fixtures = ["readPet/200.a.yaml": "when:\n  \(when)\nbody: {id: 1, name: Tom}\n"]
    #expect(try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified().messages == [])
  }

  @Test func `an answer to a bad request may ask for what the contract forbids`() async throws {
    let fixtures = ["readPet/404.a.yaml": "when:\n  path: {id: none}\nbody: {title: No}\n"]
    #expect(try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified().messages == [])
  }

  @Test(arguments: [
    ("kind: cow", false), ("kind: cat", true), ("age: 7", true), ("age: seven", false), ("/owner/nick: T", true),
    ("/owner/nick: Tom", false), ("color: red", false), ("kind: {present: false}", false), ("tags: a", true),
  ]) func `conditions on a body are tried against its schema`(when: String, isReachable: Bool) async throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      paths:
        /pets:
          post:
            operationId: addPet
            requestBody:
              required: true
              content:
                application/json:
                  schema:
                    type: object
                    required: [kind]
                    additionalProperties: false
                    properties:
                      kind: {type: string, enum: [cat, dog]}
                      age: {type: integer}
                      tags: {type: array, items: {type: string}}
                      owner: {type: object, properties: {nick: {type: string, maxLength: 2}}}
            responses: {"204": {description: Added}}
      """
    let verified = try await ContractFixture(contract, fixtures: ["addPet/204.a.yaml": "when: {body: {\(when)}}\n"])
      .verified()
    #expect(verified.rules == (isReachable ? [] : ["fixture.request.unreachable"]))
  }

  private static let typed = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        post:
          operationId: addPet
          parameters: [{name: session, in: cookie, schema: {type: string, enum: [a, b]}}]
          requestBody: {content: {application/json: {schema: {type: object, properties: {kind: {type: string, enum: [cat, dog]}, tags: {type: array}}}}}}
          responses: {"204": {description: Added}}
      /photos:
        post:
          operationId: addPhoto
          requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {title: {type: string}}}}}}
          responses: {"204": {description: Added}}
      /orders:
        post:
          operationId: order
          requestBody: {content: {application/xml: {schema: {type: object, properties: {name: {type: string}}}}}}
          responses: {"204": {description: Ordered}}
    """

  @Test(arguments: [
    ("addPet", "cookie: {↓session: c}", "cookie `session` cannot be `c`"),
    ("addPet", "file: {↓photo: a.png}", "addPet documents no multipart body, so it has no files"),
    ("addPet", "body: {↓$.kind: cow}", "the field `$.kind` cannot be `cow`"),
    ("addPet", "body: {↓$: {equalsJson: {kind: cow}}}", "the body cannot be `{\"kind\":\"cow\"}`"),
    ("addPet", "any: [{cookie: {↓session: c}}, {cookie: {session: d}}]", "cookie `session` cannot be `c`"),
    ("addPhoto", "body: {↓$.title: a}", "addPhoto documents a body of multipart/form-data, not JSON"),
    ("addPhoto", "body: {↓title: {schema: {}}}", "addPhoto documents a body of multipart/form-data, not JSON"),
    ("order", "body: {↓\"//a//b\": 1}", "`//a//b` is no path in XML"),
  ]) func `a condition that no body of the operation meets is reported`(
    operation: String, when: String, reason: String
  ) async throws {
    let fixtures = ["\(operation)/204.a.yaml": "when:\n  \(when)\n"]
    let verified = try await ContractFixture(Self.typed, fixtures: fixtures).verified()
    #expect(verified.messages == ["no valid request meets this condition: " + reason])
    #expect(Set(verified.marks).isSubset(of: verified.places))
  }

  @Test(arguments: [
    ("addPet", "body: {$.kind: cat, \"$.tags[*]\": x, $: {containsJson: {kind: cow}}}"),
    ("addPet", "body: {$.other: null}"),
    ("addPhoto", "file: {photo: a.png}\n  body: {title: a, $.a: null}"),
    ("addPet", "any: [{cookie: {session: c}}, {cookie: {session: a}}]"),
    ("order", "body: {/order/name: Ada, \"@id\": 7}"), ("addPet", "not: {cookie: {session: c}}"),
  ]) func `conditions that some body meets are in order`(operation: String, when: String) async throws {
    let fixtures = ["\(operation)/204.a.yaml": "when:\n  \(when)\n"]
    #expect(try await ContractFixture(Self.typed, fixtures: fixtures).verified().messages == [])
  }

  @Test func `a tie is reported once, with the fixture that wins`() async throws {
    let fixtures = [
      "addPet/204.a.yaml": "when: {cookie: {session: a}}\n", "addPet/204.b.yaml": "when: {body: {kind: cat}}\n",
      "addPet/204.c.yaml": "when: {body: {kind: cat}, cookie: {session: b}}\n",
    ]
    let verified = try await ContractFixture(Self.typed, fixtures: fixtures).verified()
    #expect(verified.rules == ["fixture.tie"])
    #expect(
      verified.messages == [
        "a request can match this fixture and addPet/204.a, which wins: its file name comes first"
      ])
  }
}
