/** More pixels than any camera and any model: a few kilobytes could otherwise unpack to gigabytes. */
export const mostPixels = 100_000_000

/** `unclear` = its head does not say, so that nobody can tell before it is unpacked. */
export type ImageSize = { width: number; height: number } | 'unclear'

/** Returns whether a picture may be unpacked: its head says how large it is, and that is not too large. */
export function isModest(size: ImageSize): boolean {
  return size !== 'unclear' && size.width * size.height <= mostPixels
}

/** Returns the width and height that the head of a PNG, JPEG, GIF or WebP image says, without unpacking anything. */
export function imageSizeOf(content: Uint8Array): ImageSize {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  const head = String.fromCharCode(...content.subarray(0, 16))
  try {
    if (head.startsWith('\x89PNG')) return sizeOfPng(view, head)
    if (head.startsWith('GIF8')) return sizeOfGif(view)
    if (head.startsWith('RIFF')) return sizeOfWebp(view, head.slice(12, 16))
    return head.startsWith('\xff\xd8') ? sizeOfJpeg(view) : 'unclear'
  } catch (error) {
    // It ends before it says.
    if (error instanceof RangeError) return 'unclear'
    throw error
  }
}

function sizeOfPng(view: DataView, head: string): ImageSize {
  if (head.slice(12, 16) !== 'IHDR') return 'unclear'
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Returns the larger of the canvas and its pictures, which some readers unpack beyond the canvas. */
function sizeOfGif(view: DataView): ImageSize {
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  const tableOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const afterBlocks = (from: number) => {
    let at = from
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length
    return at + 1
  }
  let at = 13 + tableOf(view.getUint8(10))
  while (at < view.byteLength) {
    const kind = view.getUint8(at)
    if (kind === 0x21) at = afterBlocks(at + 2)
    else if (kind === 0x2c && at + 10 <= view.byteLength) {
      size.width = Math.max(size.width, view.getUint16(at + 5, true))
      size.height = Math.max(size.height, view.getUint16(at + 7, true))
      // A cut picture lacks the blocks after this point.
      try {
        at = afterBlocks(at + 11 + tableOf(view.getUint8(at + 9)))
      } catch {
        return size
      }
    } else return size
  }
  return size
}

function sizeOfWebp(view: DataView, kind: string): ImageSize {
  switch (kind) {
    case 'VP8X':
      return { width: 1 + threeBytes(view, 24), height: 1 + threeBytes(view, 27) }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      }
    default:
      return 'unclear'
  }
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65_536
}

/** Goes from marker to marker up to the frame, which says the size. */
function sizeOfJpeg(view: DataView): ImageSize {
  let at = 2
  for (;;) {
    if (view.getUint8(at) !== 0xff) return 'unclear'
    const marker = view.getUint8(at + 1)
    // Any marker may have further 0xff before it.
    if (marker === 0xff) at += 1
    else if (isFrame(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    // Pictures begin at 0xda; the frame comes before.
    else if (marker === 0xda || marker === 0xd9) return 'unclear'
    else at += 2 + (isAlone(marker) ? 0 : view.getUint16(at + 2))
  }
}

/** Returns whether a marker begins a frame, which has the size; 0xc4, 0xc8 and 0xcc are tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
