import ArgumentParser

/// A property that ArgumentParser fills from the command line.
private protocol ParsedProperty {
  /// The flags that filled the property.
  ///
  /// - Parameter name: The name of the flag without dashes.
  func given(_ name: String) -> [String]
}

extension ParsableArguments {
  /// The flags on the command line in the order of their properties, except options with a default value.
  var given: [String] {
    Mirror(reflecting: self).children.flatMap { child in
      let label = (child.label ?? "").drop { $0 == "_" }
      let name = label.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)-\($0.2)" }.lowercased()
      return (child.value as? any ParsedProperty)?.given(name) ?? []
    }
  }
}

extension Option: ParsedProperty {
  fileprivate func given(_ name: String) -> [String] {
    let value = Mirror(reflecting: wrappedValue)
    let mayBeAbsent = value.displayStyle == .optional || value.displayStyle == .collection
    return mayBeAbsent && !value.children.isEmpty ? ["--\(name)"] : []
  }
}

extension Flag: ParsedProperty {
  fileprivate func given(_ name: String) -> [String] {
    guard let value = wrappedValue as? Bool, value || Value.self == Bool?.self else { return [] }
    return [value ? "--\(name)" : "--no-\(name)"]
  }
}

extension OptionGroup: ParsedProperty {
  fileprivate func given(_: String) -> [String] { wrappedValue.given }
}
