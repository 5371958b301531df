import { decodeAsText } from '@/lib/protocol/files/decode-text'
import { fileTypeOf } from '@/lib/protocol/files/file-type'
import { type ImageSize, imageSizeOf, isModest } from '@/lib/protocol/files/image-size'

/** First bytes of a file: their offset, the bytes, and the media type they stand for. */
const starts: readonly (readonly [at: number, start: string, mediaType: string])[] = [
  [0, 'PK\x03\x04', 'application/zip'],
  [0, '\x1f\x8b', 'application/gzip'],
  [0, '7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'ID3', 'audio/mpeg'],
  [0, 'fLaC', 'audio/flac'],
  [8, 'WAVE', 'audio/wav'],
  [8, 'AVI ', 'video/x-msvideo'],
  [4, 'ftyp', 'video/mp4'],
  [0, '\x1a\x45\xdf\xa3', 'video/webm'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, 'BM', 'image/bmp'],
  [0, '\0\0\x01\0', 'image/x-icon'],
  [0, 'wOF2', 'font/woff2'],
  [0, 'wOFF', 'font/woff'],
]

/** Number of bytes that are read to find the media type. */
const headBytes = 64 * 1024
/** The frame of a JPEG, which says its size, may follow long notes. */
const imageHeadBytes = 4 * 1024 * 1024

/** Returns the media type of a file by the first of its bytes, whatever its name says. */
export function mediaTypeOf(content: Uint8Array): string {
  const head = content.subarray(0, headBytes)
  const text = String.fromCharCode(...content.subarray(0, 16))
  const known = starts.find(([at, start]) => text.startsWith(start, at))
  const isCut = content.length > headBytes
  const type = fileTypeOf(head, { isCut })
  if (type === null) return known?.[2] ?? 'application/octet-stream'
  return type === 'text/plain' ? textTypeOf(decodeAsText(head, { isCut }).text) : type
}

/** Returns what a text is to whoever opens it: a browser runs what is in HTML and SVG. */
function textTypeOf(text: string): string {
  const first = text.slice(afterPreamble(text)).slice(0, 40)
  if (/^\s*<svg[\s/>]/i.test(first)) return 'image/svg+xml'
  if (/^\s*<(?:!doctype\s+html|html|head|body|script|iframe)[\s/>]/i.test(first)) return 'text/html'
  return /^\s*<\?xml\s/i.test(text) ? 'application/xml' : 'text/plain'
}

/** Returns where a document begins: after declarations, comments and the type of an SVG. */
function afterPreamble(text: string): number {
  const part = /\s*(?:<\?[^>]*>|<!--[\s\S]*?-->|<!doctype\s+svg[^>]*>)/iy
  let at = 0
  while (part.test(text)) at = part.lastIndex
  return at
}

const rasterTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** Returns the width and height that the head of an image says, without unpacking it; null = it says none, or is no image. */
export function pixelsOf(
  mediaType: string,
  content: Uint8Array,
): { width: number; height: number } | null {
  if (!rasterTypes.includes(mediaType)) return null
  const size: ImageSize = imageSizeOf(content.subarray(0, imageHeadBytes))
  return size === 'unclear' ? null : size
}

/** Returns whether a browser may show a file: an image of pixels whose head says that it unpacks to few enough. */
export function isShownInline({
  mediaType,
  width,
  height,
}: {
  mediaType: string
  width: number | null
  height: number | null
}): boolean {
  if (!rasterTypes.includes(mediaType) || width === null || height === null) return false
  return isModest({ width, height })
}
