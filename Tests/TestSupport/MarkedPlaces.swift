/// A text with the marks taken out, and the byte offsets they stood at.
package struct MarkedPlaces {
  package var text: String
  package var offsets: [Int]

  package init(_ marked: String) {
    var scalars = String.UnicodeScalarView()
    var offsets: [Int] = []
    var count = 0
    for scalar in marked.unicodeScalars {
      if scalar == "↓" {
        offsets.append(count)
      } else {
        scalars.append(scalar)
        count += UTF8.width(scalar)
      }
    }
    text = String(scalars)
    self.offsets = offsets
  }
}
