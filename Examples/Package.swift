// swift-tools-version: 6.2
import PackageDescription

/// Clients of the contract `specs/slp.yaml` with their tests. One package, so that the server is built once.
let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "SLPClient", targets: ["SLPClient"]),
    // Tests/Clients/swift catches their bugs too.
    .library(name: "BuggyClients", targets: ["BuggyClients"]),
  ],
  dependencies: [.package(name: "understudy", path: "..")],
  targets: [
    .target(name: "SLPClient", path: "SLPClient/Sources"),
    .testTarget(
      name: "SLPClientTests",
      dependencies: ["SLPClient", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "SLPClient/Tests"),
    .target(name: "BuggyClients", path: "BuggyClients/Sources"),
    .testTarget(
      name: "BuggyClientsTests",
      dependencies: ["BuggyClients", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "BuggyClients/Tests"),
    .target(name: "HoursClient", path: "Hours/Sources"),
    .testTarget(
      name: "HoursClientTests",
      dependencies: ["HoursClient", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "Hours/Tests"),
    .target(name: "HoursDraft", path: "Hours/Draft"),
    .testTarget(
      name: "HoursDraftTests",
      dependencies: ["HoursDraft", .product(name: "UnderstudyTesting", package: "understudy")],
      path: "Hours/DraftTests"),
  ]
)
