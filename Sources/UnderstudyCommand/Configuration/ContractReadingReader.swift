import UnderstudyVerification

extension ContractReading {
  /// Reads `references`, `overlays` and `formats` of `understudy.yaml`.
  init(_ root: JSON, _ reader: SettingsReader) {
    self.init()
    let references = reader.mapping(
      root["references"], "a mapping of URLs to files, as in `https://example.com/pet.yaml: pet.yaml`")
    self.references = ReferenceMap(references?.members.compactMap { Self.reference($0, reader) } ?? [])
    overlays.files = reader.texts(root["overlays"]).map(reader.place)
    guard let node = root["formats"] else { return }
    guard let text = reader.text(node) else { return }
    formats = FormatAssertion(named: text) ?? formats
    if FormatAssertion(named: text) == nil {
      reader.reject("`\(text)` does not say what formats do: expected assert or annotate", node)
    }
  }

  private static func reference(_ member: JSON.Member, _ reader: SettingsReader) -> (url: String, file: String)? {
    guard URIReference(member.name).isRemote else {
      reader.reject("`\(member.name)` is not a URL: expected http or https", member.key)
      return nil
    }
    guard let file = reader.text(member.value).map(reader.path) else { return nil }
    let wantsFolder = member.name.utf8.last == UInt8(ascii: "/")
    guard wantsFolder ? FileSystem.isFolder(file) : FileSystem.exists(file) && !FileSystem.isFolder(file) else {
      reader.reject(
        wantsFolder ? "there is no folder `\(file)`" : "there is no file `\(file)`", member.value,
        help: wantsFolder
          ? "a URL that ends with a slash stands for all below it" : "a URL that ends with a slash stands for a folder")
      return nil
    }
    return (member.name, file)
  }
}
