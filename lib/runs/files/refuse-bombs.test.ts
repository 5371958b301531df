import { describe, expect, test } from 'vitest'
import { ValidationError } from '@/lib/kernel/errors'
import { fileTypeOf } from '@/lib/protocol/files/file-type'
import { imageSizeOf } from '@/lib/protocol/files/image-size'
import { makePdf, pagesOf } from '@/tests/support/make-pdf'
import { refuseBombs } from './refuse-bombs'

const u16 = (value: number) => [value >> 8, value & 255]
const u16le = (value: number) => [value & 255, value >> 8]
const u24le = (value: number) => [...u16le(value & 0xffff), value >> 16]
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)]
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))

type Make = (width: number, height: number) => Buffer

const images: Record<string, Make> = {
  PNG: (w, h) => bytes('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(w), u32(h), [8, 6, 0, 0, 0]),
  GIF: (w, h) => bytes('GIF89a', u16le(w), u16le(h), [0, 0, 0]),
  'GIF with a picture beyond its canvas': (w, h) =>
    bytes(
      'GIF89a',
      u16le(1),
      u16le(1),
      [0x80, 0, 0],
      [0, 0, 0, 1, 1, 1],
      [0x21, 0xf9, 4, 0, 0, 0, 0, 0],
      [0x2c],
      u16le(0),
      u16le(0),
      u16le(w),
      u16le(h),
      [0],
    ),
  'WebP (VP8X)': (w, h) =>
    bytes('RIFF', u32(30), 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0], u24le(w - 1), u24le(h - 1)),
  JPEG: (w, h) =>
    bytes(
      [0xff, 0xd8, 0xff, 0xe0],
      u16(4),
      [1, 2],
      [0xff, 0xff, 0xc4],
      u16(3),
      [0],
      [0xff, 0xc2],
      u16(11),
      [8],
      u16(h),
      u16(w),
    ),
}
const small: Record<string, Make> = {
  'WebP (VP8L)': (w, h) => {
    const bits = (w - 1) | ((h - 1) << 14)
    return bytes(
      'RIFF',
      u32(30),
      'WEBPVP8L',
      u32(9),
      [0x2f],
      [bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, bits >>> 24],
    )
  },
  'WebP (VP8)': (w, h) =>
    bytes('RIFF', u32(30), 'WEBPVP8 ', u32(20), [0, 0, 0, 0x9d, 1, 0x2a], u16le(w), u16le(h)),
}

function refusalOf(content: Buffer): string | undefined {
  const type = fileTypeOf(content)
  if (type === null) throw new Error('It is no file that is taken.')
  try {
    refuseBombs(type, content)
  } catch (error) {
    if (error instanceof ValidationError) return error.fields.file
    throw error
  }
  return undefined
}

describe('an image', () => {
  test.each(Object.entries({ ...images, ...small }))('%s says its size in its head', (_, make) => {
    expect(imageSizeOf(make(640, 480))).toEqual({ width: 640, height: 480 })
    expect(refusalOf(make(10_000, 10_000))).toBeUndefined()
  })

  test.each(Object.entries(images))(
    '%s with more than 100 million pixels is refused',
    (_, make) => {
      expect(refusalOf(make(50_000, 50_000))).toBe(
        'The image has 50\u202f000 × 50\u202f000 pixels. At most 100 million pixels are allowed: make it smaller.',
      )
    },
  )

  test.each([
    bytes('\x89PNG\r\n\x1a\n', u32(13), 'CgBI', u32(9), u32(9)),
    bytes('\x89PNG\r\n\x1a\n'),
    bytes('RIFF', u32(30), 'WEBPWHAT', u32(9), u32(9), u32(9)),
    bytes([0xff, 0xd8, 0xff, 0xda], u16(8)),
    bytes([0xff, 0xd8, 0xff, 0xe0], u16(0xfff0)),
    bytes([0xff, 0xd8, 0xff, 0xe0], u16(2), [0]),
  ])('that does not say its size is refused', (content) => {
    expect(refusalOf(content)).toContain('does not say how many pixels it has')
  })
})

describe('a PDF', () => {
  const pages = pagesOf(['words'])

  test('of usual size is taken', () => {
    expect(refusalOf(makePdf(pages))).toBeUndefined()
    expect(refusalOf(makePdf([[9, '<< /Linearized 1 /N 5000 >>'], ...pages]))).toBeUndefined()
  })

  test('that says it has too many pages or objects is refused', () => {
    expect(refusalOf(makePdf([[9, '<< /Linearized 1 /L 9 /N 2000000 >>'], ...pages]))).toBe(
      'The PDF has 2\u202f000\u202f000 pages. At most 5\u202f000 are allowed: split it.',
    )
    expect(refusalOf(makePdf(pages, 'trailer\n<< /Root 1 0 R /Size 90000000 >>\n'))).toBe(
      'The PDF has 90\u202f000\u202f000 objects. At most 1\u202f000\u202f000 are allowed: split it.',
    )
  })
})
