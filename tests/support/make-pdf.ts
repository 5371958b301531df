import { deflateSync } from 'node:zlib'

/** The body of an object: text, or a stream with what its dictionary has beside its length. */
export type PdfBody = string | { dict?: string; data: string | Buffer; length?: number | string }

/** Returns a PDF of these objects, by their numbers. It has no table of them, which readers do not need. */
export function makePdf(
  objects: readonly (readonly [number, PdfBody])[],
  end = 'trailer\n<< /Root 1 0 R >>\n',
): Buffer {
  const parts = objects.map(([number, body]) =>
    Buffer.concat([Buffer.from(`${number} 0 obj\n`), bodyOf(body), Buffer.from('\nendobj\n')]),
  )
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
    ...parts,
    Buffer.from(end),
  ])
}

function bodyOf(body: PdfBody): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'latin1')
  const data = Buffer.from(body.data as string, 'latin1')
  const { dict = '', length = data.length } = body
  const head = `<< /Length ${length} ${dict} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')])
}

export function packed(data: string): PdfBody {
  return { dict: '/Filter /FlateDecode', data: deflateSync(Buffer.from(data, 'latin1')) }
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

/**
 * Pages that each show one text, as objects: 1 and 2 are the catalogue and the tree, 3 the font, then a page and its
 * text.
 */
export function pagesOf(texts: readonly string[]): (readonly [number, PdfBody])[] {
  const kids = texts.map((_, index) => `${4 + 2 * index} 0 R`)
  return [
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`],
    [3, font],
    ...texts.flatMap((text, index): (readonly [number, PdfBody])[] => {
      const content = `${5 + 2 * index} 0 R`
      const resources = '/Resources << /Font << /F1 3 0 R >> >>'
      return [
        [4 + 2 * index, `<< /Type /Page /Parent 2 0 R ${resources} /Contents ${content} >>`],
        [5 + 2 * index, packed(`BT /F1 12 Tf (${text}) Tj ET`)],
      ]
    }),
  ]
}
