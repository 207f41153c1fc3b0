extension Rule {
  /// What can be wrong with fixtures.
  package static let fixture: [Rule] = [
    fixtureUnreadable, fixtureOperationUnknown, fixtureMisplaced, fixtureFileName, fixtureStatusUndocumented,
    fixtureUnknownKey,
    fixtureInvalid,
    fixtureDuplicate, fixtureBodyForbidden, fixtureBodySyntax,
    fixtureViolatesKept, fixtureShadowed, fixtureRequestUnreachable, fixtureContractUnknown, fixtureSequenceCell,
    fixtureUnused,
  ]

  package static let fixtureUnreadable = Rule(
    "fixture.unreadable", .error, owner: .fixture, "A fixture cannot be read or parsed",
    help:
      "The cell is served from its next source (another fixture, the contract's example, a sample) until the file is mended."
  )

  package static let fixtureOperationUnknown = Rule(
    "fixture.operation.unknown", .error, owner: .fixture, "A fixture folder names no operation of the contract",
    help: """
      Fixtures stand in `fixtures/<contract>/<operationId>/`. `understudy routes` prints the folder of every operation. \
      Folders that start with `_` or `.` are left alone.
      """)

  package static let fixtureMisplaced = Rule(
    "fixture.misplaced", .warning, owner: .fixture, "A fixture stands where none is read",
    help: """
      Fixtures stand in `fixtures/<contract>/<operationId>/` itself. A file named `200.json` beside those folders, or in a \
      folder below one, is never served. Folders and files that start with `_` or `.` are left alone.
      """)

  package static let fixtureFileName = Rule(
    "fixture.file-name", .error, owner: .fixture, "A fixture's file name names no status",
    help: """
      A fixture is named `<status>[.<name>].<extension>`: `200.json`, `200.empty.json`, `4XX.json`, `default.yaml`. \
      The status is three digits from 100 to 599, a range or `default`, as the contract has it.
      """)

  package static let fixtureStatusUndocumented = Rule(
    "fixture.status.undocumented", .error, owner: .fixture,
    "A fixture has a status that its operation does not document",
    help: """
      Add the status to the contract, or say that the fixture breaks it on purpose: a `.yaml` fixture with \
      `violates: [resp.status.undocumented]`. The fixture is served all the same when it is asked for.
      """)

  package static let fixtureUnknownKey = Rule(
    "fixture.unknown-key", .error, owner: .fixture, "A fixture description holds a key that means nothing",
    help: "A misspelt key would be ignored in silence. Known: " + FixtureKey.names + ".")

  package static let fixtureInvalid = Rule(
    "fixture.invalid", .error, owner: .fixture, "A fixture description has a value that it cannot have",
    help: "The message says what was expected. The fixture is not served until it is mended.")

  package static let fixtureDuplicate = Rule(
    "fixture.duplicate", .error, owner: .fixture, "Two fixtures stand for the same status, name and media type",
    help: "The first by file name is served. Give the other a name: `200.other.json`.")

  package static let fixtureBodyForbidden = Rule(
    "fixture.body.forbidden", .warning, owner: .fixture, "A fixture has a body where HTTP allows none",
    help: """
      Answers with 1xx, 204, 205 and 304 have no body (RFC 9110, 6.4.1 and 15.3.6). To test how a client copes with an \
      illegal one, say `violates: [resp.body.unexpected]` in a `.yaml` fixture.
      """)

  package static let fixtureBodySyntax = Rule(
    "fixture.body.syntax", .warning, owner: .fixture, "A fixture whose name ends with `.json` holds no JSON",
    help: """
      It is served byte for byte all the same. To test how a client copes with torn JSON, name the file as `bodyFile` of \
      a `.yaml` fixture with `violates: [resp.body.unparsable]`.
      """)
}

/// What `understudy verify` finds beyond what keeps a fixture from being served.
extension Rule {
  package static let fixtureViolatesKept = Rule(
    "fixture.violates.kept", .error, owner: .fixture, "A fixture keeps a rule that it says it breaks",
    help: """
      `violates` lists what is wrong with an answer on purpose, so that a client can be tried against it. Where the answer \
      does not break the rule (any more), that trial tries nothing: break it, or take the id out of the list.
      """)

  package static let fixtureUnused = Rule(
    "fixture.unused", .info, owner: .fixture, "A fixture answered nothing in a whole recording",
    help: """
      Told by `verify --har` of what a mock recorded (`serve --har`), and only when `rules` asks for it: a recording of one \
      test uses few. `coverage` shows the same by cells.
      """)

  package static let fixtureShadowed = Rule(
    "fixture.shadowed", .warning, owner: .fixture, "Another fixture answers every request that a `when` is for",
    help: """
      Of several fixtures whose `when` holds the first answers, in the order of the contract's statuses and of the file \
      names. Make the earlier one's conditions narrower, or rename the files so that the narrow one comes first.
      """)

  package static let fixtureRequestUnreachable = Rule(
    "fixture.request.unreachable", .warning, owner: .fixture,
    "A `when` holds only for requests that the contract forbids",
    help: """
      The condition names a parameter that the operation does not have, or a value that its schema refuses. Fixtures of \
      4xx and 5xx are exempt: they stand for the answer to such requests.
      """)

  package static let fixtureContractUnknown = Rule(
    "fixture.contract.unknown", .error, owner: .fixture, "A folder of fixtures has nearly the name of a contract",
    help: """
      Fixtures stand in `fixtures/<contract>/`, the contract named by its file name without extension. A folder of another \
      name is never read. Folders that resemble no contract's name are left alone.
      """)

  package static let fixtureSequenceCell = Rule(
    "fixture.sequence.cell", .error, owner: .fixture, "A sequence names an answer that is not there",
    help: """
      A step is a status, `200` or `4XX`, or a status with the name of a fixture or of an example: `200.empty`. \
      `understudy routes` lists what every operation has.
      """)
}

/// The keys of a fixture description (`.yaml`).
package enum FixtureKey: String, CaseIterable, Sendable {
  case summary, headers, body, bodyFile, text, contentType, delay, fault, when, template, violates

  package static var names: String { allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") }
}
