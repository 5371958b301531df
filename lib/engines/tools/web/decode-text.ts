/** Returns content as text, in this encoding or else in the one that its first bytes name. */
export function decoded(content: Uint8Array, charset: string | null): string {
  return decoderFor(charset ?? markOf(content)).decode(content)
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('utf-8')
  }
}

/** Returns the encoding that the first bytes name. */
function markOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

const metaBytes = 2_048

/** Returns a page as text, in this encoding, or else in the one that it names itself. */
export function decodedPage(content: Uint8Array, charset: string | null): string {
  return decoded(content, charset ?? metaCharset(content))
}

function metaCharset(content: Uint8Array): string | null {
  const start = Buffer.from(content.subarray(0, metaBytes)).toString('latin1')
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start)?.[1] ?? null
}
