// swift-tools-version: 6.2
import PackageDescription

/// A package outside of this one: it sees only what the products of Understudy make public. One package has all of them, so
/// that SwiftPM plans, builds and tests once.
let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15), .iOS(.v16)],
  traits: [.trait(name: "TLS", description: "Builds Understudy with its trait.")],
  dependencies: [
    .package(
      name: "understudy", path: "../..", traits: [.trait(name: "TLS", condition: .when(traits: ["TLS"]))]),
    .package(name: "examples", path: "../../Examples"),
    .package(name: "neighbour", path: "Neighbour"),
  ],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "UnderstudySchema", package: "understudy"),
        .product(name: "UnderstudyMock", package: "understudy"),
        .product(name: "UnderstudyVerification", package: "understudy"),
        .product(name: "UnderstudyServer", package: "understudy"),
        .product(name: "Neighbour", package: "neighbour"),
      ]),
    .testTarget(
      name: "ConsumerTests",
      dependencies: [
        .product(name: "UnderstudyMock", package: "understudy"),
        .product(name: "UnderstudyTesting", package: "understudy"),
      ],
      resources: [.copy("Resources/pets.yaml")],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    // The plugin writes their statuses before each build.
    .executableTarget(name: "Chat", plugins: [.plugin(name: "UnderstudyStatuses", package: "understudy")]),
    .testTarget(
      name: "ChatTests", dependencies: [.product(name: "UnderstudyTesting", package: "understudy")],
      plugins: [.plugin(name: "UnderstudyStatuses", package: "understudy")]),
    .target(
      name: "UnderstudyClientTestSupport", dependencies: [.product(name: "UnderstudyClient", package: "understudy")],
      path: "Support"),
    // They start no process, so that they compile for a simulator: Scripts/client-package copies both targets.
    .testTarget(
      name: "UnderstudyClientTests",
      dependencies: ["UnderstudyClientTestSupport", .product(name: "UnderstudyClient", package: "understudy")]),
    .testTarget(
      name: "UnderstudyClientProcessTests",
      dependencies: [
        "UnderstudyClientTestSupport",
        .product(name: "UnderstudyClient", package: "understudy"),
        .product(name: "BuggyClients", package: "examples"),
      ],
      // Files of Examples that have a mock in the process there.
      swiftSettings: [.define("ELSEWHERE")]),
  ]
)
