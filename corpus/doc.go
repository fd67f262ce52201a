// Package corpus turns what a person keeps (a folder of Markdown, text and HTML, JSON lines, a BEIR
// folder, the chunks of a live index) into documents and chunks, and answers questions about them: which
// chunks overlap this span, where does this text come from, which chunks say the same, which to sample.
//
// It is opinionated about four things. Every chunk is a half-open byte span of a canonical text, and
// text[start:end] is the chunk, always: a label can then point at text instead of at a chunker's output.
// Canonical text is the file as it is, without rewriting of line endings, so that offsets agree with
// every other program that reads the file. A broken file is named and skipped with its reason; it never
// ends a run and never goes unmentioned. And everything streams in a stable order, so that a corpus
// larger than memory can be chunked and sampled, with the same result on every machine.
//
// What the canonical text of a document is:
//
//   - Markdown and text: the bytes of the file. A byte order mark at the start is left out, and offsets
//     count after it. Front matter stays in the text, but no chunk covers it.
//   - HTML: the visible text, see [HTMLText].
//   - JSON lines, BEIR: the text field. The title is not part of it; [IndexText] says how it is indexed.
//   - A live index: the text of each chunk, as its own document.
package corpus
