import { expect, test } from 'vitest'
import { cleanFileName } from '@/lib/words/file-name'
import { fileTypeOf } from './file-type'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))

test('the bytes say what a file is', () => {
  const files = {
    png: bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13]),
    jpeg: bytes([0xff, 0xd8, 0xff, 0xe0, 0]),
    gif: bytes('GIF89a', [1, 0, 1, 0]),
    oldGif: bytes('GIF87a', [1, 0]),
    webp: bytes('RIFF', [4, 0, 0, 0], 'WEBPVP8 '),
    pdf: bytes('%PDF-1.7\n', [0xe2, 0xe3]),
    html: Buffer.from('<script>alert(1)</script>'),
    text: Buffer.from('Größe: 3 m²\r\n\t– ende'),
    latin: bytes('Name;Gr\xf6\xdfe\r\n'),
    excel: Buffer.from('\ufeffName\tGröße\r\n', 'utf16le'),
  }
  expect(Object.values(files).map((content) => fileTypeOf(content))).toEqual([
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/gif',
    'image/webp',
    'application/pdf',
    'text/plain',
    'text/plain',
    'text/plain',
    'text/plain',
  ])
})

test('a file of any other type is refused', () => {
  const others = [
    bytes(''),
    bytes('PK\x03\x04', [0, 0]),
    bytes('RIFF', [4, 0, 0, 0], 'WAVEfmt '),
    bytes('\x89PNG', [0]),
    bytes('text with \0 in it'),
    bytes([0x47, 0xf6, 0xdf, 0x65, 0x01]),
    bytes([0xed, 0xa0, 0x80, 0x1b]),
    bytes([0x7f, 0x45, 0x4c, 0x46]),
  ]
  for (const content of others) expect(fileTypeOf(content)).toBeNull()
})

test('a name has no folder, nothing unseen and an end', () => {
  expect(cleanFileName('../../etc/pass wd.txt')).toBe('pass wd.txt')
  expect(cleanFileName('C:\\Users\\me\\scan.pdf')).toBe('scan.pdf')
  expect(cleanFileName('cv\u202efdp.exe\u0000\n.png')).toBe('cvfdp.exe.png')
  expect(cleanFileName('...')).toBe('file')
  expect(cleanFileName('\ud800a.txt')).toBe('\ufffda.txt')
  const long = cleanFileName(`${'ä'.repeat(500)}.jpeg`)
  expect(long).toHaveLength(120)
  expect(long.endsWith('ä.jpeg')).toBe(true)
})
