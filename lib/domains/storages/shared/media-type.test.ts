import { describe, expect, it, test } from 'vitest'
import { isShownInline, mediaTypeOf, pixelsOf } from './media-type'

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

/** Returns the head of a PNG that says that it has so many pixels. */
function png(width: number, height: number): Uint8Array {
  const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0', 'latin1')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return new Uint8Array(head)
}

describe('the media type of a file', () => {
  it.each([
    [png(1, 1), 'image/png'],
    [bytes('GIF89a\x01\0\x01\0\0\0\0'), 'image/gif'],
    [bytes('%PDF-1.7\n'), 'application/pdf'],
    [bytes('PK\x03\x04\x14\0'), 'application/zip'],
    [bytes('\0\0\0\x18ftypmp42'), 'video/mp4'],
    [bytes('RIFF\x10\0\0\0WAVEfmt '), 'audio/wav'],
    [bytes('MZ\x90\0\x03'), 'application/octet-stream'],
    [bytes(''), 'application/octet-stream'],
    [bytes('Just words.'), 'text/plain'],
    [bytes('Name;Gr\xf6\xdfe\r\n'), 'text/plain'],
    [bytes('\xff\xfe<\0s\0v\0g\0/\0>\0'), 'image/svg+xml'],
    [bytes('Words about <svg> and <html>.'), 'text/plain'],
    [bytes('<?xml version="1.0"?><note/>'), 'application/xml'],
  ])('follows from its bytes (%#)', (content, type) => {
    expect(mediaTypeOf(content)).toBe(type)
  })

  it.each([
    '<!DOCTYPE html><title>x</title>',
    '\n<html><body onload="alert(1)">',
    '<!-- a --><script>alert(1)</script>',
  ])('is HTML for what a browser would run, whatever its name: %j', (text) => {
    expect(mediaTypeOf(bytes(text))).toBe('text/html')
  })

  it.each([
    '<svg onload="alert(1)"/>',
    '<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg>\n<svg xmlns="http://www.w3.org/2000/svg">',
  ])('is SVG, which is no image of pixels: %j', (text) => {
    expect(mediaTypeOf(bytes(text))).toBe('image/svg+xml')
    const size = { width: 10, height: 10 }
    expect(isShownInline({ mediaType: 'image/svg+xml', ...size })).toBe(false)
  })

  it('reads a long text that is cut in the middle of a character as text', () => {
    for (const more of [0, 1, 2, 3]) {
      const text = `${'x'.repeat(64 * 1024 - more)}${'\u20ac'.repeat(9)}`
      expect(mediaTypeOf(new TextEncoder().encode(text))).toBe('text/plain')
    }
  })
})

test('pixels come from the head, and an image that unpacks to too many is not shown', () => {
  const small = { mediaType: 'image/png', width: 640, height: 480 }
  expect(pixelsOf('image/png', png(640, 480))).toEqual({ width: 640, height: 480 })
  expect(isShownInline(small)).toBe(true)
  const bomb = pixelsOf('image/png', png(60_000, 60_000))
  expect(bomb).toEqual({ width: 60_000, height: 60_000 })
  expect(isShownInline({ mediaType: 'image/png', width: 60_000, height: 60_000 })).toBe(false)
  expect(pixelsOf('image/png', bytes('\x89PNG\r\n\x1a\n'))).toBeNull()
  expect(isShownInline({ mediaType: 'image/png', width: null, height: null })).toBe(false)
  expect(pixelsOf('application/pdf', bytes('%PDF-1.7'))).toBeNull()
})
