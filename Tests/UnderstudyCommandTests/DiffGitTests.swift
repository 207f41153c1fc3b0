import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy diff` of git revisions.
@Suite(.waitsForProcesses)
struct DiffGitTests {
  private static let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")
  private static let message =
    "error: response body `/name`: the type is now `integer`, was `string` [diff.response.type]"

  /// The message and the help of a run without a report.
  private static func expect(
    _ result: Command.Result, _ code: Int32, _ error: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.error == error, sourceLocation: sourceLocation)
    #expect(result.code == code, sourceLocation: sourceLocation)
    #expect(result.output == "", sourceLocation: sourceLocation)
  }

  // MARK: - Revisions

  @Test func `a revision, a merge base and the index are read`() throws {
    try withGitProject(["shop.yaml": Shop.contract]) { project in
      try project.git("checkout", "-qb", "topic")
      try project.write(Self.changed, to: "shop.yaml")
      for old in ["HEAD", "main...", "main", ""] {
        let result = try project.diff("\(old):shop.yaml", "shop.yaml")
        #expect(result.code == 1, "\(result.error)")
        #expect(result.output.contains("shop.yaml:15:82: \(Self.message)\n"), "\(result.output)")
        #expect(result.output.contains("\n  \(old):shop.yaml:15:82: note: before\n"), "\(result.output)")
      }
      try project.git("add", "shop.yaml")
      #expect(try project.diff(":shop.yaml", "shop.yaml").code == 0)
      #expect(try project.diff("HEAD:shop.yaml", ":shop.yaml").code == 1)
      try project.commit()
      #expect(try project.diff("HEAD:shop.yaml", "shop.yaml").code == 0)
      #expect(try project.diff("HEAD~1:shop.yaml", "HEAD:shop.yaml").code == 1)
      #expect(try project.diff("HEAD@{0}:shop.yaml", "HEAD^{tree}:shop.yaml").code == 0)
    }
  }

  @Test func `paths start at the root, and with a dot at the working directory, as in git`() throws {
    try withGitProject(["api/shop.yaml": Shop.contract, "top.yaml": Shop.contract]) { project in
      try project.write(Self.changed, to: "api/shop.yaml")
      for path in ["HEAD:./shop.yaml", "HEAD:api/shop.yaml", "HEAD:../api/shop.yaml"] {
        let result = try project.diff(path, "shop.yaml", "--format", "github", in: "api")
        #expect(result.output.hasPrefix("::error file=shop.yaml,line=15,"), "\(result.output)\(result.error)")
        #expect(result.code == 1)
      }
      try project.commit()
      let both = try project.diff("HEAD~1:./shop.yaml", "HEAD:./shop.yaml", "--format", "github", in: "api")
      #expect(both.output.hasPrefix("::error file=shop.yaml,line=15,"), "\(both.output)")
      Self.expect(
        try project.diff("HEAD:shop.yaml", "shop.yaml", in: "api"), 2,
        """
        error: HEAD:shop.yaml does not exist: a path in a revision starts at the root of the repository
          help: write HEAD:./shop.yaml for the file in the working directory

        """)
      Self.expect(
        try project.diff("HEAD:../../shop.yaml", "shop.yaml", in: "api"), 2,
        "error: `HEAD:../../shop.yaml` is outside of the repository\n")
      Self.expect(
        try project.diff("HEAD:/shop.yaml", "shop.yaml", in: "api"), 2,
        """
        error: `HEAD:/shop.yaml`: a path in a revision starts at the root of the repository, without a slash
          help: `HEAD:./FILE` starts at the working directory

        """)
    }
  }

  @Test func `a forgotten colon is reported with the corrected argument`() throws {
    try withGitProject(["shop.yaml": Shop.contract, "api/shop.yaml": Shop.contract]) { project in
      Self.expect(
        try project.diff("HEAD", "shop.yaml"), 2,
        """
        error: `HEAD` is a git revision: expected a path in it, after a colon
          help: write HEAD:shop.yaml

        """)
      Self.expect(
        try project.diff("main", "shop.yaml", in: "api"), 2,
        """
        error: `main` is a git revision: expected a path in it, after a colon
          help: write main:./shop.yaml

        """)
      Self.expect(
        try project.diff("HEAD:api/shop.yaml", "main"), 2,
        """
        error: `main` is a git revision: expected a path in it, after a colon
          help: write main:api/shop.yaml

        """)
    }
  }

  @Test func `an unknown revision is reported with a similar one`() throws {
    try withGitProject(["shop.yaml": Shop.contract]) { project in
      Self.expect(
        try project.diff("mian:shop.yaml", "shop.yaml"), 2,
        """
        error: git has no revision `mian`, and `mian:shop.yaml` is not a file
          help: did you mean `main`?

        """)
      Self.expect(
        try project.diff("nothing...:shop.yaml", "shop.yaml"), 2,
        """
        error: git has no revision `nothing`, and `nothing...:shop.yaml` is not a file
          help: `git branch --all` and `git log --oneline` list revisions

        """)
      Self.expect(
        try project.diff("origin/main...:shop.yaml", "shop.yaml"), 2,
        """
        error: git has no revision `origin/main`, and `origin/main...:shop.yaml` is not a file
          help: `git fetch origin main` fetches the branch

        """)
      Self.expect(
        try project.diff("main..HEAD:shop.yaml", "shop.yaml"), 2,
        """
        error: `main..HEAD` is a range of commits: expected one revision
          help: write three dots for the merge base, as in `main...:openapi.yaml`

        """)
      try project.git("checkout", "-q", "--orphan", "other")
      try project.commit("Other")
      Self.expect(
        try project.diff("main...other:shop.yaml", "shop.yaml"), 2,
        """
        error: git finds no merge base of `main` and `other`
          help: their histories are unrelated: name one revision, as in `main:openapi.yaml`

        """)
    }
  }

  @Test func `a folder outside of a repository and a repository without commits are reported`() throws {
    try withProject(["shop.yaml": Shop.contract, "empty/shop.yaml": Shop.contract]) { folder in
      let project = GitProject(folder: folder)
      let ceiling = ["GIT_CEILING_DIRECTORIES": folder]
      Self.expect(
        try project.diff("HEAD:shop.yaml", "shop.yaml", environment: ceiling), 2,
        """
        error: `HEAD:shop.yaml` is not a file, and the working directory is not in a git repository
          help: name a file, or run the command in the repository

        """)
      try project.git("init", "-q", in: "empty")
      Self.expect(
        try project.diff("HEAD:shop.yaml", "shop.yaml", in: "empty"), 2,
        """
        error: git has no revision `HEAD`, and `HEAD:shop.yaml` is not a file
          help: the repository has no commit yet

        """)
    }
  }

  @Test func `a missing git program is reported`() throws {
    try withProject(["shop.yaml": Shop.contract]) { folder in
      let result = try GitProject(folder: folder).diff(
        "HEAD:shop.yaml", "shop.yaml", environment: ["PATH": folder])
      Self.expect(result, 2, "error: the program `git` was not found\n  help: install git, or name files\n")
    }
  }

  @Test func `a shallow clone is reported with the setting that fetches more`() throws {
    try withGitProject(["shop.yaml": Shop.contract]) { project in
      try project.write(Self.changed, to: "shop.yaml")
      try project.commit()
      try project.git("clone", "-q", "--depth", "1", "file://\(project.folder)", "clone")
      Self.expect(
        try project.diff("HEAD~1:shop.yaml", "shop.yaml", in: "clone"), 2,
        """
        error: git has no revision `HEAD~1`, and `HEAD~1:shop.yaml` is not a file
          help: this clone is shallow, and lacks older commits: `git fetch --unshallow`, or `fetch-depth: 0` of actions/checkout, fetches them

        """)
    }
  }

  @Test func `worktrees and bare repositories are read`() throws {
    try withGitProject(["shop.yaml": Shop.contract]) { project in
      try project.write(Self.changed, to: "shop.yaml")
      try project.commit()
      try project.git("worktree", "add", "-q", "tree", "HEAD~1")
      #expect(try project.diff("main:shop.yaml", "shop.yaml", in: "tree").code == 1)
      try project.git("clone", "-q", "--bare", ".", "bare.git")
      let bare = try project.diff("HEAD~1:shop.yaml", "HEAD:shop.yaml", in: "bare.git")
      #expect(bare.code == 1, "\(bare.error)")
    }
  }

  // MARK: - Files

  @Test func `references are followed in the revision, also through links`() throws {
    let pet = "type: object\nrequired: [name]\nproperties: {name: {type: string}}\n"
    let files = [
      "api/shop.yaml": Shop.referring(to: "../parts/dög pets/pet.yaml"), "parts/dög pets/pet.yaml": pet,
    ]
    try withGitProject(files) { project in
      try FileManager.default.createSymbolicLink(
        atPath: project.path("link.yaml"), withDestinationPath: "api/shop.yaml")
      try FileManager.default.createSymbolicLink(atPath: project.path("latest"), withDestinationPath: "api")
      try project.commit()
      try project.write(pet.replacing("[name]", with: "[]"), to: "parts/dög pets/pet.yaml")
      for path in ["api/shop.yaml", "latest/shop.yaml"] {
        let result = try project.diff("HEAD:\(path)", path)
        #expect(
          result.output.contains("\n  HEAD:parts/dög pets/pet.yaml:2:12: note: before\n"),
          "\(result.output)\(result.error)")
        #expect(result.code == 1)
      }
      // A reference of a link starts at the folder of the link.
      let link = try project.diff("HEAD:link.yaml", "api/shop.yaml")
      #expect(link.code == 3, "\(link.output)\(link.error)")
      try project.write(pet, to: "parts/dög pets/pet.yaml")
      #expect(try project.diff("HEAD:latest", "api").code == 0)
    }
  }

  @Test func `links out of the tree and files of submodules are reported`() throws {
    try withGitProject(["shop.yaml": Shop.contract]) { project in
      for (name, target) in [("out.yaml", "/etc/hosts"), ("loop.yaml", "loop.yaml"), ("dead.yaml", "none.yaml")] {
        try FileManager.default.createSymbolicLink(atPath: project.path(name), withDestinationPath: target)
      }
      try withGitProject(["shop.yaml": Shop.contract]) { other in
        try project.git("submodule", "--quiet", "add", other.folder, "sub")
      }
      try project.commit()
      let reasons = [
        "out.yaml": "a symbolic link out of the tree, to `/etc/hosts`", "loop.yaml": "a loop of symbolic links",
        "dead.yaml": "a symbolic link to a missing file",
        "sub/shop.yaml":
          "it belongs to the submodule `sub`, which has revisions of its own: run the command there",
      ]
      for (name, reason) in reasons {
        Self.expect(
          try project.diff("HEAD:\(name)", "shop.yaml"), 3, "error: HEAD:\(name) cannot be read: \(reason)\n")
      }
      #expect(try project.diff("HEAD:shop.yaml", "shop.yaml", in: "sub").code == 0)
    }
  }

  @Test func `documents at URLs are fetched for a revision if the option allows it`() throws {
    let pet = "type: object\nrequired: [name]\nproperties: {name: {type: string}}\n"
    let server = try ContractServer(["/pet.yaml": .init(type: "application/yaml", text: pet)])
    defer { server.stop() }
    try withGitProject(["shop.yaml": Shop.referring(to: "\(server.url)/pet.yaml")]) { project in
      try project.write(Shop.contract, to: "shop.yaml")
      let refused = try project.diff("HEAD:shop.yaml", "shop.yaml")
      #expect(refused.error.contains("is on another machine, and fetching is off [spec.ref.external]"))
      #expect(refused.code == 3)
      let fetched = try project.diff("HEAD:shop.yaml", "shop.yaml", "--allow-remote-refs")
      #expect(fetched.code == 0, "\(fetched.output)\(fetched.error)")
    }
  }

  @Test func `a new contract breaks nothing, and is read`() throws {
    try withGitProject(["shop.yaml": Shop.contract]) { project in
      try project.write(Shop.contract, to: "specs/pets.yaml")
      let new = try project.diff("HEAD:specs/pets.yaml", "specs/pets.yaml")
      #expect(
        steady(new.output) == """
          remark: HEAD:specs/pets.yaml does not exist: a new contract breaks nothing
          checked: 1 in 1 case, N ms
          not validated: 0
          found: 0 errors, 0 warnings, 0 notes
          target: HEAD:specs/pets.yaml
          verdict: passed

          """)
      #expect(new.code == 0)
      try project.write("openapi: 3.1.0\npaths: {", to: "specs/pets.yaml")
      let broken = try project.diff("HEAD:specs/pets.yaml", "specs/pets.yaml")
      #expect(broken.error.contains("specs/pets.yaml:2:"), "\(broken.error)")
      #expect(broken.error.hasSuffix("error: specs/pets.yaml cannot be compared\n"), "\(broken.error)")
      #expect(broken.code == 3)
      let neither = try project.diff("HEAD:none.yaml", "none.yaml")
      #expect(neither.error.hasPrefix("none.yaml: error: cannot read the contract: no such file or folder"))
      #expect(neither.code == 3)
    }
  }

  @Test func `a mistyped path of a revision is no new contract`() throws {
    try withGitProject(["specs/shop.yaml": Shop.contract]) { project in
      Self.expect(
        try project.diff("HEAD:specs/shpo.yaml", "specs/shop.yaml"), 2,
        "error: HEAD:specs/shpo.yaml does not exist\n  help: did you mean HEAD:specs/shop.yaml?\n")
    }
  }

  @Test func `a removed contract is reported`() throws {
    try withGitProject(["specs/shop.yaml": Shop.contract, "specs/other.yaml": Shop.contract]) { project in
      try project.git("rm", "-q", "specs/shop.yaml")
      try project.git("commit", "-qm", "Remove")
      Self.expect(
        try project.diff("HEAD~1:specs/shop.yaml", "HEAD:specs/shop.yaml"), 3,
        """
        error: HEAD:specs/shop.yaml does not exist
          help: a removed contract is reported where two folders are compared

        """)
      let folder = try project.diff("HEAD~1:specs", "specs", "--format", "github")
      #expect(
        folder.output.hasPrefix(
          "::error file=specs/shop.yaml,title=diff.contract.removed · shop.yaml::the contract `shop.yaml` was removed"),
        "\(folder.output)\(folder.error)")
      #expect(folder.code == 1)
    }
  }

  @Test func `a contract that cannot be read in the revision is reported with its line there`() throws {
    try withGitProject(["shop.yaml": "openapi: 3.1.0\npaths: {\n", "refs.yaml": Shop.referring(to: "none.yaml")]) {
      project in
      try Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF]).write(to: URL(filePath: project.path("image.yaml")))
      try project.commit()
      try project.write(Shop.contract, to: "shop.yaml")
      let syntax = try project.diff("HEAD:shop.yaml", "shop.yaml")
      #expect(syntax.error.hasPrefix("HEAD:shop.yaml:3:1: error: "), "\(syntax.error)")
      #expect(syntax.error.hasSuffix("\nerror: HEAD:shop.yaml cannot be compared\n"), "\(syntax.error)")
      #expect(syntax.code == 3)
      let references = try project.diff("HEAD:refs.yaml", "shop.yaml")
      #expect(
        references.error.hasPrefix(
          "HEAD:refs.yaml:15:30: error: the reference `none.yaml` needs `none.yaml`: no such file (git revision `HEAD`) [spec.ref.unresolved]"
        ),
        "\(references.error)")
      #expect(references.code == 3)
      let binary = try project.diff("HEAD:image.yaml", "shop.yaml")
      #expect(binary.error.hasPrefix("HEAD:image.yaml:1:1: error: "), "\(binary.error)")
      #expect(binary.code == 3)
    }
  }

  @Test func `one version twice is remarked`() throws {
    try withGitProject(["shop.yaml": Shop.contract]) { project in
      let files = try project.diff("shop.yaml", "./shop.yaml")
      #expect(
        files.output.hasPrefix(
          "remark: both versions are ./shop.yaml: expected two, such as `HEAD:openapi.yaml` and `openapi.yaml`\n"),
        "\(files.output)")
      #expect(files.code == 0)
      let revisions = try project.diff("HEAD:shop.yaml", "HEAD:shop.yaml")
      #expect(revisions.output.hasPrefix("remark: both versions are HEAD:shop.yaml: "), "\(revisions.output)")
    }
  }
}
