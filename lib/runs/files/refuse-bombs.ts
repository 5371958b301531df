import { ValidationError } from '@/lib/kernel/errors'
import { imageSizeOf, isModest, mostPixels } from '@/lib/protocol/files/image-size'
import type { FileType } from '@/lib/protocol/tool'
import { formatCount } from '@/lib/words/format'

/** More pages than any model reads, and more objects than so many pages have. */
const mostPages = 5_000
const mostObjects = 1_000_000

/** Place of the page count in a PDF: in the first bytes of a linearised one, else at the end. */
const headBytes = 2_048

/**
 * Refuses a file whose head says that it unpacks to more than a reader can bear, before anything unpacks it. Throws
 * ValidationError for `file`, with the figures.
 */
export function refuseBombs(type: FileType, content: Uint8Array): void {
  if (type === 'text/plain') return
  if (type === 'application/pdf') refusePdf(content)
  else refuseImage(content)
}

function refuseImage(content: Uint8Array): void {
  const size = imageSizeOf(content)
  if (isModest(size)) return
  if (size === 'unclear') {
    throw refused('The image is damaged: it does not say how many pixels it has. Save it again.')
  }
  const { width, height } = size
  throw refused(
    `The image has ${formatCount(width)} × ${formatCount(height)} pixels. At most ${formatCount(mostPixels / 1_000_000)} million pixels are allowed: make it smaller.`,
  )
}

function refusePdf(content: Uint8Array): void {
  const head = Buffer.from(content.subarray(0, headBytes)).toString('latin1')
  const tail = Buffer.from(content.subarray(-headBytes)).toString('latin1')
  const pages = /\/Linearized\b/.test(head) ? largest(head, /\/N\s+(\d{1,15})/g) : 0
  refusePages(pages)
  const objects = largest(head + tail, /\/Size\s+(\d{1,15})/g)
  if (objects <= mostObjects) return
  throw refused(
    `The PDF has ${formatCount(objects)} objects. At most ${formatCount(mostObjects)} are allowed: split it.`,
  )
}

/** Refuses a PDF with too many pages, as its head says or as they were counted. */
export function refusePages(pages: number): void {
  if (pages <= mostPages) return
  throw refused(
    `The PDF has ${formatCount(pages)} pages. At most ${formatCount(mostPages)} are allowed: split it.`,
  )
}

function largest(text: string, pattern: RegExp): number {
  return Math.max(0, ...[...text.matchAll(pattern)].map(([, digits]) => Number(digits)))
}

const refused = (why: string) => new ValidationError({ file: why })
