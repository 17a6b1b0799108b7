/** The style of exported pages: light and dark, wide and narrow, nothing from elsewhere. */
export const style = `
:root{color-scheme:light dark;--ground:#fbfbf9;--card:#fff;--ink:#1d1f22;--soft:#676c74;--line:#e2e3e0;--blue:#2563a8;--green:#24794a;--red:#b3261e;--amber:#8a5a00;--cyan:#0f6e78;--fill:#dfe9f5}
@media(prefers-color-scheme:dark){:root{--ground:#16181b;--card:#1e2125;--ink:#e5e6e8;--soft:#989ea7;--line:#33373d;--blue:#7fb2ea;--green:#7cc89a;--red:#f0938b;--amber:#e0b565;--cyan:#74c5cf;--fill:#2a3d55}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:58rem;margin:0 auto;padding:1.5rem 1rem 4rem}
article+article{margin-top:4rem;border-top:3px solid var(--line);padding-top:1rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.2rem 0 .6rem;overflow-wrap:anywhere}
h2 small{font-weight:400;color:var(--soft)}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.6rem 1.2rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:0}
dt{color:var(--soft);font-size:.8rem}
dd{margin:0;overflow-wrap:anywhere}
pre,code{font:.86rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.3rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}
.entry{border-left:3px solid var(--line);padding:.1rem 0 .1rem .8rem;margin:.7rem 0}
.entry>b{font-size:.8rem;color:var(--soft);font-weight:600}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
.decision,.complete,.answer{border-color:var(--green)}.error,.failed{border-color:var(--red)}.user{border-color:var(--blue)}.question{border-color:var(--amber)}.subagent{border-color:var(--cyan)}
.result{color:var(--soft)}
.scroll{overflow-x:auto;-webkit-overflow-scrolling:touch;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.4rem .7rem;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
th{color:var(--soft);font-weight:600;font-size:.78rem;white-space:nowrap}
th.number,td.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
td.what{min-width:14rem;overflow-wrap:anywhere}
td.time{white-space:nowrap;color:var(--soft);font-variant-numeric:tabular-nums}
td.bar{width:30%;min-width:6rem}
.bar>i{display:block;height:.8rem;margin-top:.25rem;border-radius:.2rem;background:var(--blue);min-width:2px}
.bar>i.time{background:var(--cyan)}
ul.tasks{list-style:none;padding:0;margin:0}
.bad{color:var(--red)}.good{color:var(--green)}
details>summary{cursor:pointer;color:var(--soft)}
@media(max-width:34rem){body{font-size:15px}main{padding:1rem .7rem 3rem}h1{font-size:1.35rem}th,td{padding:.35rem .5rem}}
@media print{body{background:#fff}.scroll{overflow:visible}}
`.trim();
