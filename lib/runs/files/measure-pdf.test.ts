import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makePdf, type PdfBody, packed, pagesOf } from '@/tests/support/make-pdf'
import { measurePdf } from './measure-pdf'

type Objects = (readonly [number, PdfBody])[]

const words = 'Words. '.repeat(40)

/** Returns the two objects of one more page. */
const page = (number: number, more = ''): Objects => [
  [number, `<< /Type /Page /Contents ${number + 1} 0 R ${more} >>`],
  [number + 1, packed('BT (x) Tj ET')],
]
const withKids = (kids: string, objects: Objects): Buffer =>
  makePdf([
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Kids [${kids}] >>`],
    ...objects,
  ])

/** Objects in a stream of objects, with the table that says where each is. */
function inPack(objects: readonly (readonly [number, string])[], listed = objects): Buffer {
  const bodies = objects.map(([, body]) => `${body} `)
  const at = bodies.map((_, index) => bodies.slice(0, index).join('').length)
  const head = `${objects.map(([number], index) => `${number} ${at[index]}`).join(' ')} `
  const data = deflateSync(Buffer.from(head + bodies.join('')))
  const dict = `/Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode`
  const rows = listed.map((_, index) => [2, 0, 50, index])
  const index = listed.map(([number]) => `${number} 1`).join(' ')
  const table = `/Type /XRef /Size 60 /W [1 2 1] /Index [${index}] /Root 1 0 R`
  return makePdf(
    [
      [50, { dict, data }],
      [51, { dict: table, data: Buffer.from(rows.flat()) }],
    ],
    '',
  )
}

describe('what people attach', () => {
  test('is measured: its pages and at least every character on them', async () => {
    const size = await measurePdf(makePdf(pagesOf([words, words, words])))
    expect(size?.pages).toBe(3)
    expect(size?.textTokens).toBeGreaterThanOrEqual(3 * words.length)
    expect(size?.textTokens).toBeLessThan(3 * words.length + 10)
  })

  test('also where pages are packed into a stream of objects', async () => {
    const size = await measurePdf(
      inPack([
        [1, '<< /Type /Catalog /Pages 2 0 R >>'],
        [2, '<< /Type /Pages /Kids [4 0 R 5 0 R] >>'],
        [4, '<< /Type /Page /Annots [<< /Subtype /Text /Contents (A note.) >>] >>'],
        [5, '<< /Type /Page >>'],
      ]),
    )
    expect(size).toEqual({ pages: 2, textTokens: 14 })
  })

  test('also after it was changed, with the pages that were added or taken out', async () => {
    const later = '<< /Type /Pages /Kids [4 0 R 20 0 R 22 0 R] >>'
    const changed: Objects = [...pagesOf(['a', 'b']), ...page(20), ...page(22), [2, later]]
    expect((await measurePdf(makePdf(changed)))?.pages).toBe(4)
  })

  test('also with contents that are written as text', async () => {
    const data = 'Garg^;:\'MC<%p.,#Y@tAn4:gGa]D"`b0O\'Y<%(?ja=f$j<!^TDE")gJi:@>s~>'
    const measure = (written: string) =>
      measurePdf(
        withKids('4 0 R', [
          [4, '<< /Type /Page /Contents 5 0 R >>'],
          [5, { dict: '/Filter [/ASCII85Decode /FlateDecode]', data: written }],
        ]),
      )
    expect(await measure(data)).toEqual({ pages: 1, textTokens: 'Hello from a report'.length + 1 })
    expect(await measure(data.replace('~>', ''))).toBeNull()
    expect(await measure(data.replace('G', 'vG'))).toBeNull()
  })

  test('also with lengths in objects of their own, images and fonts', async () => {
    const objects: Objects = [
      [1, '<< /Type /Catalog /Pages 2 0 R >>'],
      [2, '<< /Type /Pages /Kids [4 0 R] >>'],
      [4, '<< /Type /Page /Contents 5 0 R /Resources << /XObject << /Im1 7 0 R >> >> >>'],
      [5, { data: 'q /Im1 Do Q', length: '6 0 R' }],
      [6, '11'],
      [7, { dict: '/Subtype /Image /Filter /DCTDecode', data: '\xff\xd8(((' }],
      [8, '<< /Type /FontDescriptor /FontFile2 9 0 R >>'],
      [9, { dict: '/Filter /LZWDecode', data: '((' }],
    ]
    expect(await measurePdf(makePdf(objects))).toEqual({ pages: 1, textTokens: 0 })
  })
})

describe('what would hide pages is not measured', () => {
  const loop: Objects = [[4, '<< /Kids [2 0 R] >>']]
  const shared: Objects = [
    [4, '<< /Kids [6 0 R 7 0 R] >>'],
    [5, '<< /Kids [6 0 R 7 0 R] >>'],
    ...[6, 7].map((number) => [number, '<< /Type /Page >>'] as const),
  ]
  const plain = pagesOf([words])
  const hidden = '9 0 obj << /Kids [4 0 R] >> endobj'
  const files: Record<string, Buffer> = {
    'a page twice': withKids('4 0 R 4 0 R', page(4)),
    'pages in two branches': withKids('4 0 R 5 0 R', shared),
    'a tree that is its own branch': withKids('4 0 R', loop),
    'a page that is not there': withKids('4 0 R 9 0 R', page(4)),
    'pages that are written into the tree': withKids('<< /Type /Page >>', []),
    'a list of pages elsewhere': makePdf([
      [1, '<< /Pages 2 0 R >>'],
      [2, '<< /Kids 3 0 R >>'],
      [3, '[4 0 R]'],
    ]),
    'a tree in the catalogue': makePdf([[1, '<< /Pages << /Kids [4 0 R] >> >>'], ...page(4)]),
    'no tree': makePdf([[1, '<< /Type /Catalog >>'], ...page(4)]),
    'an object in the bytes of a stream': makePdf([...plain, [8, { data: hidden }]]),
    'an object in a comment': makePdf([...plain, [8, `null %${hidden}`]]),
    'an object in a text': makePdf([...plain, [8, `(${hidden})`]]),
    'bytes behind a stream': makePdf([...plain, [8, { data: 'abc', length: 2 }]]),
    'a length that is not true': makePdf([
      ...plain,
      [8, { data: 'abc', length: '9 0 R' }],
      [9, '9'],
    ]),
    'one key twice': makePdf([[1, '<< /Pages 2 0 R /Pages 2 0 R >>'], ...plain.slice(1)]),
    'another name for a packed object': inPack(
      [
        [1, '<< /Pages 2 0 R >>'],
        [2, '<< /Kids [4 0 R] >>'],
        [4, '<< /Type /Page >>'],
      ],
      [
        [1, ''],
        [4, ''],
        [2, ''],
      ],
    ),
    'a filter that is not known': makePdf([
      ...plain,
      [7, { dict: '/N 1 /First 4 /Filter /LZWDecode', data: 'x' }],
    ]),
    encryption: makePdf(plain, 'trailer << /Root 1 0 R /Encrypt 9 0 R >>'),
    'words between objects': makePdf(plain, 'and so on'),
  }
  test.each(Object.entries(files))('%s', async (_, file) => {
    expect(await measurePdf(file)).toBeNull()
  })

  test('names in disguise are the same names', async () => {
    const disguised = withKids('4 0 R 6 0 R', [
      ...page(4),
      [6, '<< /#4bids [8 0 R 10 0 R] >>'],
      ...page(8),
      ...page(10),
    ])
    expect((await measurePdf(disguised))?.pages).toBe(3)
  })
})

describe('text that is shown more often than it is written counts each time', () => {
  const form = (data: string, dict = ''): PdfBody => ({
    dict: `/Subtype /Form /BBox [0 0 1 1] ${dict}`,
    data,
  })
  const xobjects = (list: string) => `/Resources << /XObject << ${list} >> >>`
  const showing = (content: string, objects: Objects, more = ''): Buffer =>
    withKids('4 0 R', [
      [4, `<< /Type /Page /Contents 5 0 R ${more} >>`],
      [5, packed(content)],
      ...objects,
    ])
  const shown = `(${words}) Tj`
  const cases: Record<string, readonly [Buffer, number]> = {
    'a page full of small letters': [showing(`(${'x'.repeat(300_000)}) Tj`, []), 300_000],
    'one content for fifty pages': [
      withKids(Array.from({ length: 50 }, (_, index) => `${10 + index} 0 R`).join(' '), [
        ...Array.from({ length: 50 }, (_, index): Objects[0] => [
          10 + index,
          '<< /Contents 5 0 R >>',
        ]),
        [5, packed(shown)],
      ]),
      50 * words.length,
    ],
    'a drawing that is drawn again and again': [
      showing('/Fm0 Do '.repeat(100), [[6, form(shown)]], xobjects('/Fm0 6 0 R')),
      100 * words.length,
    ],
    'a drawing in a drawing': [
      showing(
        '/Fm0 Do '.repeat(10),
        [
          [6, form('/Fm1 Do '.repeat(10))],
          [7, form(shown)],
        ],
        xobjects('/Fm0 6 0 R /Fm1 7 0 R'),
      ),
      100 * words.length,
    ],
    'a drawing by a name that means data': [
      showing('/Metadata Do '.repeat(9), [[6, form(shown)]], xobjects('/Metadata 6 0 R')),
      9 * words.length,
    ],
    'a code that stands for many letters': [
      showing('(aaaa) Tj', [
        [6, '<< /Type /Font /Subtype /Type1 /ToUnicode 7 0 R >>'],
        [7, packed(`1 beginbfchar <61> <${'0041'.repeat(200)}> endbfchar`)],
      ]),
      800,
    ],
    'a range of codes for signs of three bytes': [
      showing('(aaaa) Tj', [
        [6, '<< /Type /Font /Subtype /Type1 /ToUnicode 7 0 R >>'],
        [7, packed('1 beginbfrange <20> <7e> <4E00> endbfrange')],
      ]),
      12,
    ],
    'a letter with a long name': [
      showing('(aaaa) Tj', [[6, `<< /Differences [97 /uni${'4E2D'.repeat(20)}] >>`]]),
      4 * 60,
    ],
    'a text that ends in the next stream': [
      withKids('4 0 R', [
        [4, '<< /Type /Page /Contents [5 0 R 6 0 R 7 0 R] >>'],
        [5, packed('(')],
        [6, packed(words)],
        [7, packed(') Tj')],
      ]),
      words.length,
    ],
    'words that are read instead of a mark': [
      showing('/Span /A BDC EMC '.repeat(100), [[6, `<< /ActualText (${words}) >>`]]),
      100 * words.length,
    ],
    'a list of contents elsewhere': [
      withKids('4 0 R', [
        [4, '<< /Contents 6 0 R >>'],
        [5, packed(shown)],
        [6, '[5 0 R]'],
      ]),
      words.length,
    ],
  }
  test.each(Object.entries(cases))('%s', async (_, [file, least]) => {
    expect((await measurePdf(file))?.textTokens).toBeGreaterThanOrEqual(least)
  })

  test('and is not measured where that has no end', async () => {
    const loop = showing('/Fm0 Do', [[6, form(`/Fm0 Do ${shown}`)]], xobjects('/Fm0 6 0 R'))
    const indirect = showing('/Fm0 Do', [
      [6, { dict: '/Subtype 7 0 R', data: shown }],
      [7, '/Form'],
    ])
    expect(await measurePdf(loop)).toBeNull()
    expect(await measurePdf(indirect)).toBeNull()
  })
})

test('a damaged file is measured or not, and never a fault', async () => {
  const file = makePdf(pagesOf([words, words]))
  for (let place = 9; place < file.length; place += 3) {
    const damaged = Buffer.from(file)
    damaged[place] = (place * 31) % 256
    const size = await measurePdf(damaged)
    if (size) expect(size.pages).toBeGreaterThan(0)
    await expect(measurePdf(file.subarray(0, place))).resolves.not.toThrow()
  }
})

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
