/** A fenced block of a Markdown text; `line` is that of its first fence, counted from 1. */
export type FencedBlock = { language: string; text: string; line: number }

/** Returns the fenced blocks of `markdown`, in order, each with the newline at its end. */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const found = markdown.matchAll(/^```([^\n]*)\n(.*?)^```[ \t]*$/gms)
  return [...found].map(({ 1: language = '', 2: text = '', index }) => ({
    language: language.trim(),
    text,
    line: markdown.slice(0, index).split('\n').length,
  }))
}
