/// Finds what a body repeats from its request or from the clock, and writes it as a template.
///
/// Generated ids stay as they are: another operation refers to them.
struct TemplateInference {
  let view: RequestView
  /// The time of the exchange, in microseconds since 1970.
  let time: Int

  /// Times further from the exchange than this are data, such as a birthday.
  static let window = 31 * 86_400 * 1_000_000
  /// A text that is not under the name it has in the request is an echo only from this length on.
  static let echoLength = 8

  /// The template of a JSON body; `nil` if nothing in it depends on its request or the clock.
  func template(_ body: [UInt8]) -> [UInt8]? {
    // The tags of a template cannot be escaped.
    guard body.firstRange(of: "{{".utf8) == nil, let root = try? JSONParser.parse(body).root else { return nil }
    var isChanged = false
    let value = JSON.make { copy(root, named: "", into: &$0, &isChanged) }
    guard isChanged else { return nil }
    return Self.unquoted(JSONWriter.bytes(value, .pretty)) + [0x0A]
  }

  /// Recursive, since the parser limits the depth.
  private func copy(_ node: JSON, named name: String, into builder: inout JSONBuilder, _ isChanged: inout Bool) {
    switch node.kind {
    case .array:
      builder.begin(.array)
      for element in node.elements { copy(element, named: name, into: &builder, &isChanged) }
      builder.end()
    case .object:
      builder.begin(.object)
      for member in node.members {
        builder.append(key: member.name)
        copy(member.value, named: member.name, into: &builder, &isChanged)
      }
      builder.end()
    case .string:
      guard let tag = echo(of: node.text, named: name) ?? clock(node.text) else { return builder.append(node) }
      isChanged = true
      builder.append(tag)
    case .number:
      guard let tag = epoch(node.text) else { return builder.append(node) }
      isChanged = true
      builder.append(Self.mark + tag)
    default: builder.append(node)
    }
  }

  // MARK: - Request

  private func echo(of text: String, named name: String) -> String? {
    guard !text.isEmpty else { return nil }
    let isLong = text.utf8.count >= Self.echoLength
    for capture in view.captures where isLong || capture.name.utf8Equals(name) {
      if isValue(.path, capture.name, text) { return "{{request.path.\(capture.name)}}" }
    }
    guard isLong || Self.isName(name) else { return nil }
    if Self.isName(name) {
      for part in [RequestPart.body, .query] where isValue(part, name, text) {
        return "{{request.\(part.rawValue).\(name)}}"
      }
    }
    return nil
  }

  private func isValue(_ part: RequestPart, _ name: String, _ text: String) -> Bool {
    let values = view.values(part, name)
    return Self.isName(name) && values.count == 1 && values[0].utf8Equals(text)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~") }
  }

  // MARK: - Clock

  /// RFC 3339 in UTC with up to nine digits of a fraction, or a date of HTTP.
  private func clock(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
      let moment = Timestamp.microseconds(bytes), abs(moment - time) <= Self.window
    else { return nil }
    let digits = bytes.count - 21
    switch digits {
    case 3: return "{{now\(offset(moment, milliseconds: true))}}"
    case -1: return "{{now\(offset(moment, milliseconds: false)) format='%Y-%m-%dT%H:%M:%SZ'}}"
    case 4...9:
      let zeros = String(repeating: "0", count: digits - 3)
      return "{{now\(offset(moment, milliseconds: true)) format='%Y-%m-%dT%H:%M:%S.%L\(zeros)Z'}}"
    default: return nil
    }
  }

  /// Seconds or milliseconds since 1970.
  private func epoch(_ text: String) -> String? {
    guard VolatileText.isEpoch(text), let number = Int(text) else { return nil }
    let isMilliseconds = text.utf8.count == 13
    let moment = number * (isMilliseconds ? 1000 : 1_000_000)
    guard abs(moment - time) <= Self.window else { return nil }
    return "{{now\(offset(moment, milliseconds: isMilliseconds)) format=\(isMilliseconds ? "epoch-ms" : "epoch")}}"
  }

  /// ` -1d2h`, relative to the exchange.
  private func offset(_ moment: Int, milliseconds: Bool) -> String {
    let difference = moment - time
    let unit = milliseconds ? 1000 : 1_000_000
    var rest = Int((Double(abs(difference)) / Double(unit)).rounded()) * (milliseconds ? 1 : 1000)
    guard rest > 0 else { return "" }
    var text = difference < 0 ? " -" : " +"
    for (name, size) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)] where rest >= size
    {
      text += "\(rest / size)\(name)"
      rest %= size
    }
    return text
  }

  // MARK: - Numbers

  /// Stands before a tag that is a number, and goes with its quotes.
  private static let mark = "\u{1}"

  private static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    return Array(text.replacing(/"\\u0001(\{\{[^"]*\}\})"/) { "\($0.output.1)" }.utf8)
  }
}
