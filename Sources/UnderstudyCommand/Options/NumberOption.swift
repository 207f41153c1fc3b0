import ArgumentParser

extension ClosedRange where Bound: FixedWidthInteger & Sendable {
  /// Reads the number of an option; throws with the allowed range for any other string.
  func number(_ text: String) throws -> Bound {
    guard let number = Bound(text), contains(number) else {
      throw ValidationError("expected a number from \(lowerBound)" + (upperBound == .max ? "" : " to \(upperBound)"))
    }
    return number
  }
}
