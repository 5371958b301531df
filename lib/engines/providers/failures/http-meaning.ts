import { isObject, type JsonObject, textAt } from '@/lib/engines/providers/request/json-value'
import type { FailureCategory } from '@/lib/protocol/model/failure'
import { checkAddress, correctAddress, storeKey, tryAgain } from './connection-advice'

/** Meaning of a status and its body. `advice` is the sentence for people; it contains nothing of the body. */
export type HttpMeaning = { category: FailureCategory; advice: string }

const contextLength =
  /context_length_exceeded|context[ _](?:length|window|size|limit)|maximum (?:context|prompt length|model length)|(?:prompt|input) is too long|too many (?:input )?tokens|exceeds? the (?:model's )?max(?:imum)? (?:number of )?(?:input )?tokens/i
const badKey =
  /api[ _-]?key (?:not valid|invalid|expired)|(?:invalid|incorrect|expired)[ _-]?api[ _-]?key|authentication_error/i

/** Parameters that not every model takes, by the names of our wires. Only these and the limits are ever repeated. */
const optionalNames = [
  'temperature',
  'top_p',
  'stop',
  'stop_sequences',
  'seed',
  'reasoning_effort',
  'reasoning.effort',
  'verbosity',
  'tool_choice',
  'parallel_tool_calls',
  'disable_parallel_tool_use',
  'service_tier',
  'thinking',
]
const wireFieldNames = [
  ...optionalNames,
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'tools',
]

/**
 * Reads a failed answer (SPEC R15, R15a). Also used for error events inside a stream, with the status they claim.
 * `retryAfterMs` = when the provider says to come back; null = it does not.
 */
export function httpMeaning(
  status: number,
  body: string,
  retryAfterMs: number | null = null,
): HttpMeaning {
  if (status >= 300 && status < 400) return meaning('invalid-response', redirected(status))
  if (status === 401) return meaning('auth', refusedKey(status))
  if (saysNoCredit(status, body, retryAfterMs)) return meaning('no-credit', noCreditLeft(status))
  if (status === 400 && badKey.test(body)) return meaning('auth', refusedKey(status))
  if ([400, 413, 422].includes(status) && (status === 413 || contextLength.test(body))) {
    return meaning('context-length', tooLong(status))
  }
  if ((status === 400 || status === 422) && saysUnknownModel(body)) {
    return meaning('not-found', unknownModel(status))
  }
  return byStatus(status, body)
}

function byStatus(status: number, body: string): HttpMeaning {
  switch (status) {
    case 403:
      return meaning(
        'forbidden',
        `The provider knows the key but does not allow this request (HTTP 403). Check the account's rights and the model with the provider.`,
      )
    case 404:
    case 405:
      return meaning('not-found', unknownModel(status))
    // Not `timeout`, which is tried again: of the 4xx only 429 is (SPEC R15).
    case 408:
      return meaning(
        'bad-request',
        `The provider timed out while it waited for the request (HTTP 408). ${tryAgain}`,
      )
    case 429:
      return meaning(
        'rate-limited',
        'The provider’s rate limit for this account was reached (HTTP 429). Wait a moment, or raise the limit with the provider.',
      )
    case 503:
    case 529:
      return meaning(
        'overloaded',
        `The provider is overloaded (HTTP ${status}). Try again later, or add a fallback model to the configuration.`,
      )
    default:
      return status >= 500
        ? meaning('server', serverFault(status))
        : meaning('bad-request', notAccepted(status, body))
  }
}

function meaning(category: FailureCategory, advice: string): HttpMeaning {
  return { category, advice }
}

function redirected(status: number): string {
  return `The provider redirected the request (HTTP ${status}). Redirects are not followed, so that the key is sent only to its own host. ${correctAddress}`
}

function refusedKey(status: number): string {
  return `The provider refused the API key (HTTP ${status}). ${storeKey}`
}

function noCreditLeft(status: number): string {
  return `The account behind this key has no credit or quota left (HTTP ${status}). Add credit with the provider, or use the key of another account. ${storeKey}`
}

function unknownModel(status: number): string {
  return `The provider does not know this address or this model (HTTP ${status}). Check the model id. ${checkAddress}`
}

function tooLong(status: number): string {
  return `The conversation is longer than this model accepts (HTTP ${status}). Shorten the prompt, allow fewer rounds, or pick a model with a larger context window.`
}

function serverFault(status: number): string {
  return `The provider had an internal error (HTTP ${status}). Try again later. If it fails again, test the connection.`
}

function notAccepted(status: number, body: string): string {
  const named = wireFieldNames.filter((name) =>
    new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(body),
  )
  const hint = named.some((name) => optionalNames.includes(name))
    ? ' If the model does not take it, store that with the model; then it is not sent any more.'
    : ''
  const which = named.length > 0 ? ` Its answer mentions: ${named.join(', ')}.${hint}` : ''
  return `The provider did not accept the request (HTTP ${status}).${which} Check the configuration's parameters and the model id. ${checkAddress}`
}

/** Codes that providers use for an empty account, in fields that only the provider writes. */
const codes =
  /^(?:insufficient_quota|billing_error|billing_not_active|billing_hard_limit_reached|payment_required|insufficient_(?:balance|credits?|funds))$/i
/** Sentences of theirs; narrow, because a message may hold words of the request. */
const sentences =
  /credit balance|insufficient (?:balance|credits?|funds|quota)|billing hard limit|exceeded your current quota/i

/**
 * Returns whether a failed answer says that the account has no credit or quota left, so that waiting does not help.
 * With status 429, only its own code means this, or "credit balance" without a time to retry: limits per minute
 * mention billing and quotas, too. With other statuses the error's code or type counts, and its message only
 * with 400 and 403.
 */
function saysNoCredit(status: number, body: string, retryAfterMs: number | null): boolean {
  if (status === 402) return true
  if (status >= 500) return false
  const { labels, message } = errorOf(body)
  if (status === 429) {
    // A gateway that sends this code with Retry-After for its own limit per minute would need to be waited for. OpenAI
    // sends it for empty accounts alone; Azure OpenAI and Gemini have other codes for limits per minute.
    if (labels.includes('insufficient_quota')) return true
    return retryAfterMs === null && /credit balance/i.test(message)
  }
  if (labels.some((label) => codes.test(label))) return true
  return (status === 400 || status === 403) && sentences.test(message)
}

const unknownModelCodes =
  /^(?:model_not_(?:found|available|supported)|invalid_model(?:_id)?|unknown_model)$/i
const unknownModelWords =
  /^(?:the )?(?:provided )?model (?:identifier|id|name)? ?(?:is invalid|[`'"]?[\w./:@-]*[`'"]? ?(?:does not exist|not exist|not found|is not found))|^invalid model\b|is not a valid model(?: id)?\b/i

/** Returns whether a failed answer says that the provider does not know the model, whatever its status. */
function saysUnknownModel(body: string): boolean {
  const { labels, message } = errorOf(body)
  return labels.some((label) => unknownModelCodes.test(label)) || unknownModelWords.test(message)
}

type ErrorFields = { labels: string[]; message: string }

/** Returns the code, type and message of an error: bare, under `error`, or first of a list. */
function errorOf(body: string): ErrorFields {
  const value = unwrapped(parsed(body))
  if (!isObject(value)) return { labels: [], message: typeof value === 'string' ? value : '' }
  const labels = ['code', 'type'].map((key) => textAt(value, key))
  return { labels, message: textAt(value, 'message') || textAt(value, 'detail') }
}

function unwrapped(value: unknown): unknown {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return isObject(first) && hasError(first) ? first.error : first
}

function hasError({ error }: JsonObject): boolean {
  return isObject(error) || typeof error === 'string'
}

/** Returns the parsed body. Text that is not JSON is the message itself; JSON that was cut has nothing. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return /^\s*[[{<]/.test(body) ? null : body
  }
}
