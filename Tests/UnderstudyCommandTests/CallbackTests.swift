import Foundation
import Testing
import UnderstudyTestSupport

/// Callbacks and webhooks from one mock to another, which is the receiver.
@Suite(.waitsForProcesses)
struct CallbackTests {
  private static let events = """
    openapi: 3.1.0
    info: {title: Events, version: "1"}
    paths:
      /subscriptions:
        post:
          operationId: subscribe
          requestBody:
            content:
              application/json: {schema: {type: object, properties: {callbackUrl: {type: string}}}}
          responses:
            "201":
              description: d
              content: {application/json: {schema: {type: object, required: [id], properties: {id: {const: 7}}}}}
          callbacks:
            onEvent:
              "{$request.body#/callbackUrl}/events":
                post:
                  requestBody:
                    content:
                      application/json: {schema: {type: object, required: [kind], properties: {kind: {enum: [made]}}}}
                  responses: {"204": {description: d}}
    webhooks:
      newPet:
        post:
          requestBody:
            content: {application/json: {example: {name: Rex}, schema: {type: object}}}
          responses: {"204": {description: d}}

    """
  private static let receiver = """
    openapi: 3.1.0
    info: {title: Receiver, version: "1"}
    paths:
      /events:
        post:
          operationId: receive
          requestBody: {content: {application/json: {schema: {type: object}}}}
          responses: {"204": {description: d}, "302": {description: d}, "503": {description: d}}

    """

  private func serving(
    _ arguments: String..., files: [String: String] = [:],
    _ body: (_ mock: ServedMock, _ receiver: ServedMock) throws -> Void
  ) throws {
    let files = files.merging(["events.yaml": Self.events, "receiver.yaml": Self.receiver]) { given, _ in given }
    try withProject(files) { folder in
      let receiver = try ServedMock(["receiver.yaml", "--no-watch", "--quiet"], in: folder)
      defer { receiver.stop() }
      let mock = try ServedMock(["events.yaml", "--no-watch", "--speed", "max"] + arguments, in: folder)
      defer { mock.stop() }
      try body(mock, receiver)
    }
  }

  @discardableResult
  private func subscribe(_ mock: ServedMock, _ url: String, lane: String = "") throws -> String {
    try Command.run(
      "/usr/bin/curl",
      [
        "-s", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-d", "{\"callbackUrl\": \"\(url)\"}",
        mock.url + lane + "/subscriptions",
      ]
    ).output
  }

  /// The response of an admin API; `wait` lets it wait for an exchange.
  private func admin(_ mock: ServedMock, _ path: String) throws -> String {
    try Curl.get(mock.url + "/__admin/" + path).body
  }

  private func ctl(_ mock: ServedMock, _ arguments: String...) throws -> Command.Result {
    try Command.run(Command.path, ["ctl"] + arguments + ["--url", mock.url])
  }

  @Test func `a callback follows the response of its operation, in the lane of the request`() throws {
    try serving("--callbacks") { mock, receiver in
      #expect(try subscribe(mock, receiver.url, lane: "/~alice") == #"{"id":7}201"#)
      let received = try admin(receiver, "requests/details?operation=receive&wait=10s")
      #expect(received.contains(#"{\"kind\":\"made\"}"#), "\(received)")
      let sent = try admin(mock, "requests?operation=subscribe.onEvent&wait=10s")
      #expect(sent.contains(#""status": 204"#) && sent.contains(#""lane": "alice""#), "\(sent)")
      // A test that lists the requests of the client does not see it.
      #expect(try admin(mock, "requests/count") == "{\n  \"count\": 1\n}\n")
      #expect(try admin(mock, "requests/count?sent=true") == "{\n  \"count\": 2\n}\n")
      let log = try ctl(mock, "log").output
      #expect(log.contains("receiver of subscribe.onEvent by contract at 127.0.0.1:"), "\(log)")
      #expect(try admin(mock, "coverage").contains(#""cells": 2,"#))
      #expect(try admin(mock, "coverage").contains(#""served": 2,"#))
      #expect(try ctl(mock, "verdict").code == 4)
    }
  }

  @Test func `nothing is sent without the option, and the start names what is declared`() throws {
    try serving { mock, receiver in
      let response = try subscribe(mock, receiver.url)
      #expect(response == #"{"id":7}201"#)
      let printed = mock.end().printed
      #expect(
        printed.contains(
          """
            not sent: subscribe.onEvent: `--callbacks` is not given
            not sent: newPet: a webhook has no URL: `understudy ctl webhook` or a scenario sends it

          """), "\(printed)")
      #expect(try admin(receiver, "requests/count") == "{\n  \"count\": 0\n}\n")
    }
  }

  @Test func `a webhook is sent by a command, which shows the response of the receiver`() throws {
    try serving { mock, receiver in
      let sent = try ctl(mock, "webhook", "newPet", "--to", receiver.url + "/events")
      #expect(sent.output == "POST \(receiver.url)/events 204\n", "\(sent)")
      let own = try ctl(
        mock, "webhook", "subscribe.onEvent", "--to", receiver.url + "/events", "--json", "{\"kind\": \"own\"}")
      #expect(own.output == "POST \(receiver.url)/events 204\n", "\(own)")
      #expect(try admin(receiver, "requests/details").contains(#"{\"kind\":\"own\"}"#))
      _ = try ctl(receiver, "force", "receive=302")
      let moved = try ctl(mock, "webhook", "newPet", "--to", receiver.url + "/events").output
      #expect(moved.contains("302\n") && moved.contains("redirects to `/`, which is not followed"), "\(moved)")
      _ = try ctl(receiver, "force", "receive=503")
      let failed = try ctl(mock, "webhook", "newPet", "--to", receiver.url + "/events").output
      #expect(failed.hasPrefix("POST \(receiver.url)/events 503 after 4 attempts\n"), "\(failed)")
      #expect(
        try ctl(mock, "webhook").output == """
          subscribe.onEvent  POST  `--callbacks` is not given
          newPet             POST  a webhook has no URL: `understudy ctl webhook` or a scenario sends it

          """)
    }
  }

  @Test func `a receiver that is gone is an error after four attempts`() throws {
    try serving { mock, receiver in
      let url = receiver.url
      receiver.stop()
      let output = try ctl(mock, "webhook", "newPet", "--to", url).output
      #expect(
        output == """
          POST \(url) no response after 4 attempts
            error: no response to `newPet`: connection refused [callback.unanswered]
              help: it was sent 4 times; `understudy ctl webhook` sends it again

          """)
    }
  }

  @Test(arguments: [
    "http://10.255.255.1/", "http://example.com/", "http://2130706433/", "http://[::ffff:127.0.0.1]/",
    "http://127.0.0.1@example.com/",
  ])
  func `nothing leaves this machine without an option`(url: String) throws {
    try serving("--callbacks") { mock, _ in
      let refused = try ctl(mock, "webhook", "newPet", "--to", url)
      #expect(refused.code == 2 && refused.error.contains("` is not "), "\(refused)")
      try subscribe(mock, url)
      let log = try admin(mock, "requests?operation=subscribe.onEvent&wait=10s")
      #expect(log.contains("not sent"), "\(log)")
      #expect(mock.end().printed.contains("[callback.target]"))
    }
  }

  @Test func `an allowed host gets callbacks, and a mistake in its name is refused`() throws {
    try serving("--allow-callbacks", "receiver.test") { mock, _ in
      let sent = try ctl(mock, "webhook", "newPet", "--to", "http://receiver.test:1/").output
      #expect(sent.contains("no response to `newPet`") && !sent.contains("is not on this machine"), "\(sent)")
    }
    let wrong = try Command.run("serve", "specs/petstore.yaml", "--allow-callbacks", "http://x")
    #expect(
      wrong.error == """
        error: `--allow-callbacks http://x` is not a host
          help: expected a name or an address, as in hooks.example.com

        """)
  }

  @Test(arguments: [
    (["webhook", "newPte", "--to", "http://127.0.0.1:1"], "no webhook and no callback is called `newPte`"),
    (["webhook", "newPet"], "missing expected option `--to`"), (["webhook", "--to", "x"], "missing expected argument"),
    (["webhook", "newPet", "--to", "127.0.0.1"], "`127.0.0.1` is not the URL of a receiver"),
    (["webhook", "newPet", "--to", "http://127.0.0.1:1", "--json", "{"], "`--json` is not JSON"),
    (["webhook", "newPet", "--to", "http://127.0.0.1:1", "--lane", "nobody"], "no lane `nobody` is open"),
  ])
  func `a mistake is refused with a reason`(arguments: [String], message: String) throws {
    try serving { mock, _ in
      let result = try Command.run(Command.path, ["ctl"] + arguments + ["--url", mock.url])
      #expect(result.code == 2 || result.code == 64)
      #expect(result.error.contains(message), "\(result)")
    }
  }

  @Test func `a scenario sends a webhook without the option`() throws {
    let scenario =
      "machine: {states: {new: {final: true, on: {subscribe: {send: {name: newPet, to: \"{{request.body.callbackUrl}}/events\"}}}}}}\n"
    try serving("--scenario", "hook", files: ["fixtures/events/_scenarios/hook.yaml": scenario]) { mock, receiver in
      try subscribe(mock, receiver.url)
      let received = try admin(receiver, "requests/details?operation=receive&wait=10s")
      #expect(received.contains(#"{\"name\":\"Rex\"}"#), "\(received)")
    }
  }
}
