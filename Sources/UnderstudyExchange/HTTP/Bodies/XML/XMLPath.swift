/// A path to elements, attributes or text of an XML document: the plain part of XPath 1.0.
///
/// `/order/item[2]/@sku` begins at the document, `//item/text()` at any depth, and `item/name` below the root element. Names
/// have no namespace: a prefix is left out, and an element of any namespace matches.
package struct XMLPath: Sendable {
  private let steps: [Step]
  private let origin: Origin
  private let target: Target

  /// The maximum number of steps.
  package static let stepLimit = 100

  private enum Origin { case document, anywhere, root }

  private enum Target {
    case element
    case attribute(String)
    case text
  }

  private struct Step {
    /// `nil` for `*`.
    var name: String?
    /// The position among the elements of the name below one parent, from 1.
    var position: Int?
  }

  /// `nil` if the text is no path of this kind.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    if rest.starts(with: "//".utf8) {
      (origin, rest) = (.anywhere, rest.dropFirst(2))
    } else if rest.first == UInt8(ascii: "/") {
      (origin, rest) = (.document, rest.dropFirst())
    } else {
      origin = .root
    }
    let parts = rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= Self.stepLimit else { return nil }
    var steps: [Step] = []
    var target = Target.element
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if isLast, part.first == UInt8(ascii: "@") {
        guard let name = Self.name(part.dropFirst()) else { return nil }
        target = .attribute(name)
      } else if isLast, part.elementsEqual("text()".utf8) {
        target = .text
      } else {
        guard let step = Self.step(part) else { return nil }
        steps.append(step)
      }
    }
    if steps.isEmpty {
      guard case .root = origin else { return nil }
    }
    self.steps = steps
    self.target = target
  }

  private static func step(_ text: Substring.UTF8View) -> Step? {
    var step = Step()
    var name = text
    if text.last == UInt8(ascii: "]") {
      guard let open = text.firstIndex(of: UInt8(ascii: "[")) else { return nil }
      let digits = String(text[text.index(after: open)...].dropLast()) ?? ""
      guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let position = Int(digits), position >= 1 else { return nil }
      step.position = position
      name = text[..<open]
    }
    if name.elementsEqual("*".utf8) { return step }
    guard let known = self.name(name) else { return nil }
    step.name = known
    return step
  }

  /// A name without its prefix.
  private static func name(_ text: Substring.UTF8View) -> String? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let isName = text.allSatisfy { byte in
      byte >= 0x80 || 0x30...0x3A ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    guard isName, 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty }), let last = parts.last else { return nil }
    return String(last)
  }

  /// The values in document order, without white space around them: an element has the text directly in it.
  func values(in root: XMLElement) -> [String] {
    var elements: [XMLElement]
    var rest = steps[...]
    switch origin {
    case .root: elements = [root]
    case .document:
      elements = Self.selected([root], rest.removeFirst())
    case .anywhere:
      elements = []
      Self.search(root, rest.removeFirst(), into: &elements)
    }
    for step in rest { elements = elements.flatMap { Self.selected($0.children, step) } }
    return elements.flatMap { texts(of: $0) }
  }

  private func texts(of element: XMLElement) -> [String] {
    switch target {
    case .element: [Self.trimmed(element.text)]
    case .attribute(let name): element.attributes.filter { $0.name.matches(name, nil) }.map(\.value)
    case .text:
      element.content.compactMap { part in
        guard case .text(let text) = part else { return nil }
        let trimmed = Self.trimmed(text)
        return trimmed.isEmpty ? nil : trimmed
      }
    }
  }

  private static func selected(_ siblings: [XMLElement], _ step: Step) -> [XMLElement] {
    let named = siblings.filter { element in step.name.map { element.name.matches($0, nil) } ?? true }
    guard let position = step.position else { return named }
    return position <= named.count ? [named[position - 1]] : []
  }

  /// The depth of a document is bounded by its parser.
  private static func search(_ element: XMLElement, _ step: Step, into found: inout [XMLElement], isRoot: Bool = true) {
    if isRoot { found += selected([element], step) }
    let children = element.children
    found += selected(children, step)
    for child in children { search(child, step, into: &found, isRoot: false) }
  }

  private static func trimmed(_ text: String) -> String {
    let bytes = text.utf8
    guard let start = bytes.firstIndex(where: { $0 > 32 }), let end = bytes.lastIndex(where: { $0 > 32 }) else {
      return ""
    }
    return String(text[start...end])
  }
}
