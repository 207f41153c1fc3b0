/// Punycode (RFC 3492): Unicode labels in ASCII, without the `xn--`.
enum Punycode {
  private static let base = 36
  private static let initialBias = 72

  static func decode(_ text: some Collection<UInt8>) -> [Unicode.Scalar]? {
    let input = Array(text)
    var output: [Unicode.Scalar] = []
    var position = 0
    if let hyphen = input.lastIndex(of: UInt8(ascii: "-")) {
      output = input[..<hyphen].map { Unicode.Scalar($0) }
      position = hyphen + 1
    }
    var (code, bias, index) = (128, initialBias, 0)
    while position < input.count {
      let before = index
      var weight = 1
      var step = base
      while true {
        guard position < input.count, let digit = digit(of: input[position]) else { return nil }
        position += 1
        let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
        guard !overflow, index < Int(Int32.max) else { return nil }
        index += product
        let threshold = min(max(step - bias, 1), 26)
        if digit < threshold { break }
        weight *= base - threshold
        guard weight < Int(Int32.max) else { return nil }
        step += base
      }
      bias = adapted(index - before, output.count + 1, isFirst: before == 0)
      code += index / (output.count + 1)
      index %= output.count + 1
      guard code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
      output.insert(scalar, at: index)
      index += 1
    }
    return output
  }

  /// Encodes labels of limited length, as the cost is quadratic.
  static func encode(_ label: [Unicode.Scalar]) -> [UInt8]? {
    guard label.count <= 255 else { return nil }
    var output = label.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
    var handled = output.count
    let basic = output.count
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (code, bias, delta) = (128, initialBias, 0)
    while handled < label.count {
      guard let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min() else { return nil }
      delta += (next - code) * (handled + 1)
      code = next
      for scalar in label {
        if scalar.value < code { delta += 1 }
        guard scalar.value == code else { continue }
        var rest = delta
        var step = base
        while true {
          let threshold = min(max(step - bias, 1), 26)
          if rest < threshold { break }
          output.append(character(of: threshold + (rest - threshold) % (base - threshold)))
          rest = (rest - threshold) / (base - threshold)
          step += base
        }
        output.append(character(of: rest))
        bias = adapted(delta, handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return output
  }

  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var step = 0
    while delta > 455 {
      delta /= 35
      step += base
    }
    return step + 36 * delta / (delta + 38)
  }

  private static func digit(of byte: UInt8) -> Int? {
    switch byte {
    case 48...57: Int(byte) - 22
    case 65...90: Int(byte) - 65
    case 97...122: Int(byte) - 97
    default: nil
    }
  }

  private static func character(of digit: Int) -> UInt8 { UInt8(digit < 26 ? digit + 97 : digit + 22) }
}
