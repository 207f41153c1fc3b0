// Written by Scripts/embed-console from Console/Web/console.css.

extension ConsoleFile {
  static let consoleStyle = ConsoleFile(
    "console.css", "text/css; charset=utf-8",
    ###"""
    :root { color-scheme: light dark; --page: #f7f7f5; --card: #fff; --ink: #1b1d21; --soft: #5a6069; --line: #d5d8dd;
      --accent: #4f35c4; --on-accent: #fff; --fixture: #17663a; --fixture-bg: #dcf3e4; --example: #1a4f9c;
      --example-bg: #dde9fb; --sample: #744700; --sample-bg: #fbecd0; --empty: #50565e; --empty-bg: #e9ebee;
      --bad: #a61b12; --bad-bg: #fde4e1; --good: #17663a; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #131519; --card: #1a1d23; --ink: #e7e9ec; --soft: #a6adb8; --line: #343a43; --accent: #b3a2ff;
        --on-accent: #17132b; --fixture: #8fe0ad; --fixture-bg: #173524; --example: #a3c6ff; --example-bg: #182d4d;
        --sample: #f3c774; --sample-bg: #3b2c10; --empty: #b3bac4; --empty-bg: #2a2f37; --bad: #ff9d93; --bad-bg: #451a17;
        --good: #8fe0ad; } }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
    #top { position: sticky; top: 0; z-index: 1; background: var(--page); padding-bottom: .1rem; }
    header, nav, main, #overrides { max-width: 100rem; margin: 0 auto; padding: 0 1.25rem; }
    header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding-top: .9rem; }
    header p { margin: 0; }
    #connection { margin-left: auto; }
    h1 { margin: 0; font-size: 1.4rem; letter-spacing: -.01em; }
    h2 { margin: 1.25rem 0 .4rem; font-size: 1.05rem; }
    h3 { margin: 1rem 0 .25rem; font-size: .95rem; }
    .soft { color: var(--soft); }
    .bad { color: var(--bad); }
    .good { color: var(--good); }
    code, pre, td.mono { font: 13px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    code { overflow-wrap: anywhere; }
    button, select, textarea, input[type=search], input[type=text] { font: inherit; color: inherit; background: var(--card);
      border: 1px solid var(--line); border-radius: 8px; padding: .35rem .7rem; }
    button { cursor: pointer; }
    button.main { background: var(--accent); color: var(--on-accent); border-color: transparent; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    a { color: var(--accent); }
    nav { display: flex; gap: .25rem; margin-top: .5rem; overflow-x: auto; border-bottom: 1px solid var(--line); }
    nav button { flex: none; border: 0; border-radius: 8px 8px 0 0; background: none; padding: .5rem .9rem; color: var(--soft); }
    nav button[aria-selected=true] { color: var(--ink); box-shadow: inset 0 -3px var(--accent); }
    #overrides { display: flex; gap: 1rem; align-items: center; justify-content: space-between; margin-top: .5rem;
      padding: .4rem 1.25rem; background: var(--bad-bg); color: var(--bad); border-radius: 8px; width: calc(100% - 2.5rem); }
    #overrides ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; }
    .tools { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin: .9rem 0; }
    .tools input[type=search] { flex: 1 1 16rem; min-width: 0; }
    .row { display: grid; grid-template-columns: minmax(14rem, 26rem) 1fr; gap: .25rem 1.25rem; padding: .3rem .75rem;
      background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-bottom: .3rem; align-items: center; }
    .row .name { overflow-wrap: anywhere; }
    .row .name b { font: 600 13px/1.6 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    .cells { display: flex; flex-wrap: wrap; gap: .3rem; align-content: center; }
    .cell { display: inline-flex; gap: .4rem; align-items: baseline; padding: .15rem .55rem; border-color: transparent;
      border-radius: 7px; }
    .cell .count { font-size: .8em; }
    .fixture { color: var(--fixture); background: var(--fixture-bg); }
    .example { color: var(--example); background: var(--example-bg); }
    .sample { color: var(--sample); background: var(--sample-bg); }
    .empty { color: var(--empty); background: var(--empty-bg); }
    .cell.forced { outline: 2px solid var(--bad); }
    .mark { padding: .05rem .45rem; border-radius: 6px; }
    .split { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem; align-items: start; }
    .split:has(#detail[hidden]) { grid-template-columns: 1fr; }
    .scroll { overflow-x: auto; }
    table { width: 100%; border-collapse: collapse; background: var(--card); }
    th { text-align: left; color: var(--soft); font-weight: 600; }
    th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
    td.nowrap { white-space: nowrap; }
    tr.selected td { background: var(--example-bg); }
    td button { border: 0; background: none; padding: 0; text-align: left; color: inherit; overflow-wrap: anywhere; }
    #detail, #try-answer { position: sticky; top: 7rem; max-height: calc(100vh - 8rem); overflow: auto; padding: .25rem 1rem 1rem;
      background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
    pre { margin: .25rem 0; padding: .6rem; background: var(--page); border-radius: 8px; white-space: pre-wrap;
      overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: .25rem 0; }
    dt { color: var(--soft); }
    dd { margin: 0; overflow-wrap: anywhere; }
    .finding { margin: .35rem 0; padding-left: .7rem; border-left: 3px solid var(--bad); }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 0; }
    .lane { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .25rem 1rem .9rem;
      margin: .9rem 0; }
    dialog { max-width: 30rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: var(--ink); }
    dialog::backdrop { background: rgb(0 0 0 / .35); }
    dialog label { display: block; margin: .5rem 0; }
    dialog select { max-width: 100%; }
    #notice { position: fixed; left: 50%; bottom: 1.25rem; translate: -50%; padding: .45rem .9rem; border-radius: 8px;
      background: var(--ink); color: var(--page); max-width: 90vw; }
    #notice:empty { display: none; }
    th { white-space: nowrap; }
    #legend { margin: -.3rem 0 .7rem; }
    .hex { white-space: pre; }
    img { max-width: 100%; background: var(--page); }
    .json { margin: .25rem 0; padding: .6rem; background: var(--page); border-radius: 8px; max-height: 32rem; overflow: auto;
      font: 13px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
    .json .inner { padding-left: 1.1rem; }
    .json .key { color: var(--example); }
    .json-string { color: var(--fixture); }
    .json-number, .json-boolean { color: var(--sample); }
    .json-null { color: var(--soft); }
    .step.decided { font-weight: 600; }
    .step.unasked { color: var(--soft); }
    .field { display: grid; grid-template-columns: auto minmax(8rem, 1fr) 2fr; gap: .6rem; align-items: center;
      margin: .35rem 0; }
    .field input[type=text], textarea { width: 100%; }
    textarea { font: 13px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    label.block { display: block; margin: .7rem 0; }
    .machine { overflow-x: auto; }
    .machine text { font: 12px system-ui, sans-serif; fill: var(--ink); }
    .machine rect { fill: var(--page); stroke: var(--line); stroke-width: 1.5; }
    .machine .current rect { fill: var(--fixture-bg); stroke: var(--fixture); stroke-width: 2.5; }
    .machine .final rect { stroke-dasharray: 5 3; }
    .machine .who { fill: var(--good); font-weight: 600; }
    .machine path { fill: none; stroke: var(--soft); stroke-width: 1.3; }
    .machine .head { fill: var(--soft); stroke: none; }
    .machine .edge text { font-size: 11px; fill: var(--soft); paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
    @media (max-width: 52rem) {
      .row { grid-template-columns: 1fr; }
      .split { grid-template-columns: 1fr; }
      #detail, #try-answer { position: static; max-height: none; order: -1; }
      .field { grid-template-columns: auto 1fr; }
      .field input[type=text] { grid-column: 2; }
      #top { position: static; }
      header, nav, main { padding-left: .75rem; padding-right: .75rem; }
      #overrides { width: calc(100% - 1.5rem); padding: .5rem .75rem; }
      nav button { padding: .5rem .6rem; }
      th:nth-child(5), td:nth-child(5), th:first-child, td:first-child { display: none; }
    }

    """###)
}
