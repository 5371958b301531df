import { getDocumentProxy } from 'unpdf'
import type { LeftOut } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import type { Whole } from './answer-question'

const mostPages = 2_000
const mostCharacters = 5_000_000

/** A PDF with fewer characters a page on average may be one of images. */
const littleText = 200

/** Returns the text of a PDF, its pages one after the other. Throws for what is no PDF, or is encrypted. */
export async function pdfText(content: Uint8Array): Promise<Whole> {
  // Reading takes the bytes away.
  const hasImages = imageName.test(Buffer.from(content).toString('latin1'))
  const document = await getDocumentProxy(content, {
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
  })
  const pages: string[] = []
  let characters = 0
  const count = document.numPages
  const read = Math.min(count, mostPages)
  for (let number = 1; number <= read && characters < mostCharacters; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const text = items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
    page.cleanup()
    characters += text.length
    pages.push(text.trim())
  }
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  return {
    title: titleOf(info),
    text: pages.join('\n\n').trim(),
    links: null,
    hiddenFrom: null,
    leftOut: leftOutOf(pages, count, hasImages),
  }
}

/** An image is a stream, and what describes a stream stands in plain bytes. */
const imageName = /\/Subtype\s*\/Image\b/

function leftOutOf(pages: readonly string[], count: number, hasImages: boolean): LeftOut[] {
  const written = pages.filter((text) => text !== '')
  const empty = pages.length - written.length
  const isLittle = hasImages && written.join('').length < littleText * written.length
  const of = (some: number) => `${some} of ${countOf(count, 'page')}`
  const images = hasImages ? 'text in images is not read' : 'they may be blank or drawings'
  return [
    ...(count > pages.length ? [{ what: of(count - pages.length), why: tooLong }] : []),
    ...(empty > 0 ? [{ what: of(empty), why: `they have no text; ${images}` }] : []),
    ...(isLittle
      ? [{ what: 'images', why: `${images}, and the pages have little other text` }]
      : []),
  ]
}

const tooLong = 'at most 2,000 pages and 5,000,000 characters are read'

function titleOf(info: object): string {
  const title: unknown = 'Title' in info ? info.Title : ''
  return typeof title === 'string' ? title.replace(/\s+/g, ' ').trim().slice(0, 300) : ''
}
