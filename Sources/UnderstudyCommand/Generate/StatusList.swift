import UnderstudyVerification

/// The statuses of one operation, with names for source code.
struct StatusList {
  /// The comment, as sentences: the operation, and its documented statuses without a number, `4XX` and `default`.
  let description: [String]
  let operation: String
  /// `JoinQueue`, unique in a file.
  let typeName: String
  /// Those with a number; `4XX` and `default` have none.
  let statuses: [Status]
  /// Every documented status.
  let cells: [Cell]

  struct Status {
    let code: Int
    /// `penaltyFirst`, unique in the operation.
    let name: String
    /// The first line of the description.
    let summary: String
  }

  struct Cell {
    /// The status that the mock sends.
    let code: Int
    /// `200`, `4XX`, `default`
    let key: String
    /// `penaltyFirst`, `status4XX`, `default`; that of the status, if it has a number.
    let name: String
    /// The meaning as the contract names it.
    let meaning: String?
  }

  /// Operations without a documented status are left out.
  static func all(of operations: [CompiledOperation]) -> [StatusList] {
    var types: Set<String> = []
    return operations.compactMap { operation in
      var names: Set<String> = []
      var statuses: [Status] = []
      var others: [String] = []
      var cells: [Cell] = []
      for cell in operation.cells {
        let status = cell.status.description
        let meaning = identifier(cell.meaning ?? "").flatMap { reserved.contains($0) ? nil : $0 }
        let other = cell.status == .default ? status : "status\(status)"
        let name = unique(meaning ?? other, suffix: status, &names)
        cells.append(
          Cell(code: operation.code(of: cell.status), key: status, name: name, meaning: cell.explicitMeaning))
        guard case .code(let code) = cell.status else {
          others.append(status)
          continue
        }
        let lines = (cell.response?.description ?? "").split(whereSeparator: \.isNewline)
        statuses.append(
          Status(code: code, name: name, summary: lines.first.map { inComment(VisibleText.line(String($0))) } ?? ""))
      }
      guard !cells.isEmpty else { return nil }
      let word = identifier(operation.id) ?? "operation"
      let type = unique(word.prefix(1).uppercased() + word.dropFirst(), suffix: "\(types.count)", &types)
      let title = inComment("\(operation.operation.method) \(operation.operation.path)")
      let also = others.isEmpty ? [] : ["Also documented: \(others.joined(separator: ", "))."]
      return StatusList(
        description: ["The statuses of `\(operation.id)`, \(title)."] + also, operation: operation.id, typeName: type,
        statuses: statuses, cells: cells)
    }
  }

  /// Names that an enumeration of Swift has for itself.
  private static let reserved: Set<String> = [
    "allCases", "AllCases", "Cell", "hashValue", "init", "Protocol", "rawValue", "RawValue", "self", "Self", "Type",
  ]

  /// A name that no other has, not even in capitals and without underscores: Kotlin's constants are written so.
  private static func unique(_ name: String, suffix: String, _ taken: inout Set<String>) -> String {
    func isNew(_ name: String) -> Bool { taken.insert(name.replacing("_", with: "").uppercased()).inserted }
    var unique = name
    while !isNew(unique) { unique += unique == name ? suffix : "_" + suffix }
    return unique
  }

  /// Neither an end nor, since Kotlin nests them, a beginning of a comment.
  private static func inComment(_ text: String) -> String {
    text.replacing("*/", with: "* /").replacing("/*", with: "/ *")
  }

  /// Letters, digits and underscores, with a capital after every other character: `user.read-all` is `userReadAll`; `nil`
  /// where no letter begins it.
  static func identifier(_ text: String) -> String? {
    var result = ""
    var startsWord = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z") where startsWord && !result.isEmpty:
        result.unicodeScalars.append(UnicodeScalar(byte - 32))
        startsWord = false
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        result.unicodeScalars.append(UnicodeScalar(byte))
        startsWord = false
      default: startsWord = true
      }
    }
    guard let first = result.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return nil }
    return result
  }
}
