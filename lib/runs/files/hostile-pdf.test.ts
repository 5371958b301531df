import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makePdf, pagesOf } from '@/tests/support/make-pdf'
import { measurePdf } from './measure-pdf'

/** Returns a file of a few kilobytes with a table of its objects. */
function withTable(dict: string, data: string): Buffer {
  const packed = deflateSync(Buffer.from(data))
  return makePdf([
    ...pagesOf(['words']),
    [9, { dict: `/W [0 0 0] ${dict} /Filter /FlateDecode`, data: packed }],
  ])
}

test.each([
  ['rows without bytes', withTable('/Index [0 1000000000000]', 'a')],
  ['rows of one byte', withTable('/DecodeParms << /Predictor 12 /Columns 1 >>', '\0'.repeat(16e6))],
])(
  '%s do not stop the process',
  async (_, file) => {
    expect(await measurePdf(file)).toBeNull()
  },
  60_000,
)

test.each([
  '(',
  '<',
  '[',
  '<<',
  '<</A',
  '%',
  '1 0 obj ',
  '1 ',
  '/',
  '1 0 obj[]endobj\n',
  'xref 0 1 ',
  '\\(',
])(
  'twenty megabytes of %s do not stop the process',
  async (piece) => {
    const head = Buffer.from('%PDF-1.7\n1 0 obj\n')
    const file = Buffer.concat([head, Buffer.alloc(20 * 1024 * 1024 - head.length, piece)])
    expect(await measurePdf(file)).toBeNull()
  },
  30_000,
)
