/**
 * Returns the bytes of a text in UTF-8: no tokenizer makes more tokens of it, because each falls back to bytes. Some
 * expand letters first ("ﬁ" to "fi"), so the longer of the two spellings counts.
 */
export function byteBound(text: string): number {
  const bytes = Buffer.byteLength(text)
  if (bytes === text.length) return bytes
  return Math.max(bytes, Buffer.byteLength(text.normalize('NFKC')))
}
