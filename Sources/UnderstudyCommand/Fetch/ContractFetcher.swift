import ArgumentParser
import UnderstudyVerification

/// Fetches contracts and the documents that they refer to, once, at the start of a command. Nothing is fetched while a mock
/// runs.
///
/// Connects only to hosts that the user named. References of a contract to other hosts need permission.
struct ContractFetcher {
  let fetcher: DocumentFetcher
  let allowsOtherHosts: Bool
  /// Files that are read in place of URLs.
  var references = ReferenceMap()

  /// A contract with the documents that it refers to.
  struct Fetched: Sendable {
    /// The URL of the contract; the user may have named a page that shows it.
    var url: String
    var documents: [String: Result<JSONDocument, DocumentFailure>] = [:]
    /// Messages about how the contract was found.
    var notes: [String] = []

    /// Returns the fetched documents and refuses all others.
    var load: DocumentStore.Load { { [documents] in documents[$0] ?? .failure(.refused) } }
  }

  /// The maximum number of documents of a contract, and of requests to find one.
  private static let maximumDocuments = 1_000
  private static let maximumSteps = 8

  /// The contracts, with the fetched documents of URLs.
  static func fetched(
    _ sources: [ContractSource], allowsOtherHosts: Bool, _ trust: TrustOptions?
  ) async throws -> [ContractSource] {
    guard allowsOtherHosts || sources.contains(where: \.isFetched) else { return sources }
    return try await withFetcher(trust) { fetcher in
      var result: [ContractSource] = []
      for source in sources {
        let fetcher = ContractFetcher(
          fetcher: fetcher, allowsOtherHosts: allowsOtherHosts, references: source.reading.references)
        result.append(try await fetcher.fetched(source))
      }
      return result.sharingOverlays
    }
  }

  /// The documents at URLs that a contract in another store than the file system refers to.
  static func remoteDocuments(
    of path: String, in store: DocumentStore, _ references: ReferenceMap
  ) async throws -> DocumentStore.Load {
    try await withFetcher(nil) { fetcher in
      let fetcher = ContractFetcher(fetcher: fetcher, allowsOtherHosts: true, references: references)
      return Fetched(url: "", documents: await fetcher.references(of: path, [:], in: store)).load
    }
  }

  private static func withFetcher<R>(
    _ trust: TrustOptions?, _ body: (DocumentFetcher) async throws -> R
  ) async throws -> R {
    let trust = try trust ?? TrustOptions.parse([])
    let client = try UpstreamClient(
      timeout: .seconds(30), setting: "30 s", limitsWhole: true,
      trusting: try trust.certificates(for: Upstream("https://any")))
    let result: R
    do {
      result = try await body(DocumentFetcher(transport: client.transport))
    } catch {
      await client.shutdown()
      throw error
    }
    await client.shutdown()
    return result
  }

  private func fetched(_ source: ContractSource) async throws -> ContractSource {
    guard source.isRemote else {
      guard !source.isInMemory else { return source }
      let documents = await references(
        of: source.path, await overlays(of: source), in: DocumentStore(access: source.access),
        and: source.reading.overlays.files)
      return ContractSource(
        source.path, name: source.name, reading: source.reading, fetch: Fetched(url: "", documents: documents).load)
    }
    let contract = try await contract(at: source.path)
    for note in contract.notes { Terminal.standardError.write("\(VisibleText.line(note))\n") }
    let named = source.name.utf8.elementsEqual(ContractSource.name(of: source.path).utf8) ? nil : source.name
    let documents = contract.documents.merging(await overlays(of: source)) { own, _ in own }
    let all = await references(of: contract.url, documents, and: source.reading.overlays.files)
    return ContractSource(
      contract.url, name: named, reading: source.reading, fetch: Fetched(url: contract.url, documents: all).load)
  }

  /// The overlays of a contract at URLs.
  private func overlays(of source: ContractSource) async -> [String: Result<JSONDocument, DocumentFailure>] {
    var documents: [String: Result<JSONDocument, DocumentFailure>] = [:]
    for file in source.reading.overlays.remoteFiles {
      let isOwn = URIReference(file).isSameOrigin(as: URIReference(source.path))
      let place = references.place(of: file)
      if URIReference(place).isRemote { documents[place] = await document(at: place, isOwn: isOwn) }
    }
    return documents
  }

  // MARK: - The contract

  /// The contract at a URL, or on the page there, with the documents that it refers to.
  func contract(at url: String) async throws -> Fetched {
    var notes: [String] = []
    var waiting = [url]
    var seen: Set<String> = []
    var fetcher = fetcher
    fetcher.followsAway = allowsOtherHosts
    var first: DocumentFetcher.Failure?
    while !waiting.isEmpty, seen.count < Self.maximumSteps {
      let next = waiting.removeFirst()
      guard seen.insert(next).inserted else { continue }
      let answer: DocumentFetcher.Answer
      do throws(DocumentFetcher.Failure) {
        answer = try await fetcher.get(next)
      } catch {
        first = first ?? error
        continue
      }
      if let document = Self.contract(in: answer) {
        if seen.count > 1 { notes.append("\(url) shows the contract \(answer.url)") }
        return await Fetched(url: answer.url, documents: references(of: answer.url, document), notes: notes)
      }
      let page = ContractPage(answer)
      if let embedded = page.embedded,
        let document = try? TextDocument.read(SourceFile(path: answer.url, bytes: embedded))
      {
        notes.append("\(url) holds the contract itself")
        let own: [String: Result<JSONDocument, DocumentFailure>] = [answer.url: .success(document)]
        return await Fetched(url: answer.url, documents: references(of: answer.url, own), notes: notes)
      }
      if page.contracts.count > 1 {
        notes.append(
          "\(answer.url) shows \(page.contracts.count) contracts, the first is taken: "
            + page.contracts.joined(separator: ", "))
      }
      // Contracts are tried before the scripts that may name them.
      let near = page.contracts.filter { isAllowed($0, from: url) }
      waiting = near + waiting + page.scripts.filter { isAllowed($0, from: url) }
      if near.isEmpty, let away = page.contracts.first {
        first = DocumentFetcher.Failure(
          url: answer.url, message: "it names a contract on another host: \(away)",
          help: "give that URL, or allow other hosts with `--allow-remote-refs`")
      }
      first =
        first
        ?? DocumentFetcher.Failure(
          url: answer.url, message: "it is neither a contract nor a page that shows one",
          help:
            "expected Swagger 2.0 or OpenAPI 3.x, as JSON or YAML; open it in a browser and look for its address there")
    }
    let failure = first ?? DocumentFetcher.Failure(url: url, message: "nothing was found there")
    throw CommandFailure(
      .notLoadable, "cannot fetch the contract from \(failure.url): \(VisibleText.line(failure.message))",
      help: (failure.help ?? "expected the URL of a contract") + DocumentFetcher.serverOption)
  }

  /// Whether a page at a URL may lead to another URL.
  private func isAllowed(_ target: String, from url: String) -> Bool {
    allowsOtherHosts || URIReference(target).isOfHost(of: URIReference(url))
  }

  /// The answer as the first document, if it is a contract. An invalid document counts as one, so that its error is reported.
  private static func contract(in answer: DocumentFetcher.Answer) -> [String: Result<JSONDocument, DocumentFailure>]? {
    let source = SourceFile(path: answer.url, bytes: answer.bytes)
    do {
      let document = try TextDocument.read(source)
      return ContractDocument.isContract(document.root) ? [answer.url: .success(document)] : nil
    } catch {
      let isPage =
        answer.contentType.contains("html") || ContractPage.isMarkup(answer.bytes)
        || answer.contentType.contains("javascript")
      return isPage ? nil : [answer.url: .failure(.unparsable(error, source))]
    }
  }

  // MARK: - References

  /// Follows the references of a document recursively.
  ///
  /// - Parameter overlays: The overlays of the document, whose references are relative to the document.
  private func references(
    of root: String, _ known: [String: Result<JSONDocument, DocumentFailure>],
    in files: DocumentStore = DocumentStore(access: .none), and overlays: [String] = []
  ) async -> [String: Result<JSONDocument, DocumentFailure>] {
    var documents = known
    let origin = URIReference(root)
    var waiting = [root]
    var seen: Set<String> = [root]
    func follow(_ document: JSONDocument, from path: String) {
      for reference in DocumentReferences.all(in: document) {
        guard let target = ReferenceResolver.location(of: URIReference(reference.text), from: path) else { continue }
        let place = references.place(of: target)
        guard URIReference(place).isRemote || files.access.available(to: path).allows(place) else { continue }
        if seen.insert(place).inserted { waiting.append(place) }
      }
    }
    for overlay in overlays.map(references.place) {
      let document = documents[overlay] ?? DocumentStore().document(named: overlay)
      if let document = try? document.get() { follow(document, from: root) }
    }
    while let path = waiting.popLast(), seen.count <= Self.maximumDocuments {
      let uri = URIReference(path)
      if uri.isRemote, documents[path] == nil {
        guard allowsOtherHosts || uri.isSameOrigin(as: origin) else { continue }
        documents[path] = await document(at: path, isOwn: uri.isSameOrigin(as: origin))
      }
      guard let document = try? (uri.isRemote ? documents[path] : files.document(at: path))?.get() else { continue }
      follow(document, from: path)
    }
    return documents
  }

  /// - Parameter isOwn: Whether it is on the contract's own host, which may receive credentials.
  private func document(at url: String, isOwn: Bool) async -> Result<JSONDocument, DocumentFailure> {
    var fetcher = fetcher
    fetcher.followsAway = allowsOtherHosts
    if !isOwn { fetcher.fields = HTTPFields() }
    let answer: DocumentFetcher.Answer
    do throws(DocumentFetcher.Failure) {
      answer = try await fetcher.get(url)
    } catch {
      return .failure(.unreadable(error.message))
    }
    let source = SourceFile(path: url, bytes: answer.bytes)
    do {
      return .success(try TextDocument.read(source))
    } catch {
      return .failure(.unparsable(error, source))
    }
  }
}

/// The references of a document to other documents.
enum DocumentReferences {
  /// The strings of `$ref` and `operationRef`, in document order, without references within the document.
  static func all(in document: JSONDocument) -> [JSON] {
    var references: [JSON] = []
    var waiting = [document.root]
    while let value = waiting.popLast() {
      waiting += value.elements
      for member in value.members {
        if (member.name == "$ref" || member.name == "operationRef"), member.value.isString {
          references.append(member.value)
        } else {
          waiting.append(member.value)
        }
      }
    }
    return references.filter { !$0.text.hasPrefix("#") }.sorted { $0.index < $1.index }
  }
}
