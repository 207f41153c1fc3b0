/// The documents that an import reads.
package struct ImportInput: Sendable {
  package private(set) var documents: [JSON] = []
  /// Files of a folder that belong to no tool, or cannot be read, with the reasons.
  package private(set) var skipped: [Diagnostic] = []
  /// The folder of body files.
  private(set) var filesFolder = ""

  /// The maximum number of files in a folder.
  private static let fileLimit = 10_000
  private static let depthLimit = 16

  /// Reads a file, or the `.json` files below a folder.
  package static func read(_ path: String) throws(FileProblem) -> ImportInput {
    var input = ImportInput()
    guard FileSystem.isFolder(path) else {
      let file = try FileSystem.read(path)
      input.add(file)
      let folder = Path.folder(of: path)
      let candidates = ["__files", "../__files"].map { Path.join(folder.isEmpty ? "." : folder, $0) }
      input.filesFolder = candidates.first(where: FileSystem.isFolder) ?? (folder.isEmpty ? "." : folder)
      return input
    }
    let mappings = Path.join(path, "mappings")
    let root = FileSystem.isFolder(mappings) ? mappings : path
    let candidates = [Path.join(path, "__files"), Path.join(root, "../__files")]
    input.filesFolder = candidates.first(where: FileSystem.isFolder) ?? path
    try input.add(folder: root, depth: 0)
    return input
  }

  private mutating func add(folder: String, depth: Int) throws(FileProblem) {
    for entry in try FileSystem.list(folder) where !entry.name.hasPrefix(".") && entry.name != "__files" {
      let path = Path.join(folder, entry.name)
      if entry.isFolder {
        // A link to a folder could repeat its tree without end.
        if !FileSystem.isLink(path), depth < Self.depthLimit { try add(folder: path, depth: depth + 1) }
      } else if Path.fileExtension(of: entry.name) == "json" {
        guard documents.count < Self.fileLimit else {
          throw FileProblem(.tooLarge, folder, "the folder has more than \(Self.fileLimit) files")
        }
        add(try FileSystem.read(path))
      }
    }
  }

  private mutating func add(_ file: SourceFile) {
    do throws(TextProblem) {
      documents.append(try TextDocument.read(file).root)
    } catch {
      skipped.append(Diagnostic(.specUnparsable, error, in: file))
    }
  }

  /// The tool that the first document of a known tool belongs to.
  package var tool: ForeignTool? { documents.lazy.compactMap { ForeignTool(of: $0) }.first }
}

/// Reads the files of a tool.
package enum Importer {
  package static func read(
    _ inputs: [ImportInput], of tool: ForeignTool, isAlwaysTemplate: Bool = false
  ) -> ImportContext {
    var context = ImportContext()
    context.isAlwaysTemplate = isAlwaysTemplate
    for input in inputs {
      for document in input.documents where document.document.duplicates.isEmpty == false {
        context.differs("duplicate keys", "the last value of a duplicate key applies", at: document)
      }
      switch tool {
      case .wiremock:
        var reader = WireMockReader(context: context, filesFolder: input.filesFolder)
        reader.read(input.documents)
        context = reader.context
      case .mockoon: MockoonReader.read(input.documents, filesFolder: input.filesFolder, &context)
      case .postman: PostmanReader.read(input.documents, &context)
      case .mockserver: MockServerReader.read(input.documents, filesFolder: input.filesFolder, &context)
      case .pact: PactReader.read(input.documents, &context)
      case .hoverfly: HoverflyReader.read(input.documents, filesFolder: input.filesFolder, &context)
      }
    }
    return context
  }
}
