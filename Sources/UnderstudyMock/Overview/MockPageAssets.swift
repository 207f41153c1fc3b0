/// The style and the script of a mock's page, which allows no others: the policy has their hashes.
package enum MockPageAssets {
  /// SHA-256 in base64. A test verifies both.
  package static let styleHash = "F4ip+4KG2C+4p97EOlV6XzkiscBr0WqxIR1PR/U4+So="
  package static let scriptHash = "o5u6CfgGpGbHi8H4XC+uOUwSUCIHgBkrfRVd/yWgbCk="

  package static let style = """

    :root { color-scheme: light dark; --page: #f7f7f5; --card: #fff; --ink: #1b1d21; --soft: #626872; --line: #dfe1e5;
      --accent: #5b3fd6; --fixture: #17663a; --fixture-bg: #dcf3e4; --example: #1a4f9c; --example-bg: #dde9fb;
      --sample: #7a4b00; --sample-bg: #fbecd0; --empty: #5a6069; --empty-bg: #e9ebee; --forced: #b42318; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #131519; --card: #1a1d23; --ink: #e7e9ec; --soft: #9aa2ad; --line: #30353d; --accent: #b3a2ff;
        --fixture: #8fe0ad; --fixture-bg: #173524; --example: #a3c6ff; --example-bg: #182d4d; --sample: #f3c774;
        --sample-bg: #3b2c10; --empty: #b3bac4; --empty-bg: #2a2f37; --forced: #ff8a80; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 84rem; padding: 2rem 1.25rem 5rem; background: var(--page); color: var(--ink);
      font: 15px/1.5 system-ui, sans-serif; }
    h1 { margin: 0; font-size: 1.5rem; letter-spacing: -.01em; }
    h2 { margin: 2rem 0 .6rem; font-size: 1.1rem; }
    small, .facts, footer { color: var(--soft); font-weight: normal; }
    p { margin: .35rem 0; overflow-wrap: anywhere; }
    a { color: inherit; text-decoration: none; }
    a:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    code { font: 13px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
    .warn { color: var(--forced); }
    .tools { position: sticky; top: 0; z-index: 3; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center;
      margin: 1rem 0 0; padding: .6rem 0; background: var(--page); }
    #filter { flex: 1 1 16rem; min-width: 0; padding: .45rem .7rem; font: inherit; color: inherit; background: var(--card);
      border: 1px solid var(--line); border-radius: 8px; }
    .legend { color: var(--soft); font-size: 13px; } .legend span { display: inline-block; }
    .key { display: inline-block; width: .7em; height: .7em; margin: 0 .3em 0 .6em; border: 1px solid; border-radius: 2px; }
    .scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { padding: .3rem .4rem; text-align: left; border-bottom: 1px solid var(--line); }
    tbody tr:last-child > * { border-bottom: 0; }
    tbody tr:hover > * { background: color-mix(in srgb, var(--accent) 6%, var(--card)); }
    thead th { color: var(--soft); font-weight: 600; font-size: 13px; }
    th:first-child { position: sticky; left: 0; z-index: 1; min-width: 17rem; padding-left: .9rem; background: var(--card); }
    tbody th { font-weight: normal; }
    tbody th small { display: block; font-size: 12px; }
    .method { display: inline-block; min-width: 4.6em; font: 600 12px/1.5 ui-monospace, monospace; color: var(--accent); }
    @media (max-width: 40rem) {
      th:first-child { min-width: 9.5rem; overflow-wrap: anywhere; } tbody th .method { display: block; } }
    .cell { display: inline-block; padding: .1rem .5rem; border-radius: 6px; font-size: 12.5px; white-space: nowrap; }
    .cell:hover { filter: brightness(.95); }
    .cell sup { margin-left: .2em; font-size: 10px; line-height: 0; }
    .fixture { color: var(--fixture); background: var(--fixture-bg); }
    .example { color: var(--example); background: var(--example-bg); }
    .sample { color: var(--sample); background: var(--sample-bg); }
    .empty { color: var(--empty); background: var(--empty-bg); }
    .forced { box-shadow: 0 0 0 2px var(--forced); }
    details { margin-top: .4rem; padding: .35rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
    section > .scroll + details { margin-top: 1rem; }
    summary { cursor: pointer; overflow-wrap: anywhere; }
    ul { margin: .4rem 0; padding: 0; list-style: none; }
    li { padding: .2rem 0; scroll-margin-top: 5rem; }
    li:target { background: color-mix(in srgb, var(--accent) 12%, transparent); }
    li b { display: inline-block; min-width: 3.2em; font-variant-numeric: tabular-nums; }
    li span { color: var(--soft); }
    .line { display: block; padding: .35rem .6rem; background: var(--page); border-radius: 6px; user-select: all; }
    .line[role=button] { cursor: copy; }
    footer { margin-top: 2.5rem; font-size: 13.5px; }
    #copied { position: fixed; left: 50%; bottom: 1.25rem; max-width: 92vw; padding: .5rem .9rem; transform: translateX(-50%);
      background: var(--ink); color: var(--page); border-radius: 8px; font-size: 13px; overflow-wrap: anywhere; }
    #copied:empty, [hidden] { display: none !important; }


    """

  package static let script = """

    "use strict";
    (() => {
      const output = document.querySelector("#copied");
      let timer;
      const copy = async (line) => {
        const text = line.textContent;
        try {
          await navigator.clipboard.writeText(text);
          output.textContent = `Copied: ${text}`;
        } catch {
          getSelection().selectAllChildren(line);
          output.textContent = "Selected: press Ctrl-C or Command-C to copy";
        }
        clearTimeout(timer);
        timer = setTimeout(() => { output.textContent = ""; }, 4000);
      };
      const open = (item) => { for (let node = item; node; node = node.parentElement) if (node.open === false) node.open = true; };
      for (const line of document.querySelectorAll(".line")) {
        line.tabIndex = 0;
        line.setAttribute("role", "button");
        line.title = "Copy";
        line.addEventListener("click", () => copy(line));
        line.addEventListener("keydown", (event) => { if (event.key === "Enter") copy(line); });
      }
      for (const link of document.querySelectorAll("a[href^='#']")) {
        link.addEventListener("click", () => {
          const item = document.getElementById(link.getAttribute("href").slice(1));
          open(item);
          const line = item.matches("li") && item.querySelector(".line");
          if (line) copy(line);
        });
      }
      const field = document.querySelector("#filter");
      const rows = [...document.querySelectorAll("tbody tr")].map((row) => {
        const lines = document.querySelector(row.querySelector("a").getAttribute("href"));
        return { parts: [row, lines], text: (row.textContent + " " + lines.textContent).toLowerCase() };
      });
      field.addEventListener("input", () => {
        const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
        for (const { parts, text } of rows) {
          const isHidden = !words.every((word) => text.includes(word));
          for (const part of parts) part.hidden = isHidden;
        }
      });
    })();


    """
}
