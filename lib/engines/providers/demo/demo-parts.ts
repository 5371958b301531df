/** A quoted text or JSON object of a prompt: as written, and without its marks. */
type Quote = { written: string; value: string }

/** The range of characters that stand for quoted texts, as a pattern. */
export const quoteMark = '[\\uE000-\\uF8FF]'
const quoteMarks = new RegExp(quoteMark, 'g')
const firstMark = 0xe000
const mostQuotes = 0xf8ff - firstMark

/**
 * Parts of a prompt, in which one character stands for each quoted text and each JSON object. `writtenOf` returns a part as the prompt
 * has it, `textOf` a text, without its marks if it is one quoted text.
 */
type Parts = {
  parts: string[]
  writtenOf: (text: string) => string
  textOf: (text: string) => string
}

/** Quoted texts. None begins inside another, so that many unclosed ones are not each read to the end. */
const quotations = /(?<!\\)"(?:[^"\\]|\\.)*"|“[^“”]*”|`[^`]*`|[\uE000-\uF8FF]/gs

/** Returns the sentences and lines of a prompt, also split before "then". A proposal is quoted by "the proposal". */
export function splitPrompt(prompt: string, proposal: string | null): Parts {
  const quotes: Quote[] = []
  const mark = (written: string, value: string) =>
    quotes.length < mostQuotes
      ? String.fromCharCode(firstMark + quotes.push({ written, value }) - 1)
      : written
  const quoteAt = (text: string) => quotes[text.charCodeAt(0) - firstMark]
  const writtenOf = (text: string) =>
    text.replace(quoteMarks, (each) => quoteAt(each)?.written ?? each)
  const textOf = (text: string) =>
    (text.length === 1 ? quoteAt(text)?.value : undefined) ?? writtenOf(text)

  const quoted = prompt.replace(quotations, (written) =>
    mark(written, written.length > 1 ? written.slice(1, -1) : written),
  )
  const text = withoutObjects(quoted, (object) => mark(writtenOf(object), writtenOf(object)))
  const said =
    proposal === null ? text : text.replace(/\bthe proposal\b/gi, (it) => mark(it, proposal))
  return { parts: partsOf(said), writtenOf, textOf }
}

/** Returns a text with a replacement for each outermost pair of braces and what it encloses. */
function withoutObjects(text: string, replacement: (object: string) => string): string {
  let depth = 0
  let start = 0
  let from = 0
  let result = ''
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === '{' && depth === 0) start = index
    if (brace === '}' && depth === 0) continue
    depth += brace === '{' ? 1 : -1
    if (depth > 0) continue
    result += text.slice(from, start) + replacement(text.slice(start, index + 1))
    from = index + 1
  }
  return result + text.slice(from)
}

const bullets = /^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+/gm
const ends = /\n|[.;!?]+(?=\s|$)|,?\s(?:and\s+)?(?=then\b)/i
const fillers = /^(?:(?:and|also|now|please|first|next|finally|then)\b[\s,]*|[\s,]+)+/i

function partsOf(text: string): string[] {
  return text
    .replace(bullets, '')
    .split(ends)
    .map((part) => part.replace(fillers, '').replace(/(?<![\s,:])[\s,:]+$/, ''))
    .filter((part) => part !== '')
}
