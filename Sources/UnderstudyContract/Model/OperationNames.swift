/// Gives every operation a unique id that can also name a folder.
package struct OperationNames {
  private var taken: Set<String> = []
  private var operationIds: [[UInt8]: JSON] = [:]
  /// The last number given to a name that many paths share.
  private var counters: [String: Int] = [:]

  package init() {}

  /// The first use of an `operationId`, or `nil` if this is the first.
  mutating func claim(_ operationId: JSON) -> JSON? {
    if let first = operationIds[operationId.bytes] { return first }
    operationIds[operationId.bytes] = operationId
    return nil
  }

  /// The `operationId` where it can be a folder's name and is free, else `<METHOD>_<path with / as _>`, counted up
  /// until it is free. The slash that starts the path is left out: `GET_pets_{id}`.
  package mutating func id(operationId: String?, method: String, path: String) -> String {
    if let operationId, Self.isSafe(operationId), take(operationId) { return operationId }
    let trimmed = path.utf8.first == UInt8(ascii: "/") ? path.dropFirst() : path[...]
    let base = Self.shortened("\(method)_\(trimmed)")
    if take(base) { return base }
    var number = counters[base] ?? 1
    repeat { number += 1 } while !take("\(base)_\(number)")
    counters[base] = number
    return "\(base)_\(number)"
  }

  /// Names that differ only in case are one folder on macOS.
  private mutating func take(_ name: String) -> Bool { taken.insert(name.lowercased()).inserted }

  /// Names that start with `_` or `.` are reserved for other folders, such as `_scenarios`.
  private static func isSafe(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "_") else { return false }
    return name.utf8.count <= maximumBytes && name.unicodeScalars.allSatisfy { !isSeparator($0) }
  }

  /// File systems allow 255 bytes; the counter takes the rest.
  private static let maximumBytes = 200

  private static func shortened(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      if count > maximumBytes { break }
      result.append(isSeparator(scalar) ? "_" : scalar)
    }
    return String(result)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control
  }
}
