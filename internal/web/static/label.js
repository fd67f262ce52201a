// The labelling page: shows one passage at a time and sends what the rater says of it. The next passage is shown only once the
// server has stored the answer. Text from documents and queries reaches the page as text nodes, never as markup.
'use strict'

const $ = id => document.getElementById(id)
const bytes = new TextEncoder()
let who = ''
let state = null // what the server sent last
let busy = false
let marked = null // {from, to} in UTF-16 units of the passage, or null
let lit = false
let answers = 0

async function ask(path, extra) {
  const reply = await fetch('api/' + path, {
    method: 'POST', credentials: 'same-origin', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({who, ...extra}),
  })
  const kind = reply.headers.get('Content-Type') || ''
  if (!kind.startsWith('application/json')) throw new Error((await reply.text()).trim())
  const body = await reply.json()
  if (!reply.ok) throw new Error(body.hint ? body.error + ' (' + body.hint + ')' : body.error)
  return body
}

// send asks for a new state and shows it. While it is under way nothing else is sent; when it fails, what is on the page stays.
async function send(path, extra, said) {
  if (busy) return
  busy = true
  document.body.classList.add('busy')
  try {
    const next = await ask(path, extra)
    talked()
    show(next)
    if (next.moved) say('That was answered in another window, or by somebody else. Here is what comes next.')
    else if (path === 'undo') say(next.undone ? 'Taken back.' : 'There is nothing to take back.')
    else say(said ? said + ' ' + left(next) : '')
  } catch (err) {
    say(path === 'next' ? err.message : 'Not stored: ' + err.message + ' Press the key again to retry.', true)
    if (!state) $('enter').hidden = false
  } finally {
    busy = false
    document.body.classList.remove('busy')
  }
}

function say(text, bad) {
  $('status').textContent = text
  $('status').classList.toggle('bad', !!bad)
  clearTimeout(say.timer)
  if (text && !bad) say.timer = setTimeout(() => { $('status').textContent = '' }, 2500)
}

function show(next) {
  state = next
  marked = null
  const task = next.task, p = next.progress
  $('enter').hidden = true
  $('late').hidden = next.adjudicate // it is settled once
  $('project').textContent = next.project
  $('rater').textContent = who
  $('count').textContent = (next.adjudicate ? '' : p.yours + ' judged by you, ') + left(next)
  $('bar').max = Math.max(1, p.items)
  $('bar').value = next.adjudicate ? p.items - p.left : p.done
  $('bar').setAttribute('aria-valuetext', $('bar').value + ' of ' + p.items + ' passages done by everybody')
  $('work').hidden = !task
  $('keys').hidden = !task && p.yours === 0
  for (const b of document.querySelectorAll('[data-grade], [data-event], #note-open, #mark-next, #light')) b.disabled = !task
  $('done').hidden = !!task
  $('note').value = ''
  $('note-row').hidden = true
  waiting(!task && p.elsewhere > 0)
  if (!task) {
    nothing(next)
    return
  }
  $('query').textContent = task.query
  $('source').textContent = [task.title, task.document].filter((s, i, all) => s && all.indexOf(s) === i).join(' · ')
  $('cut').hidden = !task.cut
  $('cut').textContent = task.cut ? task.cut + ' more bytes of this passage are not shown. A passage this long is hard to judge: consider "broken text".' : ''
  opinions(task.opinions || [])
  paint()
  window.scrollTo(0, 0)
  $('query').focus({preventScroll: true})
}

// left says how much remains, also to those who hear the page.
function left(next) {
  return next.progress.left + (next.adjudicate ? ' to settle' : ' left')
}

// nothing says why there is nothing to judge: all is done, or the rest is in front of others.
function nothing(next) {
  const n = next.progress.elsewhere
  $('done-title').textContent = n ? 'Nothing is left for you right now' : 'Nothing is left for you'
  if (n) $('done-text').textContent = (n === 1 ? 'One passage is' : n + ' passages are') + ' in front of others. If they leave, you will see it here: the page looks again by itself.'
  else if (next.adjudicate) $('done-text').textContent = 'Nothing that people disagree on is left to settle. You can close this page.'
  else $('done-text').textContent = 'Everything in the pool was judged by as many people as it should be. You can close this page.'
  $('done-title').focus()
  agreement()
}

function opinions(all) {
  const list = $('opinions')
  list.replaceChildren()
  list.hidden = all.length === 0
  for (const o of all) {
    const item = document.createElement('li')
    const said = o.event === 'grade' ? 'grade ' + o.grade : o.event.replace('_', ' ')
    item.textContent = o.who + ': ' + said + (o.evidence ? ', because of “' + o.evidence + '”' : '') + (o.note ? ' (' + o.note + ')' : '')
    list.append(item)
  }
}

// paint writes the passage as text nodes, with what is marked and, when asked for, the query's words.
function paint() {
  const text = state.task.text, box = $('passage')
  const spans = lit ? words(text) : []
  const cuts = new Set([0, text.length, ...spans.flat()])
  if (marked) { cuts.add(marked.from); cuts.add(marked.to) }
  const at = [...cuts].sort((a, b) => a - b)
  box.replaceChildren()
  for (let i = 0; i + 1 < at.length; i++) {
    const piece = document.createTextNode(text.slice(at[i], at[i + 1]))
    const isMarked = marked && at[i] >= marked.from && at[i + 1] <= marked.to
    const isWord = spans.some(([from, to]) => at[i] >= from && at[i + 1] <= to)
    if (!isMarked && !isWord) { box.append(piece); continue }
    const m = document.createElement('mark')
    if (!isMarked) m.className = 'word'
    m.append(piece)
    box.append(m)
  }
  $('evidence').hidden = !marked
  $('words').textContent = marked ? text.slice(marked.from, marked.to) : ''
}

// words finds the query's longer words in the passage.
function words(text) {
  const wanted = new Set((state.task.query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) || []))
  const found = []
  for (const m of text.matchAll(/[\p{L}\p{N}]{3,}/gu)) if (wanted.has(m[0].toLowerCase())) found.push([m.index, m.index + m[0].length])
  return found
}

// select takes what the mouse, a finger or caret browsing selected in the passage.
function select() {
  const s = getSelection()
  if (!state || !state.task || s.rangeCount === 0 || s.isCollapsed) return
  const r = s.getRangeAt(0), box = $('passage')
  if (!box.contains(r.startContainer) || !box.contains(r.endContainer)) return
  const before = document.createRange()
  before.setStart(box, 0)
  before.setEnd(r.startContainer, r.startOffset)
  const from = before.toString().length
  mark(from, from + r.toString().length)
  s.removeAllRanges()
}

// mark trims blanks and keeps characters whole, in UTF-16 as in bytes.
function mark(from, to) {
  const text = state.task.text
  while (from < to && /\s/.test(text[from])) from++
  while (to > from && /\s/.test(text[to - 1])) to--
  const low = i => i > 0 && i < text.length && /[\uDC00-\uDFFF]/.test(text[i]) && /[\uD800-\uDBFF]/.test(text[i - 1])
  if (low(from)) from--
  if (low(to)) to++
  marked = from < to ? {from, to} : null
  paint()
}

// step marks the next or the previous sentence, so that evidence can be marked without a mouse.
function step(by) {
  const all = sentences(state.task.text)
  if (all.length === 0) return
  let i = by > 0 ? 0 : all.length - 1
  if (marked) i = by > 0 ? all.findIndex(([from]) => from > marked.from) : all.findLastIndex(([from]) => from < marked.from)
  const [from, to] = all.at(i < 0 ? (by > 0 ? 0 : -1) : i)
  mark(from, to)
  const m = $('passage').querySelector('mark:not(.word)')
  if (m) m.scrollIntoView({block: 'nearest'})
  say('Marked: ' + $('words').textContent)
}

function answer(event, grade) {
  if (!state || !state.task) return
  const extra = {item: state.task.item, seq: state.seq, event, note: $('note').value}
  if (event === 'grade') extra.grade = grade
  if (event === 'grade' && grade >= 2 && marked) {
    const text = state.task.text, size = s => bytes.encode(s).length, start = size(text.slice(0, marked.from))
    const quote = text.slice(marked.from, marked.to)
    extra.evidence = {start, end: start + size(quote), quote}
  }
  answers++
  send('answer', extra, event === 'grade' ? 'Grade ' + grade + ' is stored.' : event.replace('_', ' ') + ' is stored.')
  if (answers % 10 === 0) agreement()
}

async function agreement() {
  let all
  try { all = (await ask('agreement')).agreement || [] } catch { return } // it is shown the next time
  $('agree').hidden = all.length === 0
  $('pairs').replaceChildren(...all.map(a => {
    const row = document.createElement('tr')
    const cells = [a.of, a.with, a.items, a.same, a.kappa == null ? 'none: all grades equal' : a.kappa.toFixed(2), a.kappa == null ? '' : a.low.toFixed(2) + ' to ' + a.high.toFixed(2)]
    row.append(...cells.map(c => { const td = document.createElement('td'); td.textContent = c; return td }))
    return row
  }))
}

function note() {
  if (!state.task) return
  $('note-row').hidden = false
  setTimeout(() => $('note').focus(), 0) // after the key that asked for it, which is no part of the note
}

function light() {
  lit = !lit
  $('light').setAttribute('aria-pressed', lit)
  if (state.task) paint()
}

const events = {u: 'unsure', s: 'skip', x: 'bad_query', b: 'broken_text'}

document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || $('help').open || !state) return
  if (e.target === $('note')) {
    if (e.key === 'Escape' || e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); $('passage').focus() }
    return
  }
  if (e.target.matches('input, textarea')) return
  if (e.repeat) return // a key that is held down is one answer
  if ('0123'.includes(e.key) && e.key.length === 1) answer('grade', Number(e.key))
  else if (Object.hasOwn(events, e.key)) answer(events[e.key])
  else if (e.key === 'z') send('undo', {seq: state.seq})
  else if (e.key === 'n') note()
  else if (e.key === 'h') light()
  else if (e.key === 'e' && state.task) step(1)
  else if (e.key === 'E' && state.task) step(-1)
  else if (e.key === 'c' && state.task) { marked = null; paint() }
  else if (e.key === 'g') another()
  else if (e.key === '?') $('help').showModal()
  else return
  e.preventDefault()
})

for (const b of document.querySelectorAll('[data-grade]')) b.addEventListener('click', () => answer('grade', Number(b.dataset.grade)))
for (const b of document.querySelectorAll('[data-event]')) b.addEventListener('click', () => answer(b.dataset.event))
$('undo').addEventListener('click', () => state && send('undo', {seq: state.seq}))
$('note-open').addEventListener('click', note)
$('mark-next').addEventListener('click', () => step(1))
$('light').addEventListener('click', light)
$('unmark').addEventListener('click', () => { marked = null; paint() })
$('help-open').addEventListener('click', () => $('help').showModal())
$('passage').addEventListener('mouseup', () => setTimeout(select, 0))
$('passage').addEventListener('touchend', () => setTimeout(select, 300))
$('enter').addEventListener('submit', async e => {
  e.preventDefault()
  who = $('who').value.trim()
  await send('next', {})
  if (state) sessionStorage.setItem('who', who)
})

// What is scrolled to must not end up behind the keys.
new ResizeObserver(() => { document.documentElement.style.scrollPaddingBottom = $('dock').offsetHeight + 8 + 'px' }).observe($('dock'))

who = sessionStorage.getItem('who') || ''
if (who) send('next', {})
if (!who) { $('enter').hidden = false; $('who').focus() }
