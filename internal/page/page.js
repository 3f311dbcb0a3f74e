// What the report can do beyond standing there: sort and filter its table, tell of
// every point whose it is, show one trial in all pictures, brush the axes of
// parallel coordinates, zoom. All data are read from the page itself, and written
// back as text, never as markup.
(() => {
'use strict';
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const NS = 'http://www.w3.org/2000/svg';
const root = document.documentElement;
root.classList.add('js');

// --- The table -----------------------------------------------------------------
const table = document.querySelector('.trials table');
const rows = table ? all('tbody tr', table) : [];
const rowOf = new Map(rows.map(r => [+r.dataset.t, r]));
const heads = table ? all('th', table) : [];
const names = heads.map(h => h.textContent.trim());
const cell = (row, c) => row.cells[c].textContent.trim();
const count = document.querySelector('.tools output');
const input = document.querySelector('.tools input');
const brushes = new Map(); // of axes: [accepts, forget]

function sort(c, up) {
  const number = text => text === '' ? NaN : Number(text.split(' ')[0]);
  const numeric = heads[c].classList.contains('n') || c === 0;
  const key = row => c === 0 ? +row.dataset.t : numeric ? number(cell(row, c)) : cell(row, c);
  const empty = v => v === '' || Number.isNaN(v);
  const list = rows.map(r => [key(r), r]);
  list.sort(([a], [b]) => empty(a) - empty(b) || (a < b ? -1 : a > b ? 1 : 0) * (up ? 1 : -1));
  table.tBodies[0].append(...list.map(([, r]) => r));
  heads.forEach((h, k) => k === c ? h.setAttribute('aria-sort', up ? 'ascending' : 'descending') : h.removeAttribute('aria-sort'));
  remember();
}

heads.forEach((h, c) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = names[c];
  h.replaceChildren(button);
  button.addEventListener('click', () => sort(c, h.getAttribute('aria-sort') !== 'ascending'));
});

// A word of the filter is a text to contain, or name<value, name>value, name=value.
function term(word) {
  const m = word.match(/^(.+?)(<=|>=|<|>|=)(.+)$/);
  const c = m ? names.findIndex(n => n.toLowerCase() === m[1]) : -1;
  if (c < 0) return row => row.textContent.toLowerCase().includes(word);
  const [, , op, value] = m, v = Number(value);
  return row => {
    const text = cell(row, c).toLowerCase(), x = Number(text.split(' ')[0]);
    if (op === '=') return text === value || text !== '' && x === v;
    return text !== '' && (op[0] === '<' ? x < v : x > v) || op[1] === '=' && x === v && text !== '';
  };
}

let shown = null; // numbers of the trials that filter and brushes let pass; null: all
function apply() {
  const words = input ? input.value.toLowerCase().split(/\s+/).filter(Boolean).map(term) : [];
  const kept = rows.filter(r => words.every(w => w(r)) && [...brushes.values()].every(([ok]) => ok(+r.dataset.t)));
  const some = new Set(kept);
  rows.forEach(r => { r.hidden = !some.has(r); });
  shown = kept.length === rows.length ? null : new Set(kept.map(r => +r.dataset.t));
  if (count) count.textContent = shown ? `${kept.length} of ${rows.length} trials` : `${rows.length} trials`;
  views.forEach(v => v.draw());
  remember();
}
input?.addEventListener('input', apply);
document.querySelector('.clear')?.addEventListener('click', () => {
  input.value = '';
  brushes.forEach(([, forget]) => forget());
  brushes.clear();
  views.forEach(v => v.reset());
  pin(0);
  apply();
});

// --- Pictures --------------------------------------------------------------------
// A path is subpaths of absolute points, each with what is drawn there.
function parse(path) {
  const trials = (path.dataset.t ?? '').split(' ').filter(Boolean).map(Number);
  const subs = path.getAttribute('d').split('M').slice(1).map((d, k) => {
    const at = d.search(/[a-zZ]/), glyph = at < 0 ? '' : d.slice(at);
    const points = (at < 0 ? d : d.slice(0, at)).split('L').map(p => p.split(' ').map(Number));
    return {points, glyph, trial: trials.length === 1 ? trials[0] : trials[k] ?? 0};
  });
  return {path, subs, owned: trials.length > 0, thread: trials.length === 1 && subs.every(s => !s.glyph), ghost: null};
}

const views = all('.p svg[data-x]').map(box => new View(box));
function View(box) {
  const figure = box.closest('figure'), parallel = figure.classList.contains('brush');
  const paths = all('path', box).map(parse);
  const axes = ['x', 'y'].map(axis => {
    const [lo, hi, kind, from, to] = box.dataset[axis].split(' ').map(Number);
    return {lo, hi, kind, from, to, near: from, far: to};
  });
  const over = document.createElementNS(NS, 'path');
  over.classList.add('hot');
  box.append(over);
  const zoomed = () => axes.some(a => a.near !== a.from || a.far !== a.to);
  const move = ([x, y]) => [x, y].map((v, k) => {
    const a = axes[k];
    return a.near === a.from && a.far === a.to ? v : a.from + (v - a.near) / (a.far - a.near) * (a.to - a.from);
  });
  const text = sub => 'M' + sub.points.map(p => move(p).map(v => v.toFixed(1)).join(' ')).join('L') + sub.glyph;
  const visible = trial => !shown || !trial || shown.has(trial);

  this.draw = () => {
    for (const p of paths) {
      const write = (element, list) => element.setAttribute('d', list.map(text).join(''));
      if (p.thread) {
        p.path.classList.toggle('off', !visible(p.subs[0]?.trial));
        write(p.path, p.subs);
        continue;
      }
      write(p.path, p.owned ? p.subs.filter(s => visible(s.trial)) : p.subs);
      if (p.owned && shown && !p.ghost) {
        p.ghost = p.path.cloneNode();
        p.ghost.removeAttribute('data-t');
        p.ghost.classList.add('ghost');
        p.path.before(p.ghost);
      }
      if (p.ghost) write(p.ghost, shown ? p.subs.filter(s => !visible(s.trial)) : []);
    }
    this.mark(hot);
    box.dataset.zoomed = zoomed();
  };
  // mark draws one trial again, on top.
  this.mark = trial => {
    const list = trial ? paths.flatMap(p => p.subs.filter(s => s.trial === trial)) : [];
    over.setAttribute('d', list.map(s => s.points.length > 1 ? text(s) : 'M' + move(s.points[0]).map(v => v.toFixed(1)).join(' ') + 'm-6.5 0a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0').join(''));
  };
  const place = e => new DOMPoint(e.clientX, e.clientY).matrixTransform(over.getScreenCTM().inverse());
  // nearest is the trial at most a few pixels away.
  const nearest = ({x, y}) => {
    let best = 0, least = 14;
    for (const p of paths) {
      if (!p.owned) continue;
      for (const s of p.subs) {
        if (!s.trial || !visible(s.trial)) continue;
        const d = distance(x, y, s.points.map(move), s.glyph === 'Z');
        if (d < least) [best, least] = [s.trial, d];
      }
    }
    return best;
  };
  const order = () => { // of the trials, from left to right, for the keyboard
    const seen = new Map();
    paths.filter(p => p.owned).forEach(p => p.subs.forEach(s => s.trial && visible(s.trial) && seen.set(s.trial, s.points[0][0])));
    return [...seen].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([t]) => t);
  };

  // Pointer: tips, and a rectangle to zoom into.
  let start = null, rubber = null;
  const outer = box.ownerSVGElement;
  const hit = document.createElementNS(NS, 'rect'); // so that empty places are seen, too
  hit.setAttribute('width', '100%');
  hit.setAttribute('height', '100%');
  hit.setAttribute('fill', 'transparent');
  box.prepend(hit);
  box.addEventListener('pointermove', e => {
    const at = place(e);
    if (start && !parallel) {
      if (!rubber && Math.hypot(at.x - start.x, at.y - start.y) > 5) {
        rubber = document.createElementNS(NS, 'rect');
        rubber.classList.add('rubber');
        box.append(rubber);
      }
      if (rubber) stretch(rubber, start, at);
      return;
    }
    show(nearest(at), e);
  });
  box.addEventListener('pointerleave', () => show(0));
  box.addEventListener('click', e => { if (!moved) pin(nearest(place(e))); });
  let moved = false;
  if (!parallel) {
    outer.classList.add('zoomable');
    box.addEventListener('pointerdown', e => {
      moved = false;
      if (e.pointerType === 'mouse' && e.button === 0) { start = place(e); box.setPointerCapture(e.pointerId); e.preventDefault(); }
    });
    box.addEventListener('pointerup', e => {
      if (rubber) { zoom(start, place(e)); moved = true; }
      rubber?.remove();
      start = rubber = null;
    });
    box.addEventListener('dblclick', () => this.reset());
  }
  const back = p => [p.x, p.y].map((v, k) => axes[k].near + (v - axes[k].from) / (axes[k].to - axes[k].from) * (axes[k].far - axes[k].near));
  const zoom = (a, b) => {
    const [p, q] = [back(a), back(b)];
    axes.forEach((axis, k) => {
      if (Math.abs(a[k ? 'y' : 'x'] - b[k ? 'y' : 'x']) < 8) return; // drawn along the other axis
      const up = axis.from < axis.to;
      [axis.near, axis.far] = [Math.min(p[k], q[k]), Math.max(p[k], q[k])].sort((m, n) => up ? m - n : n - m);
    });
    refresh();
  };
  this.reset = () => {
    if (!zoomed()) return;
    axes.forEach(a => { a.near = a.from; a.far = a.to; });
    refresh();
  };
  let button = null;
  const refresh = () => {
    this.draw();
    ticks();
    if (zoomed() && !button) {
      button = document.createElement('button');
      button.type = 'button';
      button.className = 'reset';
      button.textContent = 'Whole picture';
      button.addEventListener('click', () => this.reset());
      figure.append(button);
    }
    if (!zoomed()) { button?.remove(); button = null; }
  };
  // ticks moves the marks of the axes, and makes new ones between numbers.
  const corner = [+box.getAttribute('x'), +box.getAttribute('y')];
  const groups = ['x', 'y'].map(name => {
    const g = all('g.' + name, box.parentNode)[0];
    return {g, was: [...(g?.childNodes ?? [])]};
  });
  const ticks = () => groups.forEach(({g, was}, k) => {
    if (!g) return;
    const a = axes[k], size = +box.getAttribute(k ? 'height' : 'width'), depth = +box.getAttribute(k ? 'width' : 'height');
    if (a.near === a.from && a.far === a.to) { g.replaceChildren(...was); return; }
    const mark = (at, label) => {
      const px = corner[k] + at, rule = document.createElementNS(NS, 'path'), word = document.createElementNS(NS, 'text');
      rule.setAttribute('class', 'scl');
      rule.setAttribute('d', k ? `M${corner[0]} ${px}h${depth}` : `M${px} ${corner[1]}v${depth + 4}`);
      word.setAttribute('class', 'fcs');
      word.setAttribute('text-anchor', k ? 'end' : 'middle');
      word.setAttribute('x', k ? corner[0] - 6 : px);
      word.setAttribute('y', k ? px + 4 : corner[1] + depth + 18);
      word.textContent = label;
      g.append(rule, word);
    };
    g.replaceChildren();
    const from = v => a.from + (v - a.near) / (a.far - a.near) * (a.to - a.from);
    if (a.kind === 2) { // names
      was.filter(n => n.tagName === 'text').forEach(n => {
        const at = from(+n.getAttribute(k ? 'y' : 'x') - corner[k] - (k ? 4 : 0));
        if (at > 0 && at < size) mark(at, n.textContent);
      });
      return;
    }
    const log = a.kind === 1, t = v => log ? Math.log(v) : v, lo = t(a.lo), hi = t(a.hi);
    const value = px => lo + (px - a.from) / (a.to - a.from) * (hi - lo);
    const [low, high] = [value(a.near), value(a.far)].sort((m, n) => m - n);
    for (const v of log ? powers(Math.exp(low), Math.exp(high)) : steps(low, high)) {
      mark(from(a.from + (t(v) - lo) / (hi - lo) * (a.to - a.from)), Number(v.toPrecision(12)).toString());
    }
  });

  // Keyboard: arrows walk from trial to trial, Enter keeps one, Escape lets go.
  if (paths.some(p => p.owned)) {
    outer.setAttribute('tabindex', '0');
    outer.addEventListener('keydown', e => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
      if (step) {
        const list = order(), k = list.indexOf(hot);
        show(list[(k < 0 ? (step > 0 ? 0 : list.length - 1) : k + step + list.length) % list.length] ?? 0, outer);
        e.preventDefault();
      } else if (e.key === 'Enter') pin(hot);
      else if (e.key === 'Escape') { pin(0); this.reset(); }
    });
  }
  if (parallel) all('g.axis', box.parentNode).forEach(g => brush(g, +box.getAttribute('x'), +box.getAttribute('y'), paths));
}

function distance(x, y, points, closed) {
  if (closed) { // a bar
    const xs = points.map(p => p[0]), ys = points.map(p => p[1]);
    const out = (v, list) => Math.max(Math.min(...list) - v, v - Math.max(...list), 0);
    return Math.hypot(out(x, xs), out(y, ys));
  }
  if (points.length === 1) return Math.hypot(points[0][0] - x, points[0][1] - y);
  let least = Infinity;
  for (let k = 1; k < points.length; k++) {
    const [[a, b], [c, d]] = [points[k - 1], points[k]];
    const f = Math.min(Math.max(((x - a) * (c - a) + (y - b) * (d - b)) / ((c - a) ** 2 + (d - b) ** 2 || 1), 0), 1);
    least = Math.min(least, Math.hypot(a + f * (c - a) - x, b + f * (d - b) - y));
  }
  return least;
}

function steps(low, high) {
  const raw = (high - low) / 5, unit = 10 ** Math.floor(Math.log10(raw)), step = unit * [1, 2, 5, 10].find(f => f * unit >= raw), out = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) out.push(k * step);
  return out;
}

function powers(low, high) {
  if (high / low < 8) return steps(low, high);
  const out = [], factors = high / low < 200 ? [1, 2, 5] : [1];
  for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) factors.forEach(f => f * 10 ** e >= low && f * 10 ** e <= high && out.push(f * 10 ** e));
  return out;
}

function stretch(rect, a, b) {
  rect.setAttribute('x', Math.min(a.x, b.x));
  rect.setAttribute('y', Math.min(a.y, b.y));
  rect.setAttribute('width', Math.abs(a.x - b.x));
  rect.setAttribute('height', Math.abs(a.y - b.y));
}

// --- Brushing --------------------------------------------------------------------
function brush(g, left, top, paths) {
  const [, x, low, high] = g.querySelector('path').getAttribute('d').match(/^M(\S+) (\S+)L\S+ (\S+)$/).map(Number);
  const name = g.querySelector('text').textContent;
  const at = new Map(); // where a trial's thread meets the axis
  for (const p of paths) for (const s of p.subs) {
    for (let k = 0; k < s.points.length; k++) {
      const [px, py] = s.points[k];
      if (Math.abs(px + left - x) < 0.6) at.set(s.trial, py + top);
      if (k && Math.abs((px + s.points[k - 1][0]) / 2 + left - x) < 0.6 && s.points.length === 2 && px - s.points[0][0] < 10.5) at.set(s.trial, py + top);
    }
  }
  const hit = document.createElementNS(NS, 'rect'), range = document.createElementNS(NS, 'rect');
  hit.setAttribute('tabindex', '0');
  hit.setAttribute('role', 'slider');
  hit.setAttribute('aria-label', `range of ${name}`);
  hit.setAttribute('aria-valuetext', 'everything');
  stretch(hit, {x: x - 12, y: low - 8}, {x: x + 12, y: high + 8});
  g.append(range, hit);
  let from = null, window = null;
  const set = (a, b) => {
    window = [Math.max(Math.min(a, b), low), Math.min(Math.max(a, b), high)];
    stretch(range, {x: x - 6, y: window[0]}, {x: x + 6, y: window[1]});
    range.setAttribute('class', 'on');
    const inside = t => at.has(t) && at.get(t) >= window[0] - 0.5 && at.get(t) <= window[1] + 0.5;
    brushes.set(g, [inside, forget]);
    hit.setAttribute('aria-valuetext', `${[...at.keys()].filter(inside).length} trials`);
    apply();
  };
  const forget = () => {
    range.removeAttribute('class');
    hit.setAttribute('aria-valuetext', 'everything');
    window = null;
  };
  const drop = () => { forget(); brushes.delete(g); apply(); };
  const place = e => new DOMPoint(e.clientX, e.clientY).matrixTransform(g.getScreenCTM().inverse()).y;
  hit.addEventListener('pointerdown', e => { from = place(e); hit.setPointerCapture(e.pointerId); e.preventDefault(); });
  hit.addEventListener('pointermove', e => { if (from !== null && Math.abs(place(e) - from) > 3) set(from, place(e)); });
  hit.addEventListener('pointerup', e => { if (from !== null && Math.abs(place(e) - from) <= 3) drop(); from = null; });
  hit.addEventListener('keydown', e => {
    const size = (high - low) / 5, step = {ArrowUp: -size / 2, ArrowDown: size / 2}[e.key];
    if (step) {
      const [a] = window ?? [step < 0 ? high - size - step : low - step];
      const to = Math.min(Math.max(a + step, low), high - size);
      set(to, to + size);
    } else if (e.key === 'Escape') drop();
    else return;
    e.stopPropagation();
    e.preventDefault();
  });
}

// --- One trial everywhere ----------------------------------------------------------
const tip = document.getElementById('tip');
let hot = 0, pinned = 0;
function show(trial, where) {
  if (!trial) trial = pinned;
  if (trial !== hot) {
    rowOf.get(hot)?.classList.remove('hot');
    hot = trial;
    rowOf.get(hot)?.classList.add('hot');
    views.forEach(v => v.mark(hot));
  }
  const row = rowOf.get(hot);
  tip.hidden = !row || !where;
  if (tip.hidden) return;
  const lines = names.map((n, c) => [n, cell(row, c)]).filter(([, v]) => v);
  tip.textContent = lines.slice(0, 12).map(([n, v], k) => k ? `${n}  ${v}` : `trial ${v}`).join('\n') + (lines.length > 12 ? '\n…' : '');
  const box = where.getBoundingClientRect?.(), x = box ? box.left + 20 : where.clientX, y = box ? box.top + 40 : where.clientY;
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 6)) + 'px';
  tip.style.top = Math.max(4, y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 12 : y + 18) + 'px';
}
function pin(trial) {
  pinned = trial === pinned ? 0 : trial;
  show(pinned);
  const row = rowOf.get(pinned), box = row?.closest('.table');
  if (row && !row.hidden) box.scrollTop = row.offsetTop - box.clientHeight / 2;
}
rows.forEach(r => {
  r.addEventListener('pointerenter', () => show(+r.dataset.t));
  r.addEventListener('pointerleave', () => show(0));
  r.addEventListener('click', () => pin(+r.dataset.t));
});

// --- A newer page ----------------------------------------------------------------
const key = 'bohier ' + location.pathname;
function remember() {
  const sorted = heads.findIndex(h => h.hasAttribute('aria-sort'));
  try {
    sessionStorage.setItem(key, JSON.stringify({filter: input?.value ?? '', sorted, up: heads[sorted]?.getAttribute('aria-sort') === 'ascending', y: scrollY}));
  } catch { /* pages from files may have no memory */ }
}
if (root.dataset.refresh) {
  try {
    const was = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    if (input && was.filter) { input.value = was.filter; apply(); }
    if (was.sorted >= 0 && heads[was.sorted]) sort(was.sorted, was.up);
    if (was.y) scrollTo(0, was.y);
  } catch { /* begin anew */ }
  setInterval(() => {
    if (document.hidden || pinned || brushes.size || document.activeElement === input || document.querySelector('.reset')) return;
    remember();
    location.reload();
  }, 1000 * root.dataset.refresh);
}
})();
