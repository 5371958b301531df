import { getDocumentProxy } from 'unpdf'

const mostPages = 2_000
const mostCharacters = 5_000_000

/** Returns the text of a PDF, its pages one after the other. Throws for what is no PDF, or is encrypted. */
export async function pdfText(content: Uint8Array): Promise<{ title: string; text: string }> {
  const document = await getDocumentProxy(content, {
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
  })
  const pages: string[] = []
  let characters = 0
  const count = Math.min(document.numPages, mostPages)
  for (let number = 1; number <= count && characters < mostCharacters; number++) {
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
  return { title: titleOf(info), text: pages.join('\n\n') }
}

function titleOf(info: object): string {
  const title: unknown = 'Title' in info ? info.Title : ''
  return typeof title === 'string' ? title.replace(/\s+/g, ' ').trim().slice(0, 300) : ''
}
