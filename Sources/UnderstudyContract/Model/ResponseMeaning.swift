/// Names the responses of an operation by what they mean, so that `203` can be called `penaltyFirst`.
enum ResponseMeaning {
  private static let maximumWords = 5
  private static let maximumScalars = 40

  /// Sets `meaning` of each: `x-meaning`, else the first words of the description, else the status.
  ///
  /// Names are unique: a name already used gets the status appended. `explicit` holds the `x-meaning` of each.
  static func assign(to responses: inout [Response], explicit: [String?]) {
    var taken: Set<String> = []
    // Explicit names come first, so that no slug takes them.
    for (position, meaning) in explicit.enumerated() {
      responses[position].isNamed = meaning != nil
      guard let meaning, taken.insert(meaning).inserted else { continue }
      responses[position].meaning = meaning
    }
    for position in responses.indices where responses[position].meaning.isEmpty {
      let status = responses[position].status == .default ? "Default" : responses[position].status.description
      let name = explicit[position] ?? slug(responses[position].description)
      let candidates = name.map { [$0, $0 + status] } ?? []
      responses[position].meaning =
        candidates.first { taken.insert($0).inserted } ?? responses[position].status.description
    }
  }

  /// `User not found (yet). See ...` becomes `userNotFoundYet`; `nil` unless it starts with a letter.
  static func slug(_ description: String) -> String? {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var length = 0
    func isPart(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
    func endWord() {
      guard !word.isEmpty else { return }
      words.append(String(word))
      word = String.UnicodeScalarView()
    }
    for scalar in description.unicodeScalars {
      if isPart(scalar) {
        length += 1
        guard length <= maximumScalars else { break }
        word.append(scalar)
      } else if scalar == "'" || scalar == "’" {
        continue
      } else {
        endWord()
        // Only the first sentence counts.
        if words.count == maximumWords || (!words.isEmpty && (scalar == "\n" || scalar == ".")) { break }
      }
    }
    if length <= maximumScalars || words.isEmpty { endWord() }
    guard let first = words.first, let initial = first.unicodeScalars.first, initial.properties.isAlphabetic else {
      return nil
    }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    let name = first.lowercased() + rest.joined()
    // A slug such as `default` must not be read as a status.
    return Response.Status(lenient: name) == nil ? name : nil
  }
}
