/** Matches comments that begin like a question. A reader has to guess the noun they leave out. */
export const beginsLikeQuestion =
  /^(What|Who|Whoever|Whose|How|Whether|So many|So much|That|Where|Nobody|Nothing)\b/

/** Lists the comments of a source as plain text: each block, and each group of lines that begin with `//`. */
export function listComments(source: string): string[] {
  const blocks = [...source.matchAll(/\/\*+((?:(?!\*\/)[\s\S])*)\*\//g)].map(([, text = '']) =>
    text.replace(/\s+\*? ?/g, ' ').trim(),
  )
  const lines = [...source.matchAll(/^ *\/\/.*(?:\n *\/\/.*)*/gm)].map(([text]) =>
    text.replace(/^ *\/\/ ?/gm, '').replaceAll('\n', ' '),
  )
  return [...blocks, ...lines]
}
