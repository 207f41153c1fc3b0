/// Finds the name that was meant by a misspelt one.
enum Similar {
  /// The name with the fewest different letters; `nil` where more than a third of them differ.
  static func name(to text: String, among names: [String]) -> String? {
    let distances = names.map { (name: $0, distance: distance(Array(text), Array($0))) }
    return distances.min { $0.distance < $1.distance }.flatMap { $0.distance <= max(2, text.count / 3) ? $0.name : nil }
  }

  /// The number of letters to insert, remove or replace.
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var last = row[0]
      row[0] = index + 1
      for column in other.indices {
        let cost = min(row[column] + 1, row[column + 1] + 1, last + (letter == other[column] ? 0 : 1))
        (last, row[column + 1]) = (row[column + 1], cost)
      }
    }
    return row[other.count]
  }
}
