/// Finds pointers into an answer in the files of its fixture: `/body/nick` is a line of `200.json`.
struct FixturePlaces {
  private let fixture: Fixture
  /// The root of a `.yaml` description.
  private let description: JSON?
  private let body: Body

  private enum Body {
    /// JSON with positions.
    case value(JSON)
    /// The location for all findings: of a syntax error, or of the body as a whole.
    case whole(Location)
  }

  init(_ fixture: Fixture) {
    self.fixture = fixture
    if let node = fixture.node {
      description = node
      let part = node["json"] ?? node["body"] ?? node["text"] ?? node["file"] ?? node["bodyFile"] ?? node
      if case .bytes = fixture.body, let value = node["json"] ?? node["body"] {
        body = .value(value)
      } else {
        body = .whole(Location(start: part))
      }
      return
    }
    let fileExtension = Path.fileExtension(of: fixture.source.path)
    guard fileExtension == "yaml" || fileExtension == "yml" else {
      description = nil
      body = Self.body(in: fixture.source)
      return
    }
    description = (try? TextDocument.read(fixture.source))?.root
    // The rendered text of a template has no positions.
    if case .bytes = fixture.body, let value = description?["body"] {
      body = .value(value)
    } else if case .bytes = fixture.body, let name = description?["bodyFile"]?.string,
      let file = try? FileSystem.read(Path.join(Path.folder(of: fixture.source.path), name))
    {
      body = Self.body(in: file)
    } else {
      let node = description?["text"] ?? description?["body"] ?? description?["bodyFile"]
      body = .whole(node.map { Location(start: $0) } ?? Location(fixture.source))
    }
  }

  private static func body(in file: SourceFile) -> Body {
    guard Path.fileExtension(of: file.path) == "json", !file.bytes.isEmpty else { return .whole(Location(file)) }
    do { return .value(try JSONParser.parse(file).root) } catch { return .whole(Location(file, error.range)) }
  }

  /// The finding with its location in the file, unless it has one.
  func placed(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let pointer = diagnostic.location?.pointer, diagnostic.location?.path == nil else { return diagnostic }
    var diagnostic = diagnostic
    let keyword = diagnostic.notes.first?.location?.pointer.flatMap { $0.split(separator: "/").last }
    diagnostic.location = location(
      of: pointer, isAboutName: keyword == "additionalProperties" || keyword == "unevaluatedProperties")
    diagnostic.location?.pointer = pointer
    return diagnostic
  }

  /// The location of a rule in `violates`.
  func violates(_ id: String) -> Location {
    let element = description?["violates"]?.elements.first { $0.isString(id) }
    return element.map { Location($0) } ?? Location(fixture.source)
  }

  private func location(of pointer: String, isAboutName: Bool) -> Location {
    let tokens = JSONPointer(pointer)?.tokens ?? []
    switch tokens.first {
    case "body": return place(inBody: tokens.dropFirst(), isAboutName)
    case "header":
      let header = description?["headers"]?.members.first { member in
        tokens.count > 1 && member.name.lowercased() == tokens[1].lowercased()
      }
      let type = tokens.dropFirst().first?.lowercased() == "content-type" ? description?["contentType"] : nil
      return (header?.value ?? type ?? description?.key("headers")).map { Location($0) } ?? Location(fixture.source)
    default: return Location(fixture.source)
    }
  }

  private func place(inBody tokens: ArraySlice<String>, _ isAboutName: Bool) -> Location {
    switch body {
    case .whole(let location): return location
    case .value(let root):
      var value = root
      for token in tokens {
        guard let child = value[JSONPointer([token])] else { break }
        value = child
      }
      // The key of a member directly precedes its value.
      if isAboutName, let last = tokens.last, value.keyName?.utf8.elementsEqual(last.utf8) == true {
        return Location(JSON(document: value.document, index: value.index - 1))
      }
      return Location(start: value)
    }
  }
}
