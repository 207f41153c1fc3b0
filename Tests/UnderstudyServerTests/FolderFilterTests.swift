import Foundation
import Testing
import UnderstudyServer
import UnderstudyTestSupport

struct FolderFilterTests {
  @Test func `a change matters in a watched folder, not in one below it`() throws {
    try withProject(["specs/api.yaml": "", "specs/build/out.o": ""]) { folder in
      let filter = FolderFilter([folder + "/specs": []])
      #expect(filter.includes(folder + "/specs/api.yaml"))
      #expect(filter.includes(folder + "/specs"))
      #expect(!filter.includes(folder + "/specs/build/out.o"))
      #expect(!filter.includes(folder))
    }
  }

  @Test func `only the named files of a folder matter, in any case of letters`() throws {
    try withProject(["api.yaml": ""]) { folder in
      let filter = FolderFilter([folder: ["api.yaml"]])
      #expect(filter.includes(folder + "/API.yaml"))
      #expect(!filter.includes(folder + "/api.yaml.swp"))
    }
  }

  @Test func `a folder behind a link is known by its real path`() throws {
    try withProject(["real/api.yaml": ""]) { folder in
      #expect(symlink("real", folder + "/link") == 0)
      let filter = FolderFilter([folder + "/link": ["a"], folder + "/real": ["b"]])
      #expect(filter.includes(folder + "/real/a") && filter.includes(folder + "/real/b"))
      #expect(!filter.includes(folder + "/real/c"))
    }
  }
}
