/// A QR code of a short text: bytes, error correction level M, versions 1 to 6 (ISO/IEC 18004:2015).
package struct QRCode: Sendable {
  /// By row; `true` is dark.
  package private(set) var modules: [[Bool]]
  /// Whether a module belongs to a pattern, and not to the data.
  private var isReserved: [[Bool]]
  package var size: Int { modules.count }

  /// Encodes a string of at most 106 bytes of UTF-8; `nil` if it is longer.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    // The mode and the length take 12 bits, and the end of the data up to 4.
    guard let version = Self.versions.firstIndex(where: { bytes.count + 2 <= $0.blocks * $0.data }) else { return nil }
    let shape = Self.versions[version]
    let size = 21 + 4 * version
    modules = Array(repeating: Array(repeating: false, count: size), count: size)
    isReserved = modules
    drawPatterns(aligned: version == 0 ? nil : size - 7)
    drawData(Self.codewords(bytes, shape))
    let masked = (0..<8).map { mask in
      var code = self
      code.apply(mask)
      return code
    }
    if let best = masked.min(by: { $0.penalty < $1.penalty }) { self = best }
  }

  /// The blocks of a version, and the bytes of each: data, and error correction (table 9, level M).
  private struct Shape {
    let blocks: Int
    let data: Int
    let correction: Int
  }

  private static let versions = [
    Shape(blocks: 1, data: 16, correction: 10), Shape(blocks: 1, data: 28, correction: 16),
    Shape(blocks: 1, data: 44, correction: 26), Shape(blocks: 2, data: 32, correction: 18),
    Shape(blocks: 2, data: 43, correction: 24), Shape(blocks: 4, data: 27, correction: 16),
  ]

  // MARK: - Bytes

  /// Data and error correction, block by block, interleaved (7.4 to 7.6).
  private static func codewords(_ bytes: [UInt8], _ shape: Shape) -> [UInt8] {
    // Half bytes: the mode for bytes, the length, the bytes, and the end.
    var halves: [UInt8] = [0b0100, UInt8(bytes.count >> 4), UInt8(bytes.count & 15)]
    halves += bytes.flatMap { [$0 >> 4, $0 & 15] } + [0]
    var data = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
    let padding: [UInt8] = [0xEC, 0x11]
    let missing = shape.blocks * shape.data - data.count
    data += (0..<missing).map { padding[$0 % 2] }
    let blocks = (0..<shape.blocks).map { Array(data[($0 * shape.data)..<(($0 + 1) * shape.data)]) }
    let corrections = blocks.map { correction(of: $0, count: shape.correction) }
    return (0..<shape.data).flatMap { index in blocks.map { $0[index] } }
      + (0..<shape.correction).flatMap { index in corrections.map { $0[index] } }
  }

  /// The remainder of the division by the generator polynomial in GF(256) (7.5.2).
  private static func correction(of data: [UInt8], count: Int) -> [UInt8] {
    var generator: [UInt8] = [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      let product = generator.map { multiply($0, root) } + [0]
      generator = zip([0] + generator, product).map { $0 ^ $1 }
      root = multiply(root, 2)
    }
    // From the highest power, which is 1, to the lowest.
    let factors = Array(generator.reversed().dropFirst())
    var rest = [UInt8](repeating: 0, count: count)
    for byte in data {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for index in 0..<count { rest[index] ^= multiply(factors[index], factor) }
    }
    return rest
  }

  /// In GF(256), modulo x⁸ + x⁴ + x³ + x² + 1.
  private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (a, b, product) = (Int(a), b, 0)
    while b > 0 {
      if b & 1 == 1 { product ^= a }
      a = a << 1 ^ (a & 0x80 == 0 ? 0 : 0x11D)
      b >>= 1
    }
    return UInt8(product)
  }

  // MARK: - Modules

  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    modules[row][column] = isDark
    isReserved[row][column] = true
  }

  /// The finders, the timing and alignment patterns, and the place of the format (6.3).
  private mutating func drawPatterns(aligned centre: Int?) {
    for index in 0..<size {
      set(6, index, index % 2 == 0)
      set(index, 6, index % 2 == 0)
    }
    for (top, left) in [(0, 0), (0, size - 7), (size - 7, 0)] {
      // Each finder pattern has a light separator around it.
      for row in max(0, top - 1)...min(size - 1, top + 7) {
        for column in max(0, left - 1)...min(size - 1, left + 7) {
          let distance = max(abs(row - top - 3), abs(column - left - 3))
          set(row, column, distance != 2 && distance != 4)
        }
      }
    }
    if let centre {
      for row in -2...2 {
        for column in -2...2 { set(centre + row, centre + column, max(abs(row), abs(column)) != 1) }
      }
    }
    drawFormat(0)
  }

  /// The level M, which is 0, and the mask, with their error correction, twice (7.9).
  private mutating func drawFormat(_ mask: Int) {
    var rest = mask
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (mask << 10 | rest) ^ 0x5412
    func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    for index in 0..<15 {
      // Beside the first finder, without the timing pattern.
      let row = index < 6 ? index : index < 8 ? index + 1 : 8
      let column = index < 8 ? 8 : index == 8 ? 7 : 14 - index
      set(row, column, bit(index))
      // Beside the finder patterns at the right and at the bottom.
      if index < 8 { set(8, size - 1 - index, bit(index)) } else { set(size - 15 + index, 8, bit(index)) }
    }
    set(size - 8, 8, true)
  }

  /// Two columns at a time from the right, upward and downward in turn (7.7.3).
  private mutating func drawData(_ codewords: [UInt8]) {
    var index = 0
    for (number, right) in (stride(from: size - 1, to: 6, by: -2).map(\.self) + [5, 3, 1]).enumerated() {
      let rows = number % 2 == 0 ? Array((0..<size).reversed()) : Array(0..<size)
      for row in rows {
        for column in [right, right - 1] where !isReserved[row][column] {
          // The bits that remain are light.
          if index < codewords.count * 8 { modules[row][column] = codewords[index / 8] >> (7 - index % 8) & 1 == 1 }
          index += 1
        }
      }
    }
  }

  private mutating func apply(_ mask: Int) {
    for row in 0..<size {
      for column in 0..<size where !isReserved[row][column] && Self.isInverted(mask, row, column) {
        modules[row][column].toggle()
      }
    }
    drawFormat(mask)
  }

  /// Table 10.
  private static func isInverted(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    let product = row * column
    return switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: product % 2 + product % 3 == 0
    case 6: (product % 2 + product % 3) % 2 == 0
    default: ((row + column) % 2 + product % 3) % 2 == 0
    }
  }

  /// How much there is that could confuse a reader (7.8.3).
  private var penalty: Int {
    let columns = (0..<size).map { column in modules.map { $0[column] } }
    var sum = (modules + columns).reduce(0) { $0 + Self.penalty(of: $1) }
    for row in 1..<size {
      for column in 1..<size {
        let square = [modules[row - 1][column - 1], modules[row - 1][column], modules[row][column - 1]]
        if square.allSatisfy({ $0 == modules[row][column] }) { sum += 3 }
      }
    }
    let dark = modules.reduce(0) { $0 + $1.count(where: \.self) }
    return sum + abs(dark * 20 - size * size * 10) / (size * size) * 10
  }

  /// Runs of five or more modules of one colour, and what looks like a finder.
  private static func penalty(of line: [Bool]) -> Int {
    var (sum, run) = (0, 0)
    for index in line.indices {
      run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
      if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    let light = [Bool](repeating: false, count: 4)
    for pattern in [light + finder, finder + light] where line.count >= pattern.count {
      for start in 0...(line.count - pattern.count) where line[start..<(start + pattern.count)].elementsEqual(pattern) {
        sum += 40
      }
    }
    return sum
  }

  // MARK: - Text

  /// Two rows of modules in each line of a terminal, with the light margin of four modules. Blocks are light.
  ///
  /// - Parameter isColored: Whether to set both colours; without them the background has to be dark.
  package func text(isColored: Bool) -> String {
    let margin = 4
    func isLight(_ row: Int, _ column: Int) -> Bool {
      !(modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column])
    }
    return stride(from: -margin, to: size + margin, by: 2).map { row in
      let blocks = (-margin..<(size + margin)).map { column in
        switch (isLight(row, column), isLight(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return (isColored ? "\u{1B}[97;40m" : "") + blocks.joined() + (isColored ? "\u{1B}[0m" : "") + "\n"
    }.joined()
  }
}
