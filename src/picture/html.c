/** Pictures as one page: the SVG, the JSON, and a script that joins them. Nothing is loaded from elsewhere. */
#include "picture/stream.h"

#include <string.h>

static char const style[] =
    "<style>\n"
    ":root{color-scheme:light "
    "dark;--ink:#16181d;--soft:#5b6470;--ground:#fff;--card:#f4f6fa;--line:#c9ced6;--hot:#c2185b}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#f4f6fa;--soft:#a9b2bf;--ground:#12151b;--card:#1c212a;--line:#"
    "3c434f;"
    "--hot:#ffb000}}\n"
    "body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.5 ui-monospace,'DejaVu Sans "
    "Mono',Menlo,monospace}\n"
    "main{display:flex;flex-wrap:wrap;gap:20px;padding:16px;align-items:flex-start}\n"
    "figure{margin:0;overflow:auto;max-width:100%}figure svg{display:block;touch-action:manipulation}\n"
    "aside{position:sticky;top:16px;background:var(--card);border:1px solid "
    "var(--line);border-radius:8px;padding:12px 16px;"
    "width:300px;box-sizing:border-box}\n"
    "h2{font-size:13px;margin:12px 0 4px;color:var(--soft)}h2:first-child{margin-top:0}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px "
    "12px;margin:0;min-height:11em}dt{color:var(--soft)}"
    "dd{margin:0;overflow-wrap:anywhere}\n"
    "button,input{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:5px;"
    "padding:3px 9px}input[type=number]{width:6em}input[type=range]{width:100%;padding:0}\n"
    "button:focus-visible,input:focus-visible{outline:2px solid var(--hot)}\n"
    ".hot{fill:none;stroke:var(--hot);stroke-width:2.6}.veil{fill:var(--ground);fill-opacity:.82}\n"
    "</style>\n";

static char const controls[] =
    "<aside>\n<h2>Cell</h2><dl id=\"cell\" aria-live=\"polite\"></dl>\n"
    "<h2><label for=\"thread\">Isolate a thread</label></h2>\n"
    "<input id=\"thread\" type=\"number\" min=\"0\" placeholder=\"none\"> <button id=\"all\" "
    "type=\"button\">all</button>\n"
    "<h2><label for=\"step\">Step</label> <output id=\"at\"></output></h2>\n"
    "<input id=\"step\" type=\"range\" min=\"-1\" value=\"-1\">\n"
    "<button id=\"back\" type=\"button\">back</button> <button id=\"next\" type=\"button\">next</button>\n"
    "</aside>\n";

/** Reading: cells, links, coordinates. */
static char const script_model[] =
    "<script>\n"
    "'use strict';\n"
    "const picture = JSON.parse(document.getElementById('picture').textContent);\n"
    "const svg = document.querySelector('figure svg'), id = name => document.getElementById(name);\n"
    "const layer = name => { const g = document.createElementNS(svg.namespaceURI, 'g'); g.id = name;\n"
    "  g.style.pointerEvents = 'none'; svg.append(g); return g; };\n"
    "const veil = layer('veil'), steps = layer('steps'), hot = layer('hot');\n"
    "const cells = picture.panels.flatMap(panel => panel.cells.map(cell => Object.assign(cell, {panel, owners: "
    "[]})));\n"
    "for (const cell of cells)\n"
    "  if ('thread' in cell) cell.owners.push([cell.thread, cell.value]);\n"
    "for (const [cell, thread, value] of picture.more_owners) cells[cell].owners.push([thread, value]);\n"
    "const links = [...new Set(cells.map(cell => cell.link).filter(link => link !== undefined))].sort((a, b) => a - "
    "b);\n"
    "const threads = cells.reduce((most, cell) => cell.owners.reduce((m, o) => Math.max(m, o[0]), most), -1);\n"
    "function rectangle(cell, kind) {\n"
    "  const r = document.createElementNS(svg.namespaceURI, 'rect'), w = picture.cell_width, h = "
    "picture.cell_height;\n"
    "  r.setAttribute('x', cell.panel.x + cell.column * w); r.setAttribute('y', cell.panel.y + cell.row * h);\n"
    "  r.setAttribute('width', w); r.setAttribute('height', h); r.setAttribute('class', kind); return r;\n"
    "}\n"
    "const linked = link => cells.filter(cell => cell.link === link);\n"
    "function coordinate(cell) {\n"
    "  const row = cell.panel.rows.coords[cell.row], column = cell.panel.columns.coords[cell.column];\n"
    "  if (cell.panel.one_mode) return cell.panel.rows.count === 1 ? column : row;\n"
    "  return '(' + row + ',' + column + (cell.panel.rest || '') + ')';\n"
    "}\n"
    "function tell(cell) {\n"
    "  const rows = [];\n"
    "  if (cell) {\n"
    "    if (cell.panel.name) rows.push(['panel', cell.panel.name]);\n"
    "    rows.push(['coordinate', coordinate(cell)]);\n"
    "    if ('index' in cell) rows.push(['index', cell.index]);\n"
    "    if ('offset' in cell) {\n"
    "      rows.push(['offset', cell.offset], ['bits', '0b' + BigInt.asUintN(32, "
    "BigInt(cell.offset)).toString(2)]);\n"
    "      const word = Math.floor(cell.offset * picture.element_bits / 32);\n"
    "      rows.push(['bank', ((word % 32) + 32) % 32]);\n"
    "    }\n"
    "    if (cell.owners.length) rows.push(['held by', cell.owners.slice(0, 8).map(o => 'T' + o[0] + ' V' + "
    "o[1]).join(', ')\n"
    "      + (cell.owners.length > 8 ? ', and ' + (cell.owners.length - 8) + ' more' : '')]);\n"
    "    for (const mark of cell.marks || []) rows.push(['mark', mark]);\n"
    "  }\n"
    "  id('cell').replaceChildren(...rows.flatMap(([name, text]) => [['dt', name], ['dd', text]].map(([tag, t]) => "
    "{\n"
    "    const e = document.createElement(tag); e.textContent = t; return e; })));\n"
    "}\n";

/** Acting: hover, isolate, step. */
static char const script_actions[] =
    "function under(event) {\n"
    "  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());\n"
    "  for (const panel of picture.panels) {\n"
    "    const column = Math.floor((p.x - panel.x) / picture.cell_width), row = Math.floor((p.y - panel.y) / "
    "picture.cell_height);\n"
    "    if (row >= 0 && column >= 0 && row < panel.rows.count && column < panel.columns.count)\n"
    "      return panel.cells[row * panel.columns.count + column];\n"
    "  }\n"
    "}\n"
    "function hover(event) {\n"
    "  const cell = under(event);\n"
    "  tell(cell);\n"
    "  hot.replaceChildren(...(cell ? cell.link === undefined ? [cell] : linked(cell.link) : []).map(c => "
    "rectangle(c, 'hot')));\n"
    "}\n"
    "function isolate(thread) {\n"
    "  const some = Number.isInteger(thread) && thread >= 0;\n"
    "  id('thread').value = some ? thread : '';\n"
    "  veil.replaceChildren(...(some ? cells.filter(c => !c.owners.some(o => o[0] === thread)) : []).map(c => "
    "rectangle(c, 'veil')));\n"
    "}\n"
    "function step(at) {\n"
    "  at = Math.max(-1, Math.min(links.length - 1, at));\n"
    "  id('step').value = at;\n"
    "  id('at').textContent = at < 0 ? 'of ' + links.length : at + 1 + ' of ' + links.length;\n"
    "  const now = at < 0 ? [] : linked(links[at]);\n"
    "  steps.replaceChildren(...now.map(c => rectangle(c, 'hot')));\n"
    "  if (now.length) tell(now[now.length - 1]);\n"
    "}\n"
    "svg.addEventListener('pointermove', hover);\n"
    "svg.addEventListener('pointerleave', () => hot.replaceChildren());\n"
    "svg.addEventListener('click', event => { const cell = under(event); if (cell && cell.owners.length) "
    "isolate(cell.owners[0][0]); });\n"
    "id('thread').addEventListener('input', event => isolate(event.target.value === '' ? -1 : "
    "Number(event.target.value)));\n"
    "id('all').addEventListener('click', () => isolate(-1));\n"
    "id('step').addEventListener('input', event => step(Number(event.target.value)));\n"
    "id('back').addEventListener('click', () => step(Number(id('step').value) - 1));\n"
    "id('next').addEventListener('click', () => step(Number(id('step').value) + 1));\n"
    "id('step').max = links.length - 1;\n"
    "id('thread').max = threads; id('thread').disabled = id('all').disabled = threads < 0;\n"
    "step(-1);\n"
    "</script>\n";

bool draw_html(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    char const *const title = picture_string(p, p->title);
    stream_text(s,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    stream_xml(s, title, strlen(title));
    stream_text(s, "</title>\n");
    stream_text(s, style);
    stream_text(s, "</head>\n<body>\n<main>\n<figure>\n");
    bool ok = draw_svg(p, how, s);
    stream_text(s, "</figure>\n");
    stream_text(s, controls);
    stream_text(s, "</main>\n<script type=\"application/json\" id=\"picture\">\n");
    ok = draw_json(p, how, s) && ok;
    stream_text(s, "</script>\n");
    stream_text(s, script_model);
    stream_text(s, script_actions);
    stream_text(s, "</body>\n</html>\n");
    return ok;
}
