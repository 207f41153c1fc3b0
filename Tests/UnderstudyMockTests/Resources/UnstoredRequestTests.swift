import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct UnstoredRequestTests {
  /// Machines have no schema with an id, so that they are not a collection; users are one, and their photos are not.
  private static let contract = """
    openapi: 3.1.0
    info: {title: Machines, version: "1"}
    paths:
      /machines:
        get: {operationId: listMachines, responses: {"200": {description: All}}}
      /machines/create:
        post: {operationId: createMachine, responses: {"200": {description: Made}}}
      /machines/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: string}}]
        get: {operationId: readMachine, responses: {"200": {description: One}, "404": {description: None}}}
        delete: {operationId: deleteMachine, responses: {"204": {description: Gone}, "404": {description: None}}}
        patch: {operationId: changeMachine, responses: {"200": {description: Changed}, "4XX": {description: None}}}
      /machines/{name}/log:
        parameters: [{name: name, in: path, required: true, schema: {type: string}}]
        get: {operationId: readLog, responses: {"200": {description: Log}, "404": {description: None}}}
        head: {operationId: hasLog, responses: {"200": {description: Log}}}
      /stars/{owner}/{name}:
        parameters:
          - {name: owner, in: path, required: true, schema: {type: string}}
          - {name: name, in: path, required: true, schema: {type: string}}
        get: {operationId: hasStar, responses: {"204": {description: Yes}, "404": {description: No}}}
        put: {operationId: star, responses: {"204": {description: Starred}, "404": {description: None}}}
        delete: {operationId: unstar, responses: {"204": {description: Gone}, "404": {description: None}}}
      /users:
        post:
          operationId: createUser
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
          responses:
            "201": {description: Made, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
      /users/{userId}:
        parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
        get:
          operationId: readUser
          responses:
            "200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
            "404": {description: None}
        delete: {operationId: deleteUser, responses: {"204": {description: Gone}, "404": {description: None}}}
      /users/{userId}/photo:
        parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
        get: {operationId: readPhoto, responses: {"200": {description: Photo}, "404": {description: None}}}
    components:
      schemas:
        User: {type: object, required: [userId], properties: {userId: {type: string}}}

    """

  private func stateful<R>(isStateful: Bool = true, _ body: (LaneClient) throws -> R) throws -> R {
    try ContractFixture(Self.contract).withMock(configure: { $0.isStateful = isStateful }) { try body(LaneClient($0)) }
  }

  @Test func `what was deleted is gone, with all below it, and nothing else is`() throws {
    try stateful { (mock) throws in
      #expect(mock.send("/machines/a").status == 200)
      #expect(mock.send(.delete, "/machines/a").status == 204)
      let gone = mock.send("/machines/a")
      #expect(gone.status == 404)
      #expect(gone.reason.hasPrefix("resource /machines/a was deleted"))
      #expect(mock.send(.delete, "/machines/a").status == 404)
      #expect(mock.send(.patch, "/machines/a").status == 404, "a 404 of the range 4XX")
      #expect(mock.send("/machines/a/log").status == 404)
      #expect(mock.send("/machines/ab").status == 200)
      #expect(mock.send("/machines/b/log").status == 200)
      #expect(mock.send("/machines").status == 200)
    }
  }

  @Test func `an operation without a status for it answers as ever`() throws {
    try stateful { (mock) throws in
      mock.send(.delete, "/machines/a")
      #expect(mock.send(.head, "/machines/a/log").status == 200)
    }
  }

  @Test func `a POST beside what was deleted may have made it anew`() throws {
    try stateful { (mock) throws in
      mock.send(.delete, "/machines/a")
      mock.send(.delete, "/stars/x/y")
      #expect(mock.send(.post, "/machines/create").status == 200)
      #expect(mock.send("/machines/a").status == 200)
      #expect(mock.send("/stars/x/y").status == 404)
    }
  }

  @Test func `a PUT that sets something makes it anew`() throws {
    try stateful { (mock) throws in
      mock.send(.delete, "/stars/x/y")
      #expect(mock.send("/stars/x/y").status == 404)
      #expect(mock.send("/stars/x/z").status == 204)
      #expect(mock.send(.put, "/stars/x/y").status == 204)
      #expect(mock.send("/stars/x/y").status == 204)
    }
  }

  @Test func `what is below an item goes with it, and comes back with it`() throws {
    try stateful { (mock) throws in
      let json = ["Content-Type": "application/json"]
      #expect(mock.send(.post, "/users", json, body: #"{"userId":"ann"}"#).status == 201)
      #expect(mock.send("/users/ann/photo").status == 200)
      #expect(mock.send(.delete, "/users/ann").status == 204)
      #expect(mock.send("/users/ann/photo").status == 404)
      #expect(mock.send(.post, "/users", json, body: #"{"userId":"ann"}"#).status == 201)
      #expect(mock.send("/users/ann/photo").status == 200)
    }
  }

  @Test func `a mock that is not stateful forgets a deletion`() throws {
    try stateful(isStateful: false) { (mock) throws in
      mock.send(.delete, "/machines/a")
      #expect(mock.send("/machines/a").status == 200)
    }
  }

  @Test func `deleted places are bounded in number and length`() throws {
    try stateful { (mock) throws in
      let long = String(repeating: "a", count: 2_000)
      mock.send(.delete, "/machines/\(long)")
      #expect(mock.send("/machines/\(long)").status == 200)
      for number in 0...ResourceState.deletionLimit { mock.send(.delete, "/machines/\(number)") }
      #expect(mock.send("/machines/0").status == 404)
      #expect(mock.send("/machines/\(ResourceState.deletionLimit)").status == 200)
    }
  }
}
