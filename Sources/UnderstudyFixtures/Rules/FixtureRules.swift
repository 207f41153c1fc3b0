extension Rule {
  package static let fixture: [Rule] = [
    fixtureUnreadable, fixtureOutside, fixtureOperationUnknown, fixtureMisplaced, fixtureFileName,
    fixtureStatusUndocumented, fixtureUnknownKey, fixtureInvalid, fixtureTemplateUnknown, fixtureTemplateOff,
    fixtureDuplicate, fixtureBodyForbidden, fixtureBodySyntax, fixtureViolatesKept,
    fixtureShadowed, fixtureTie, fixtureRequestUnreachable, fixtureContractUnknown, fixtureSequenceCell, fixtureUnused,
  ]

  package static let fixtureUnreadable = Rule(
    "fixture.unreadable", .error, owner: .fixture, "A fixture cannot be read or parsed",
    help: "Until the file is fixed, the next source answers: another fixture, the contract's example, a sample.")

  package static let fixtureOutside = Rule(
    "fixture.outside", .error, owner: .fixture, "A fixture is, or names, a file outside the project folders",
    help: """
      A `bodyFile` and a link may lead, after links are resolved, into the folders of the contract, of the fixtures and of \
      understudy.yaml, and into the working directory; `--allow-files FOLDER` or `allow-files` in understudy.yaml adds \
      folders.
      """)

  package static let fixtureOperationUnknown = Rule(
    "fixture.operation.unknown", .error, owner: .fixture, "A fixture folder names no operation of the contract",
    help: """
      Fixtures belong in `fixtures/<contract>/<operationId>/`. `understudy routes` prints the folder of every operation. \
      Folders that start with `_` or `.` are ignored.
      """)

  package static let fixtureMisplaced = Rule(
    "fixture.misplaced", .warning, owner: .fixture, "A fixture is in a folder that is not read",
    help: """
      Fixtures belong directly in `fixtures/<contract>/<operationId>/`. A file named `200.json` beside those folders, or in a \
      subfolder, is never served. Folders and files that start with `_` or `.` are ignored.
      """)

  package static let fixtureFileName = Rule(
    "fixture.file-name", .error, owner: .fixture, "A fixture's file name does not start with a status",
    help: """
      A fixture is named `<status>[.<name>].<extension>`: `200.json`, `200.empty.json`, `4XX.json`, `default.yaml`. \
      The status is three digits from 200 to 599, a range or `default`, as in the contract. An interim status (1xx) ends \
      no request.
      """)

  package static let fixtureStatusUndocumented = Rule(
    "fixture.status.undocumented", .error, owner: .fixture,
    "A fixture has a status that its operation does not document",
    help: """
      Add the status to the contract, or state that the fixture breaks it on purpose: a `.yaml` fixture with \
      `violates: [resp.status.undocumented]`. The fixture is still served by name or status.
      """)

  package static let fixtureUnknownKey = Rule(
    "fixture.unknown-key", .error, owner: .fixture, "A fixture description has an unknown key",
    help: "A misspelt key would be ignored silently. Known: " + FixtureKey.names + ".")

  package static let fixtureTemplateUnknown = Rule(
    "fixture.template.unknown", .error, owner: .fixture, "A template has a name that never has a value",
    help: """
      The tag renders as nothing in every response. A template has `{{request.path.X}}`, `{{request.query.X}}`, \
      `{{request.header.X}}` and `{{request.body.X}}`, the variables `{{var.X}}` and lists `{{#others.X}}` of a scenario, and \
      functions such as `now`, `uuid`, `random` and `upper`. Names that begin with the item of a section are not checked.

      Not `{{faker.name}}` but `{{faker 'firstName'}}`, or the values themselves, as in `{{random of=Ann,Tom}}`.
      """)

  package static let fixtureTemplateOff = Rule(
    "fixture.template.off", .warning, owner: .fixture, "A body has tags of a template, and is sent as it is",
    help: """
      Only a `.yaml` fixture with `template: true` fills `{{request.body.chat}}`. A plain file, such as `200.json`, is sent \
      byte for byte: a description beside it names it as `bodyFile`.

          bodyFile: _page.html
          template: true

      For a body that really has such text, such as a page with templates of its own, say `template: false`.
      """)

  package static let fixtureDuplicate = Rule(
    "fixture.duplicate", .error, owner: .fixture, "Two fixtures have the same status, name and media type",
    help: "The first by file name is served. Give the other a name: `200.other.json`.")

  package static let fixtureBodyForbidden = Rule(
    "fixture.body.forbidden", .warning, owner: .fixture, "A fixture has a body where HTTP allows none",
    help: """
      Answers with 1xx, 204, 205 and 304 have no body (RFC 9110, 6.4.1 and 15.3.6). To test how a client handles an \
      illegal one, add `violates: [resp.body.unexpected]` to a `.yaml` fixture.
      """)

  package static let fixtureBodySyntax = Rule(
    "fixture.body.syntax", .warning, owner: .fixture, "A fixture whose name ends with `.json` is not valid JSON",
    help: """
      It is still served byte for byte. To test how a client handles broken JSON, name the file as `bodyFile` of a `.yaml` \
      fixture with `violates: [resp.body.unparsable]`.
      """)

  package static let fixtureViolatesKept = Rule(
    "fixture.violates.kept", .error, owner: .fixture, "A fixture does not break a rule that it lists in `violates`",
    help: """
      `violates` lists the rules that an answer breaks on purpose, to test a client. Where the answer does not break the rule \
      (any more), the test is void: break the rule, or remove its id from the list.
      """)

  package static let fixtureShadowed = Rule(
    "fixture.shadowed", .warning, owner: .fixture, "Another fixture answers every request that a `when` matches",
    help: """
      Of several fixtures whose `when` matches, the one with the highest `priority` answers, then the one with the most \
      conditions, then the first by the contract's statuses and the file names. Make the conditions of the earlier one \
      narrower, or give the narrower fixture a `priority`.
      """)

  package static let fixtureTie = Rule(
    "fixture.tie", .warning, owner: .fixture, "The file name decides which of two fixtures answers a request",
    help: """
      The `when` of two fixtures can match one request, and they have the same `priority` and the same number of \
      conditions. The first by the contract's statuses and the file names answers. Give one of them a `priority`, or add a \
      condition.
      """)

  package static let fixtureRequestUnreachable = Rule(
    "fixture.request.unreachable", .warning, owner: .fixture,
    "A `when` matches only requests that the contract forbids",
    help: """
      The condition names a parameter that the operation does not have, or a value that its schema refuses. Fixtures of \
      4xx and 5xx are exempt: they answer such requests.
      """)

  package static let fixtureContractUnknown = Rule(
    "fixture.contract.unknown", .error, owner: .fixture, "A folder of fixtures belongs to no contract",
    help: """
      Fixtures belong in `fixtures/<contract>/`: the file name of the contract without extension, or its `name` in \
      understudy.yaml. A folder of another name is never read. It is reported if it has fixtures or resembles the name of a \
      contract. Folders that start with `_` or `.` are ignored.
      """)

  package static let fixtureSequenceCell = Rule(
    "fixture.sequence.cell", .error, owner: .fixture, "A sequence names an answer that does not exist",
    help: """
      A step is a status, `200` or `4XX`, or a status with the name of a fixture or of an example: `200.empty`. \
      `understudy routes` lists the answers of every operation.
      """)
}

/// The keys of a fixture description (`.yaml`).
package enum FixtureKey: String, CaseIterable, Sendable {
  case summary, headers, body, bodyFile, text, contentType, pauses, delay, fault, when, priority, template, violates

  package static var names: String { allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") }
}
