import Testing
import UnderstudyMock

struct FileExtensionTests {
  @Test(arguments: [
    ("image/jpeg", "jpeg"), ("image/png", "png"), ("text/csv", "csv"), ("text/html; charset=latin-1", "html"),
    ("text/calendar", "txt"), ("application/vnd.api+json", "json"), ("application/soap+xml", "xml"),
    ("application/x-www-form-urlencoded", "form"), ("application/vnd.unknown", "bin"), ("no media type", "bin"),
  ])
  func `a body of a media type is kept in a file with an extension`(type: String, fileExtension: String) {
    #expect(FileExtension.forMediaType(type) == fileExtension)
  }

  @Test func `the extension of a media type means that media type`() {
    for fileExtension in ["json", "ndjson", "html", "csv", "js", "css", "png", "gif", "pdf", "zip", "form", "bin"] {
      #expect(FileExtension.forMediaType(FileExtension.mediaType(fileExtension)) == fileExtension)
    }
  }
}
