import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests to the admin API by HTTP; each ends within its limit.
struct URLSessionTransport: AdminTransport {
  private let session: URLSession

  /// All tests share it: a session has a thread of its own on Linux.
  static let shared = URLSessionTransport()

  private init() {
    let configuration = URLSessionConfiguration.ephemeral
    // Every test may wait for a request at the same time.
    configuration.httpMaximumConnectionsPerHost = 1_000
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    session = URLSession(configuration: configuration)
  }

  /// How much longer than its time limit a request may stay in URLSession before it is given up.
  private static let grace = Duration.seconds(2)

  func send(_ request: AdminRequest, within limit: Duration) async throws -> AdminResponse {
    let (data, response) = try await send(request.urlRequest, within: limit)
    return AdminResponse(
      status: response.statusCode, type: response.value(forHTTPHeaderField: "Content-Type") ?? "", body: data)
  }

  private func send(_ request: URLRequest, within limit: Duration) async throws -> (Data, HTTPURLResponse) {
    var request = request
    request.timeoutInterval = limit.seconds
    let end = FirstResult<(Data, HTTPURLResponse)>()
    let timer = Task {
      try await Task.sleep(for: limit + Self.grace)
      end.settle(.failure(URLError(.timedOut)))
    }
    defer { timer.cancel() }
    // A task that is cancelled while its answer arrives can block URLSession on Linux (swift-corelibs-foundation, issue
    // 5412), so a cancelled wait ends at once, and its request by the time limit.
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        end.wait(continuation)
        session.dataTask(with: request) { data, response, error in
          if let response = response as? HTTPURLResponse {
            end.settle(.success((data ?? Data(), response)))
          } else {
            end.settle(.failure(error ?? URLError(.badServerResponse)))
          }
        }.resume()
      }
    } onCancel: {
      end.settle(.failure(CancellationError()))
    }
  }
}

/// The result of a request or of its time limit, whichever is first.
final class FirstResult<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case settled(Result<Value, any Error>)
    case ended
  }

  private let state = Guarded(State.open)

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let result: Result<Value, any Error>? = state.withLock { state in
      guard case .settled(let result) = state else {
        state = .waiting(continuation)
        return nil
      }
      state = .ended
      return result
    }
    if let result { continuation.resume(with: result) }
  }

  func settle(_ result: Result<Value, any Error>) {
    let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .open: state = .settled(result)
      case .waiting(let continuation):
        state = .ended
        return continuation
      case .settled, .ended: break
      }
      return nil
    }
    continuation?.resume(with: result)
  }
}
