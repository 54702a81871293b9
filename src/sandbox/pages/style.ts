/** The style sheet of every page, with all sizes and colors. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f3f6f7; --card: #ffffff; --line: #dbe4e6; --ink: #10262c; --soft: #4d646b;
  --accent: #0b6e74; --accent-ink: #ffffff; --tint: #e2f1f1; --band: #e9eff0;
  --good: #1d7a4d; --middle: #0b6e74; --low: #b4491a;
  --shadow: 0 1px 2px rgb(16 38 44 / .06), 0 8px 24px rgb(16 38 44 / .06);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d171a; --card: #142328; --line: #26393f; --ink: #e8f1f2; --soft: #a3b8bd;
    --accent: #58c4c6; --accent-ink: #06282a; --tint: #17343a; --band: #1b2e34;
    --good: #6fd39f; --middle: #58c4c6; --low: #f2a379; --shadow: none;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink); min-height: 100vh;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
  display: flex; flex-direction: column;
}
h1, h2, h3, p, ul, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: clamp(1.5rem, 1.1rem + 2vw, 2.1rem); line-height: 1.2; letter-spacing: -.02em; }
h2 { font-size: 1.15rem; letter-spacing: -.01em; margin: 0 0 .75rem; }
h3, h2.minor { font-size: 1rem; line-height: 1.35; margin: 0; letter-spacing: 0; }
header.top, main, footer { width: 100%; max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header.top { display: flex; align-items: center; gap: .6rem; padding-block: 1.1rem; font-weight: 650; }
header.top svg { width: 1.75rem; height: 1.75rem; color: var(--accent); }
main { flex: 1; padding-bottom: 2.5rem; }
footer {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 1rem;
  border-top: 1px solid var(--line); padding-block: 1.1rem; color: var(--soft); font-size: .875rem;
}
footer img { display: block; width: 5.25rem; height: 3.5rem; border-radius: .3rem; }
section { margin-top: 2rem; }
.soft { color: var(--soft); }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.15rem 1.25rem;
  box-shadow: var(--shadow); display: flex; flex-direction: column; gap: .35rem;
}
ul.grid { list-style: none; }
.value { font-size: 1.7rem; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.value small { font-size: .9rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
.row { display: flex; align-items: center; justify-content: space-between; gap: .75rem; }
.chip {
  align-self: flex-start; border-radius: 99px; padding: .1rem .65rem; font-size: .82rem;
  background: var(--tint); color: var(--ink);
}
.button {
  display: inline-block; border: 0; border-radius: 99px; padding: .85rem 1.9rem; cursor: pointer;
  background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 650; text-decoration: none;
}
.button:hover { filter: brightness(1.08); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.gauge { display: flex; align-items: center; gap: 1rem; }
.gauge svg { width: 5.5rem; height: 5.5rem; flex: none; }
.track { stroke: var(--band); }
.above { stroke: var(--good); } .average { stroke: var(--middle); } .below { stroke: var(--low); }
.gauge text { fill: var(--ink); font-size: 26px; font-weight: 650; text-anchor: middle; }
.bar { display: block; width: 100%; height: .55rem; }
.bar .track { fill: var(--band); stroke: none; } .bar .fill { fill: var(--accent); }
.locked .value { color: var(--soft); font-size: 1.05rem; font-weight: 500; line-height: 2.4; }
.chart { display: block; width: 100%; height: auto; margin-top: .35rem; overflow: visible; }
.chart .curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.chart .dot { fill: var(--accent); } .chart .last { fill: var(--card); stroke: var(--accent); stroke-width: 2.5; }
.chart .rule { stroke: var(--line); }
.chart text { fill: var(--soft); font-size: 11px; font-variant-numeric: tabular-nums; }
.chart .end { text-anchor: end; }
details summary { cursor: pointer; color: var(--soft); font-size: .875rem; }
details div { max-height: 14rem; overflow: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .5rem .2rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
td { text-align: right; padding-right: .25rem; }
.todo li { display: flex; gap: .7rem; align-items: center; flex-direction: row; }
.todo svg { width: 1.25rem; height: 1.25rem; flex: none; color: var(--accent); }
.rank { font-variant-numeric: tabular-nums; color: var(--soft); font-size: .875rem; }
.stage { max-width: 27rem; margin: 0 auto; text-align: center; padding-top: 1rem; }
.stage p { margin-top: .75rem; }
.face { display: block; width: min(15rem, 62vw); height: auto; margin: 1.5rem auto .5rem; }
.face .outline { fill: var(--tint); stroke: var(--line); stroke-width: 2; }
.face .feature { fill: none; stroke: var(--accent); stroke-width: 3.5; stroke-linecap: round; opacity: .75; }
.face .ring { fill: none; stroke: var(--accent); stroke-width: 6; stroke-linecap: round; }
.face .ring { visibility: hidden; } .scanning .ring { visibility: visible; }
.face .rail { fill: none; stroke: var(--band); stroke-width: 6; }
fieldset.questions { border: 1px solid var(--line); border-radius: 12px; padding: 1rem; margin: 1.1rem 0 1.6rem; text-align: left; }
.questions legend { font-weight: 650; padding: 0 .4rem; }
.questions label { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-top: .6rem; }
.questions input, .questions select {
  font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--soft); border-radius: 8px;
  padding: .35rem .5rem; width: 5.5rem; flex: none;
}
.phase { min-height: 3rem; font-weight: 600; }
progress {
  appearance: none; width: 100%; max-width: 18rem; height: .5rem; border: 0; border-radius: 99px;
  background: var(--band); overflow: hidden;
}
progress::-webkit-progress-bar { background: var(--band); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
[hidden] { display: none !important; }
@media (prefers-reduced-motion: no-preference) {
  .scanning .outline { animation: breathe 2.2s ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: .55; } }
}
@media print { body { background: none; } .card { box-shadow: none; break-inside: avoid; } }
`
