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
    <div id="top">
      <header>
        <h1>Understudy</h1>
        <p id="facts" class="soft"></p>
        <p id="connection" role="status" class="soft"></p>
      </header>
      <nav role="tablist" aria-label="Views">
        <button role="tab" id="tab-matrix" aria-controls="matrix" aria-selected="true">Matrix</button>
        <button role="tab" id="tab-log" aria-controls="log" aria-selected="false">Requests</button>
        <button role="tab" id="tab-lanes" aria-controls="lanes" aria-selected="false">Scenarios and lanes</button>
        <button role="tab" id="tab-try" aria-controls="try" aria-selected="false">Try it</button>
      </nav>
      <section id="overrides" role="status" hidden>
        <ul id="override-list"></ul>
        <button type="button" id="release">Clear all</button>
      </section>
    </div>
    <main>
      <section id="matrix" role="tabpanel" aria-labelledby="tab-matrix">
        <p class="tools">
          <input id="filter" type="search" placeholder="Filter: a path, an operation, a status" aria-label="Filter operations">
          <label><input id="unserved" type="checkbox"> only with cells that were never served</label>
          <span id="covered" class="soft"></span>
          <button type="button" id="reload">Load files again</button>
        </p>
        <p id="legend" class="soft"></p>
        <div id="rows"></div>
      </section>
      <section id="log" role="tabpanel" aria-labelledby="tab-log" hidden>
        <p class="tools">
          <input id="log-filter" type="search" placeholder="Filter: a path, an operation, a status" aria-label="Filter requests">
          <label>Lane <select id="lane-filter"><option value="">all</option></select></label>
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
          <article id="detail" aria-label="One request" tabindex="-1" hidden></article>
        </div>
      </section>
      <section id="lanes" role="tabpanel" aria-labelledby="tab-lanes" hidden>
        <form id="open-lane" class="tools">
          <label>Open a lane <input id="lane-name" type="text" placeholder="alice" pattern="[A-Za-z0-9._\-]{1,64}"></label>
          <button type="submit">Open</button>
        </form>
        <div id="lane-list"></div>
      </section>
      <section id="try" role="tabpanel" aria-labelledby="tab-try" hidden>
        <p class="tools"><label>Operation <select id="try-operation"></select></label></p>
        <div class="split">
          <form id="try-form"></form>
          <article id="try-answer" aria-live="polite" aria-label="The answer" hidden></article>
        </div>
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
        <label>Delay <select id="cell-delay">
          <option value="">none</option><option>500ms</option><option>2s</option><option>10s</option><option>35s</option>
        </select></label>
        <label>Fault <select id="cell-fault">
          <option value="">none</option><option value="reset">reset the connection</option>
          <option value="close">close without an answer</option><option value="hang">never answer</option>
          <option value="truncate">cut the body</option><option value="drip=5s">send it slowly</option>
          <option value="html">a page of HTML</option><option value="invalid-utf8">bytes that are not UTF-8</option>
          <option value="garbage">bytes that are not HTTP</option>
        </select></label>
        <p class="soft">A delay or a fault lasts until it is cleared.</p>
        <p class="actions">
          <button value="cancel" type="submit">Cancel</button>
          <button value="force" type="submit" class="main">Serve it</button>
        </p>
      </form>
    </dialog>
    <dialog id="save" aria-labelledby="save-title">
      <form method="dialog">
        <h2 id="save-title">Save as fixture</h2>
        <label>Name of the variant <input id="save-name" type="text" pattern="[A-Za-z0-9_\-]{0,60}" placeholder="none: the default of the status"></label>
        <p class="actions">
          <button value="cancel" type="submit" formnovalidate>Cancel</button>
          <button value="save" type="submit" class="main">Save</button>
        </p>
      </form>
    </dialog>
    <output id="notice" role="status"></output>
    </body>
    </html>

    """###)
}
