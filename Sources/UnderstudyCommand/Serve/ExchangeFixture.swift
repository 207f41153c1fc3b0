package import UnderstudyMock
import UnderstudyRecording
import UnderstudySystem

/// One exchange as a fixture under a name that a person chose.
package struct ExchangeFixture {
  private let contract: Contract
  private let fixture: PlannedFixture

  /// - Parameters:
  ///   - earlier: Exchanges whose secrets it may repeat.
  ///   - name: Of the variant; `nil` for the default of the cell.
  /// - Throws: If the exchange has no answer of an operation, or the name cannot be that of a file.
  package init(
    _ exchange: ServedRequest, after earlier: [ServedRequest] = [], name: String?, of mock: Mock,
    _ redaction: RedactionSettings
  ) throws(LaneProblem) {
    guard exchange.method != "HEAD" else {
      throw LaneProblem(
        .conflict, "the answer to a HEAD has no body, and a fixture has", help: "send a GET, and save its answer")
    }
    guard let key = exchange.reply.operation?.key,
      let position = mock.operations.firstIndex(where: { $0.key == key }), let entry = exchange.recorded
    else {
      throw Self.noResponse
    }
    if let name, !Self.isName(name) {
      throw LaneProblem(
        .invalid, "`\(VisibleText.shortened(name, to: 60))` is not a valid name of a fixture",
        help: "expected letters and digits, as in emptyList")
    }
    let operation = mock.operations[position].compiled
    let index = mock.contractSet.contractIndex(ofOperation: position)
    contract = mock.contracts[index]
    var redactor = RecordingRedactor(mock.contracts.map(\.compiled.secrets), redaction)
    for earlier in earlier { earlier.exchange.map { redactor.learn($0, of: earlier.operation) } }
    guard var answer = RecordedAnswer(redactor.redact(entry, of: operation.operation), of: operation) else {
      throw Self.noResponse
    }
    answer.findViolations(exchange.reply.diagnostics, of: operation, mock.operations[position].options)
    fixture = PlannedFixture(operation: operation, status: answer.status, name: name, answer: answer)
  }

  private static var noResponse: LaneProblem {
    LaneProblem(
      .conflict, "the request has no answer of an operation, so that no fixture can have it",
      help: "choose a request with an operation and a status")
  }

  /// `readChat/200.empty`
  package var label: String { fixture.label }

  private static func isName(_ name: String) -> Bool {
    1...60 ~= name.utf8.count
      && name.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }

  /// Two are not written at a time.
  private static let writing = Lock(())

  /// Writes the files, and returns their paths.
  ///
  /// - Parameter replaces: Whether a fixture that exists is replaced, if it is one file with the body alone. Otherwise it
  ///   stays as it is, also one that is not loaded yet.
  package func write(replacing replaces: Bool = false) throws(LaneProblem) -> [String] {
    try Self.writing.withLock { _ throws(LaneProblem) in try writeAlone(replaces) }
  }

  /// The files of the folder that are fixtures with this name.
  private var existing: [String] {
    let folder = Path.join(contract.fixtures.folder, fixture.operation.id)
    let files = (try? FileSystem.names(in: folder)) ?? []
    return files.filter { name in
      name.utf8.starts(with: "\(fixture.stem).".utf8) && !name.dropFirst(fixture.stem.count + 1).contains(".")
    }
  }

  private func writeAlone(_ replaces: Bool) throws(LaneProblem) -> [String] {
    let existing = existing
    let isSame = fixture.isPlain && existing.allSatisfy { $0.utf8Equals(Path.name(of: fixture.path)) }
    if replaces, !existing.isEmpty, !isSame {
      throw LaneProblem(
        .conflict,
        "the fixture \(fixture.label) is not replaced, as the old or the new one is more than a body: "
          + existing.joined(separator: ", "),
        help: "edit its files")
    }
    guard existing.isEmpty || replaces else {
      throw LaneProblem(
        .conflict, "the fixture \(fixture.label) exists",
        help: fixture.name == nil ? "give it a name: it becomes a variant" : "give it another name")
    }
    let folder = contract.fixtures.folder
    do throws(FileProblem) {
      var staging = try StagedFiles(in: folder)
      do throws(FileProblem) {
        for file in fixture.files { try staging.add(file.bytes, as: file.path) }
        try staging.commit()
      } catch {
        staging.discard()
        throw error
      }
    } catch {
      throw LaneProblem(.conflict, "\(error.path): \(error.message)", help: error.help ?? "make the folder writable")
    }
    return fixture.files.map { Path.join(folder, $0.path) }
  }
}
