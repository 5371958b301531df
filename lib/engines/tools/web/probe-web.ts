import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Dispatcher } from 'undici'
import { type DecodedText, decodeAsText } from '@/lib/protocol/files/decode-text'
import { type Asker, askWeb, headers } from './ask-web'
import { pageKind } from './page-kind'
import { headBytes, locationOf, only, type Target, withAnswer } from './web-request'

/** Maximum bytes of a body that are read. */
const mostBody = 8 * 1024

/**
 * An answer as it arrived. `redirect`: where it leads to; `otherHeaders`: how many others there are; `body`: its
 * first bytes as text, or why there is none. `end`: it has all of the body, or ends where a limit or the host cut it.
 */
export type Probe = {
  status: number
  redirect: string | null
  headers: Record<string, string>
  otherHeaders: number
  body:
    | { type: 'text'; decoded: DecodedText; end: 'whole' | 'limit' | 'broken' }
    | { type: 'none'; why: string }
  firstByteMs: number
  /** When the certificate of the host ends, ISO 8601 in UTC; null = there is none. */
  certificateEnds: string | null
}

/** Headers that describe an answer and its route. None that identifies somebody, such as cookies. */
const shownHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'location',
  'retry-after',
  'cache-control',
  'age',
  'date',
  'server',
  'via',
  'x-cache',
  'server-timing',
  'x-response-time',
  'x-runtime',
]

/** Headers of the connection say nothing about what was asked for. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding']

function isOther(name: string): boolean {
  return !shownHeaders.includes(name) && !connectionHeaders.includes(name)
}

/** Asks an address once, and follows no redirect, within 15 s in all. Throws ToolError. */
export async function probeWeb(address: string, asker: Asker): Promise<Probe> {
  const { probe } = await askWeb(
    address,
    asker,
    headBytes + mostBody,
    async (target, allowance, signal) => {
      allowance.countAll()
      const probe = await probed(target, signal)
      // Reports the redirect instead of following it.
      return { status: probe.status, location: null, probe }
    },
  )
  // The end of the run may have cut the body.
  asker.signal.throwIfAborted()
  return probe
}

async function probed(target: Target, signal: AbortSignal): Promise<Probe> {
  let certificateEnds: string | null = null
  const connected = (socket: Socket) => {
    certificateEnds = endOfCertificate(socket)
  }
  const from = performance.now()
  // Packed bytes would have to be unpacked to be shown.
  const question = {
    method: 'GET',
    headers: { ...headers, 'accept-encoding': 'identity' },
  } as const
  const read = async (answer: Dispatcher.ResponseData) => {
    const firstByteMs = Math.round(performance.now() - from)
    const shown = shownHeaders.flatMap((name) => {
      const value = only(answer.headers[name])
      return value === undefined ? [] : [[name, value] as const]
    })
    return {
      status: answer.statusCode,
      redirect: locationOf(answer),
      firstByteMs,
      headers: Object.fromEntries(shown),
      otherHeaders: Object.keys(answer.headers).filter(isOther).length,
      body: await startOf(answer),
    }
  }
  return { ...(await withAnswer(target, question, signal, read, connected)), certificateEnds }
}

function endOfCertificate(socket: Socket): string | null {
  if (!(socket instanceof TLSSocket)) return null
  const end = new Date(socket.getPeerCertificate().valid_to)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

/** Returns the first bytes of a body as text. A body that breaks off or takes too long has as many as arrived. */
async function startOf({ headers: given, body }: Dispatcher.ResponseData): Promise<Probe['body']> {
  const pieces: Uint8Array[] = []
  let size = 0
  let end: 'whole' | 'limit' | 'broken' = 'whole'
  try {
    for await (const piece of body) {
      const bytes: Uint8Array = piece
      pieces.push(bytes)
      size += bytes.length
      if (size <= mostBody) continue
      end = 'limit'
      break
    }
  } catch {
    end = 'broken'
  }
  const content = new Uint8Array(Buffer.concat(pieces).subarray(0, mostBody))
  const encoding = only(given['content-encoding']) ?? ''
  if (encoding !== '' && encoding !== 'identity') return { type: 'none', why: 'it is compressed' }
  const kind = pageKind(only(given['content-type']), content)
  if ('named' in kind) return { type: 'none', why: `it is ${kind.named}` }
  if (kind.kind === 'pdf') return { type: 'none', why: 'it is a PDF' }
  const { charset } = kind
  const isCut = end !== 'whole'
  const decoded = decodeAsText(content, { charset, isHtml: kind.kind === 'html', isCut })
  return { type: 'text', decoded, end }
}
