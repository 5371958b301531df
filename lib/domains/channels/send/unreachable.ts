import { z } from 'zod'
import { type Delivery, notDelivered } from '@/lib/domains/channels/shared/delivery'
import { EgressError } from '@/lib/engines/egress/egress-connector'

/** The codes of Node.js for a certificate that does not fit the host, or that nobody known vouches for. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS/

/** The codes of attempts that ended before there was a connection, so that nothing was sent. */
const unconnected = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Returns the outcome of an attempt that got no answer. Nothing of the error's own text is shown. */
export function unreachable(error: unknown, receiver: 'webhook' | 'mail server'): Delivery {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof EgressError) {
    return notDelivered(
      'final',
      `The ${receiver}’s address is private, reserved or on this machine, so it is blocked. If that is intended, allow private addresses on the channel.`,
    )
  }
  const code = codeOf(cause)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return notDelivered('later', `The host of the ${receiver} was not found. Check the address.`)
  }
  if (code === 'ECONNREFUSED') {
    return notDelivered(
      'later',
      `No server is listening at the ${receiver}’s address. Check the host and the port.`,
    )
  }
  if (certificateCode.test(code)) {
    return notDelivered(
      'final',
      `The certificate of the ${receiver} is not trusted by this server (${code}). Install its certificate authority (NODE_EXTRA_CA_CERTS), or check the address.`,
    )
  }
  return notDelivered(
    unconnected.has(code) ? 'later' : 'unknown',
    `The ${receiver} could not be reached${code === '' ? '' : ` (${code})`}. Check its address and the network.`,
  )
}

/** Nodemailer keeps the code of Node.js beside one of its own. */
const Coded = z.object({ code: z.string().optional(), originalCode: z.string().optional() })

/** Returns the code of Node.js; "" = there is none that can be shown. */
function codeOf(error: unknown): string {
  const { originalCode, code = '' } = Coded.safeParse(error).data ?? {}
  const shown = originalCode ?? code
  return /^[A-Z0-9_]{1,60}$/.test(shown) ? shown : ''
}
