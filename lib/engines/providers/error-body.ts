import { isObject, type JsonObject, textAt } from './json-value'

/** What providers call an empty account where nothing but they themselves write. */
const codes =
  /^(?:insufficient_quota|billing_error|billing_not_active|billing_hard_limit_reached|payment_required|insufficient_(?:balance|credits?|funds))$/i
/** Sentences of theirs; narrow, because a message may hold words of the request. */
const sentences =
  /credit balance|insufficient (?:balance|credits?|funds|quota)|billing hard limit|exceeded your current quota/i

/**
 * True when a failed answer says that the account has no credit or quota left, which waiting does not help. With status
 * 429 only its own code or "credit balance" says so, and nobody who tells when to come back: limits per minute speak of
 * billing and quotas, too. Elsewhere the error's code or type counts, and its message with 400 and 403 alone.
 */
export function saysNoCredit(status: number, body: string, retryAfterMs: number | null): boolean {
  if (status === 402) return true
  if (status >= 500) return false
  const { labels, message } = errorOf(body)
  if (status === 429) {
    if (retryAfterMs !== null) return false
    return labels.includes('insufficient_quota') || /credit balance/i.test(message)
  }
  if (labels.some((label) => codes.test(label))) return true
  return (status === 400 || status === 403) && sentences.test(message)
}

const unknownModelCodes =
  /^(?:model_not_(?:found|available|supported)|invalid_model(?:_id)?|unknown_model)$/i
const unknownModel =
  /^(?:the )?(?:provided )?model (?:identifier|id|name)? ?(?:is invalid|[`'"]?[\w./:@-]*[`'"]? ?(?:does not exist|not exist|not found|is not found))|^invalid model\b|is not a valid model(?: id)?\b/i

/** True when a failed answer says that the provider does not know the model, whatever status it has. */
export function saysUnknownModel(body: string): boolean {
  const { labels, message } = errorOf(body)
  return labels.some((label) => unknownModelCodes.test(label)) || unknownModel.test(message)
}

type ErrorFields = { labels: string[]; message: string }

/** The code, type and message of an error, wherever it stands: bare, under `error`, or first of a list. */
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

/** Text that is no JSON is the message itself; JSON that was cut says nothing. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return /^\s*[[{<]/.test(body) ? null : body
  }
}
