// Written by Scripts/embed-console from Console/Web/index.html.

extension ConsoleFile {
  static let indexPage = ConsoleFile(
    "index.html", "text/html; charset=utf-8",
    ###"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Understudy</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="console/console.css">
    <script type="module" src="console/main.js"></script>
    </head>
    <body>
    <header>
      <h1>Understudy</h1>
      <p id="facts" class="soft"></p>
      <p id="connection" role="status" class="soft"></p>
    </header>
    <section id="overrides" role="status" hidden>
      <ul id="override-list"></ul>
      <button type="button" id="release">Clear all</button>
    </section>
    <nav role="tablist" aria-label="Views">
      <button role="tab" id="tab-matrix" aria-controls="matrix" aria-selected="true">Matrix</button>
      <button role="tab" id="tab-log" aria-controls="log" aria-selected="false">Requests</button>
      <button role="tab" id="tab-lanes" aria-controls="lanes" aria-selected="false">Scenarios and lanes</button>
    </nav>
    <main>
      <section id="matrix" role="tabpanel" aria-labelledby="tab-matrix">
        <p class="tools">
          <input id="filter" type="search" placeholder="Filter: a path, an operation, a status" aria-label="Filter operations">
          <label><input id="unserved" type="checkbox"> only with cells that were never served</label>
          <span id="legend" class="soft"></span>
        </p>
        <div id="rows"></div>
      </section>
      <section id="log" role="tabpanel" aria-labelledby="tab-log" hidden>
        <p class="tools">
          <input id="log-filter" type="search" placeholder="Filter: a path, an operation, a status, a lane" aria-label="Filter requests">
          <label><input id="pause" type="checkbox"> pause</label>
          <label><input id="problems" type="checkbox"> only with findings</label>
          <button type="button" id="clear">Clear</button>
          <a href="requests/har" download="traffic.har">Save as HAR</a>
        </p>
        <div class="split">
          <div class="scroll">
            <table>
              <thead>
                <tr><th scope="col">#</th><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Status</th>
                <th scope="col">Took</th><th scope="col">Answered by</th></tr>
              </thead>
              <tbody id="requests"></tbody>
            </table>
            <p id="no-requests" class="soft">No request has arrived yet.</p>
          </div>
          <article id="detail" aria-live="polite" tabindex="-1" hidden></article>
        </div>
      </section>
      <section id="lanes" role="tabpanel" aria-labelledby="tab-lanes" hidden>
        <div id="lane-list"></div>
      </section>
    </main>
    <dialog id="cell" aria-labelledby="cell-title">
      <form method="dialog">
        <h2 id="cell-title"></h2>
        <p id="cell-facts" class="soft"></p>
        <label>Answer <select id="cell-answer"></select></label>
        <label>for <select id="cell-times">
          <option value="1">the next request</option>
          <option value="3">three requests</option>
          <option value="">every request</option>
        </select></label>
        <p class="actions">
          <button value="cancel" type="submit">Cancel</button>
          <button value="force" type="submit" class="main">Serve it</button>
        </p>
      </form>
    </dialog>
    <output id="notice" role="status"></output>
    </body>
    </html>

    """###)
}
