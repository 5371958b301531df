import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { z } from 'zod'
import {
  type Delivery,
  type DeliveryFailure,
  type MessageText,
  notDelivered,
} from '@/lib/domains/channels/shared/delivery'
import { openCheckedSocket } from '@/lib/engines/egress/egress-connector'
import type { Channel } from '../shape'
import { withinTime } from './post-json'
import { unreachable } from './unreachable'

const timeoutMs = 20_000

/** The port of a mail server where none is given. */
const usualPorts: Record<Channel['security'], number> = { tls: 465, starttls: 587, none: 25 }

/** Address and settings for the mails of a channel. */
export type MailRoute = Pick<Channel, 'port' | 'security' | 'user'> & {
  host: string
  from: string
  to: string[]
}

type MailChannel = {
  route: MailRoute
  password: string | null
  privateAddressAllowed: boolean
}

/**
 * Sends one mail to all recipients, over a connection to an address that egress rules allow. The certificate is
 * verified for the host. Never throws; what the server wrote is not shown.
 */
export async function sendMail(
  { route, password, privateAddressAllowed }: MailChannel,
  { title, text }: MessageText,
  stop?: AbortSignal,
): Promise<Delivery> {
  const { host, security, user, from, to } = route
  const port = route.port ?? usualPorts[security]
  const { createTransport } = await import('nodemailer')
  const getSocket: SMTPTransportGetSocket = (_options, done) => {
    openCheckedSocket({ host, port }, { privateAllowed: privateAddressAllowed }, timeoutMs).then(
      (connection) => done(null, { connection }),
      (error) => done(error),
    )
  }
  const transport = createTransport({
    host,
    port,
    getSocket,
    disableFileAccess: true,
    disableUrlAccess: true,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2' },
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...(user !== null && { auth: { user, pass: password ?? '' }, forceAuth: true }),
  })
  try {
    const signal = withinTime(timeoutMs, stop)
    const mail = { from, to, subject: title, text: text || title, xMailer: false, signal } as const
    const { rejected, response } = await transport.sendMail(mail)
    const trouble = rejected.length === 0 ? null : partlyRefused(rejected.length, to.length)
    const status = Number(/^\d{3}/.exec(response)?.[0] ?? 250)
    return { isAccepted: true, trouble, failure: null, status, retryAfterSeconds: null }
  } catch (error) {
    return refusal(error) ?? unreachable(error, 'mail server')
  } finally {
    transport.close()
  }
}

function partlyRefused(refused: number, all: number): string {
  return `The mail server refused ${refused} of ${all} recipients. Check their addresses.`
}

const Refusal = z.object({ code: z.string(), responseCode: z.int().optional() })

/** Returns the outcome of a mail that the server refused; null = the error says something else. */
function refusal(error: unknown): Delivery | null {
  const { code, responseCode: status = null } = Refusal.safeParse(error).data ?? {}
  const trouble = refusalWords(code, status)
  return trouble === null ? null : notDelivered(failureOf(code, status), trouble, { status })
}

/** Returns what became of a mail: a server that says 4 and two digits may take it later, one that stops answering may have it. */
function failureOf(code: string | undefined, status: number | null): DeliveryFailure {
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'unknown'
  return status !== null && status >= 400 && status < 500 ? 'later' : 'final'
}

function refusalWords(code: string | undefined, status: number | null): string | null {
  const answer = status === null ? '' : ` (${status})`
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return `The mail server refused the user name or the password${answer}. Enter them again.`
    case 'EENVELOPE':
    case 'EMESSAGE':
      return `The mail server refused the mail${answer}. Check the sender, the recipients and the log of that server.`
    case 'EPROTOCOL':
      return `The mail server did not answer as one${answer}. Check the host, the port and the encryption.`
    case 'ETLS':
      return 'The mail server does not offer STARTTLS, or it failed. Check the port and the encryption.'
    case 'ETIMEDOUT':
    case 'EABORT':
      return 'The mail server did not answer in time. Check the host, the port and the encryption.'
    default:
      return null
  }
}
