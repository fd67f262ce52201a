// What can be marked with a key: the sentences of a passage. Lines that were wrapped are one sentence, and what only structures
// a Markdown text (headings, rules, fences, the line under a table's head) answers nothing.
'use strict'

const heading = /^ {0,3}#{1,6}([ \t]|$)/
const underline = /^ {0,3}(=+|-+)[ \t]*$/
const rule = /^ {0,3}([-*_])[ \t]*(\1[ \t]*){2,}$/
const fence = /^ {0,3}(`{3,}|~{3,})/
const tableRule = /^[ \t]*\|?[ \t:|-]*-[ \t:|-]*$/
const opening = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?)+/ // of a list item or a quotation
const row = /^[ \t]*\|/

// blocks are the stretches of a text within which a sentence may run on, as [from, to].
function blocks(text) {
  const out = []
  let open = false, code = '', at = 0
  const lines = text.split(/(?<=\n)/)
  for (const [i, line] of lines.entries()) {
    const from = at, bare = line.replace(/[\r\n]+$/, ''), next = (lines[i + 1] || '').replace(/[\r\n]+$/, '')
    at += line.length
    const f = bare.match(fence)
    if (code) {
      if (f && f[1][0] === code[0] && f[1].length >= code.length && bare.trim() === f[1]) code = ''
      else if (bare.trim()) out.push([from, from + bare.length])
      continue
    }
    if (f) { code = f[1]; open = false; continue }
    const title = !open && bare.trim() && underline.test(next) && !opening.test(bare)
    if (!bare.trim() || heading.test(bare) || rule.test(bare) || underline.test(bare) || tableRule.test(bare) || title) { open = false; continue }
    const lead = bare.match(opening)
    const alone = row.test(bare)
    if (open && !lead && !alone) out.at(-1)[1] = from + bare.length
    else out.push([from + (lead ? lead[0].length : 0), from + bare.length])
    open = !alone
  }
  return out
}

// sentences are those of the blocks, as [from, to] in UTF-16 units; of a passage that is nothing but structure, its lines.
function sentences(text) {
  const out = []
  const cut = new Intl.Segmenter(undefined, {granularity: 'sentence'})
  const found = blocks(text)
  for (const [from, to] of found.length ? found : [...text.matchAll(/[^\r\n]+/g)].map(m => [m.index, m.index + m[0].length])) {
    const flat = text.slice(from, to).replace(/[\r\n]/g, ' ') // as long as it was
    for (const s of cut.segment(flat)) if (s.segment.trim()) out.push([from + s.index, from + s.index + s.segment.length])
  }
  return out
}
