/// The constant parts of HTML reports. The policy allows only this style and this script, by their hashes, so text of a
/// body neither runs nor loads anything.
package enum HTMLPage {
  /// `Content-Security-Policy`
  static let policy = """
    default-src 'none'; style-src 'sha256-\(styleHash)'; script-src 'sha256-\(scriptHash)'; base-uri 'none'; \
    form-action 'none'
    """

  /// SHA-256 in base64, verified by a test.
  package static let styleHash = "uCfqRcaTiNmRVS6uIEZsJMhgYlxv6JgXnI1cgbDwstw="
  package static let scriptHash = "Hd832aakBZXFwGhFw3TYQ+Zo33JDiAykQoh1uvrSdBU="

  package static let style = """

    :root { color-scheme: light dark; --page: #fbfbfa; --card: #fff; --ink: #1c1e21; --soft: #5b616a; --line: #dcdfe3;
      --error: #b42318; --warning: #9a5b00; --info: #175cd3; --good: #1a7f37; --code: #f3f4f6; --tint: #eef2f7; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #14161a; --card: #1b1e24; --ink: #e6e8eb; --soft: #a0a7b1; --line: #333941; --error: #ff8a80;
        --warning: #f0b429; --info: #8ab4f8; --good: #6fd08c; --code: #22262d; --tint: #232831; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.25rem 4rem; background: var(--page); color: var(--ink);
      font: 15px/1.5 system-ui, sans-serif; }
    h1 { margin: 0 0 .25rem; font-size: 1.4rem; }
    h2 { margin: 2.25rem 0 .75rem; font-size: 1.1rem; }
    h2 small, .soft { color: var(--soft); font-weight: normal; }
    a { color: var(--info); }
    code, pre { font: 13px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    code { overflow-wrap: anywhere; }
    pre { margin: .5rem 0; padding: .5rem .75rem; overflow-x: auto; background: var(--code); border-radius: 6px;
      unicode-bidi: isolate; }
    p { margin: .35rem 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
    .verdict { font-weight: 600; }
    .passed { color: var(--good); } .failed { color: var(--error); } .open { color: var(--warning); }
    .counts { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; padding: 0; list-style: none; }
    .counts li { min-width: 6.5rem; padding: .5rem .8rem; background: var(--card); border: 1px solid var(--line);
      border-radius: 8px; color: var(--soft); }
    .counts b { display: block; color: var(--ink); font-size: 1.25rem; font-variant-numeric: tabular-nums; }
    .filter { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center;
      padding: .6rem 0; background: var(--page); border-bottom: 1px solid var(--line); }
    .filter input[type=search] { flex: 1 1 14rem; min-width: 0; padding: .4rem .6rem; font: inherit; color: inherit;
      background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
    .finding { margin: .75rem 0; padding: .75rem 1rem; background: var(--card); border: 1px solid var(--line);
      border-left: 4px solid var(--soft); border-radius: 8px; }
    .finding.error { border-left-color: var(--error); } .finding.warning { border-left-color: var(--warning); }
    .finding.info { border-left-color: var(--info); } .finding.known { opacity: .85; }
    .finding header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
    .finding header b { overflow-wrap: anywhere; }
    .severity { font-weight: 600; }
    .error .severity { color: var(--error); } .warning .severity { color: var(--warning); }
    .info .severity { color: var(--info); }
    .note { margin-left: 1rem; }
    details { margin-top: .35rem; } summary { cursor: pointer; color: var(--soft); }
    .scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
    table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: .35rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
    tbody tr:last-child > * { border-bottom: 0; }
    thead th { color: var(--soft); font-weight: 600; white-space: nowrap; }
    tbody th { font-weight: normal; } tbody th code { white-space: nowrap; }
    .number { text-align: right; }
    .marks { display: flex; gap: 2px; white-space: nowrap; }
    .marks i { width: 1.35em; font: 600 11px/1.5 ui-monospace, monospace; text-align: center; border-radius: 3px;
      color: var(--soft); background: var(--tint); }
    .marks i.on { color: var(--card); background: var(--good); }
    .marks i.some { color: var(--good); background: var(--tint); outline: 1px solid var(--good); outline-offset: -1px; }
    .types { margin: 0; } .types summary { display: block; width: fit-content; }
    .types summary .marks { padding-bottom: 1px; border-bottom: 1px dotted var(--soft); }
    .types > .marks { margin-top: 4px; } .types small { display: block; color: var(--soft); white-space: nowrap; }
    .counts small { color: var(--soft); } .stray { color: var(--error); }
    .sheet th, .sheet td { padding: .3rem .4rem; }
    .sheet .marks { margin-top: 1px; }
    .sheet td:empty { background: var(--tint); opacity: .5; }
    [hidden] { display: none !important; }

    """

  package static let script = """

    "use strict";
    (() => {
      const field = document.querySelector("#filter");
      if (!field) return;
      const boxes = [...document.querySelectorAll(".filter input[type=checkbox]")];
      const items = [...document.querySelectorAll("[data-kind]")];
      const texts = items.map((item) => item.textContent.toLowerCase());
      const shown = document.querySelector("#shown");
      const findings = items.filter((item) => item.classList.contains("finding")).length;
      const apply = () => {
        const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
        const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
        let count = 0;
        items.forEach((item, index) => {
          const fits = !off.has(item.dataset.kind) && words.every((word) => texts[index].includes(word));
          item.hidden = !fits;
          if (fits && item.classList.contains("finding")) count += 1;
        });
        shown.textContent = findings ? `${count} of ${findings}` : "";
      };
      for (const input of [field, ...boxes]) input.addEventListener("input", apply);
      apply();
    })();

    """
}
