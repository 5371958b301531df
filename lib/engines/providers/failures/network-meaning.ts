import type { ProviderTimeouts } from '@/lib/engines/providers/provider'
import type { FailureCategory } from '@/lib/protocol/model/failure'
import { checkAddress, checkWire, storeKey, testConnection, tryAgain } from './connection-advice'

/** Errors of the TLS client when the server speaks another protocol or another version of TLS. */
export const noHttps =
  /^EPROTO$|^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED|HTTP_REQUEST|TLSV1|SSLV3)/

type Meaning = { category: FailureCategory; advice: string }
type Rule = Meaning & { codes: RegExp }

/** Returns what a broken or silent connection means. `timeouts` are those that applied. */
export function networkMeaning(error: unknown, timeouts: ProviderTimeouts): Meaning {
  const code = networkCode(error)
  return rules(timeouts).find((rule) => rule.codes.test(code)) ?? broke
}

/** Returns the code of an error or of its cause; '' when there is none. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error.name === 'HTTPParserError') return 'HPE_INVALID'
  // Several addresses were tried (IPv6 and IPv4); they failed alike.
  if (error instanceof AggregateError) return networkCode(error.errors[0])
  if (error.cause !== undefined) return networkCode(error.cause)
  // A key or an address that cannot stand in a request is refused without a code.
  return error instanceof TypeError ? 'ERR_INVALID_ARG_VALUE' : ''
}

const broke: Meaning = {
  category: 'connection',
  advice: `The connection to the provider broke. ${tryAgain}`,
}

function rules({ connectMs, firstByteMs, idleMs, totalMs }: ProviderTimeouts): Rule[] {
  return [
    {
      codes: /^$/,
      category: 'invalid-response',
      advice: `The request to the provider failed in an unexpected way. Look up the incident in the server log. ${testConnection}`,
    },
    {
      codes: /^ECONNREFUSED$/,
      category: 'connection',
      advice: `Nothing answers at the provider's address: the connection was refused. Check that the server is running. ${checkAddress}`,
    },
    {
      codes: /^(ENOTFOUND|EAI_AGAIN)$/,
      category: 'connection',
      advice: `The provider's host name cannot be resolved. Check this server's network. ${checkAddress}`,
    },
    {
      codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
      category: 'connection',
      advice: `The provider could not be reached within ${seconds(connectMs)}. Check this server's network. ${checkAddress}`,
    },
    {
      codes: /^UND_ERR_HEADERS_TIMEOUT$/,
      category: 'timeout',
      advice: `The provider did not start to answer within ${seconds(firstByteMs)}. ${tryAgain}`,
    },
    {
      codes: /^UND_ERR_BODY_TIMEOUT$/,
      category: 'timeout',
      advice: `The provider stopped sending for ${seconds(idleMs)} in the middle of its answer. ${tryAgain}`,
    },
    {
      codes: /^TOOLGATE_OVERDUE$/,
      category: 'timeout',
      advice: `The provider did not finish its answer within ${seconds(totalMs)}. Ask for less, or pick a faster model. ${testConnection}`,
    },
    {
      codes: noHttps,
      category: 'connection',
      advice: `The server at the provider's address does not support the same HTTPS as this server. If it uses plain HTTP, start the base URL with http://. ${checkAddress}`,
    },
    {
      codes: /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/,
      category: 'connection',
      advice: `The provider's certificate is not trusted by this server. Install its certificate authority. ${checkAddress}`,
    },
    {
      codes: /^HPE_|^LINE_TOO_LONG$/,
      category: 'invalid-response',
      advice: `The address answers, but not in a way this API type allows. ${checkWire}`,
    },
    {
      codes: /^(ERR_INVALID_URL|UND_ERR_INVALID_ARG|ERR_INVALID_ARG_VALUE)$/,
      category: 'bad-request',
      advice: `The request could not be built, because the base URL or the key contains characters that cannot be sent. ${checkAddress} For the key: ${storeKey}`,
    },
  ]
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
