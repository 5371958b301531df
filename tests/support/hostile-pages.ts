import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, deflateSync, gzipSync } from 'node:zlib'
import { makePdf, pagesOf } from './make-pdf'
import { inPieces, type Served, sends } from './web-server'

const mebibyte = 1024 * 1024
const most = 9 * mebibyte

/** A page that a hostile host serves, and how its reading ends: with this code, or `read`. `proof` = only `npm run proof` has time for it. */
export type HostilePage = { page: Served; ends: readonly string[]; proof?: boolean }

/** Returns what a hostile host may send. `full`: as much as `npm run proof` sends, otherwise a little more than may be. */
export function hostilePages(full: boolean): Record<string, HostilePage> {
  const tooLarge = { ends: ['too-large'] }
  const tooComplex = { ends: ['too-complex'] }
  const readOrNot = { ends: ['read', 'too-complex', 'unreadable'] }
  return {
    'gzip-bomb': { page: gzipBomb(full ? 2_048 : 64), ...tooLarge },
    'brotli-bomb': { page: brotliBomb(full ? 2_048 : 64), ...tooLarge },
    endless: { page: endless(), ...tooLarge },
    'a-gigabyte-announced': { page: announced(1_024 * mebibyte), ...tooLarge },
    'a-gigabyte-in-pieces': { page: endless(1_024), ...tooLarge },
    trickling: { page: trickling, ends: ['too-slow'], proof: true },
    headers: { page: manyHeaders, ...tooLarge },
    'deep-json': { page: json('['.repeat(100_000) + ']'.repeat(100_000)), ends: ['read'] },
    'wide-json': { page: json(`[${'{},'.repeat(most / 3 - 1)}{}]`), ends: ['read'] },
    'deep-html': { page: html('<div>'.repeat(100_000)), ...tooComplex },
    'many-elements': { page: html('<p>a'.repeat(190_000)), ...readOrNot, proof: true },
    'many-words': { page: html(`<p>${'word '.repeat(most / 5)}`), ...readOrNot, proof: true },
    'long-attribute': { page: html(`<p title="${'a'.repeat(most)}">x`), ends: ['read'] },
    'many-attributes': {
      page: html(`<p ${many((index) => `a${index}=`)}>x`),
      ...tooComplex,
      proof: true,
    },
    'many-comments': { page: html('<!--a-->'.repeat(most / 8)), ...readOrNot, proof: true },
    'not-html': { page: html('<'.repeat(most)), ...readOrNot, proof: true },
    'pdf-bomb': { page: pdf(unpackingPdf()), ...readOrNot, proof: true },
    'pdf-names': { page: pdf(pdfOfNames()), ...readOrNot, proof: true },
  }
}

const html = (content: string) => sends(content, { 'content-type': 'text/html' })
const json = (content: string) => sends(content, { 'content-type': 'application/json' })
const pdf = (content: Uint8Array) => sends(content, { 'content-type': 'application/pdf' })

function many(text: (index: number) => string): string {
  return Array.from({ length: 800_000 }, (_, index) => text(index)).join(' ')
}

function gzipBomb(mebibytes: number): Served {
  // Of several parts one after the other, each is undone.
  const part = gzipSync(Buffer.alloc(64 * mebibyte))
  const content = Buffer.concat(Array.from({ length: mebibytes / 64 }, () => part))
  return inPieces(content, { 'content-encoding': 'gzip' })
}

function brotliBomb(mebibytes: number): Served {
  const piece = Buffer.alloc(mebibyte)
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'br' })
    const compress = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
    const zeros = Readable.from(Array.from({ length: mebibytes }, () => piece))
    void pipeline(zeros, compress, response).catch(() => undefined)
  }
}

/** Returns a page that goes on, in small pieces, so that the process that sends them has time for others. */
function endless(mebibytes = Number.POSITIVE_INFINITY): Served {
  const piece = Buffer.alloc(mebibyte / 16, 'a')
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    let left = 16 * mebibytes
    const more = () => {
      while (!response.destroyed && left-- > 0 && response.write(piece));
      if (left <= 0) response.end()
    }
    response.on('drain', more)
    more()
  }
}

function announced(bytes: number): Served {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': bytes })
    response.write('a'.repeat(mebibyte))
  }
}

const trickling: Served = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const timer = setInterval(() => response.write('a'), 1_000)
  response.on('close', () => clearInterval(timer))
}

const manyHeaders: Served = ({ socket }) => {
  socket.on('error', () => undefined)
  socket.write('HTTP/1.1 200 OK\r\n')
  for (let index = 0; index < 100_000; index++) socket.write(`x-${index}: a\r\n`)
}

/** Returns a PDF of kilobytes whose page unpacks to 100 MiB. */
function unpackingPdf(): Buffer {
  const data = deflateSync(deflateSync(Buffer.alloc(100 * mebibyte, ' ')))
  return makePdf(
    pagesOf(['a']).map(([number, body]) =>
      typeof body === 'string'
        ? [number, body]
        : [number, { dict: '/Filter [/FlateDecode /FlateDecode]', data }],
    ),
  )
}

function pdfOfNames(): Buffer {
  const names = `<<${many((index) => `/k${index} 0`)}>>`
  return makePdf([...pagesOf(['a']), [90, names]], 'trailer\n<< /Root 1 0 R /Info 90 0 R >>\n')
}
