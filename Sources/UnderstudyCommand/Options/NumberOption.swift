import ArgumentParser

extension ClosedRange where Bound: FixedWidthInteger & Sendable {
  /// The number that the text of an option is. Throws, with the range, for other text.
  func number(_ text: String) throws -> Bound {
    guard let number = Bound(text), contains(number) else {
      throw ValidationError("expected a number from \(lowerBound)" + (upperBound == .max ? "" : " to \(upperBound)"))
    }
    return number
  }
}
