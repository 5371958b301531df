import { checkWire } from '@/lib/engines/providers/failures/connection-advice'
import { httpMeaning } from '@/lib/engines/providers/failures/http-meaning'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import {
  isObject,
  type JsonObject,
  parseObject,
  textAt,
} from '@/lib/engines/providers/request/json-value'

/**
 * Returns the JSON object of one event. Other text is never skipped, because it may have carried a piece of an
 * argument, without which the call would be a different one. Throws `WireFailure`.
 */
export function eventObject(data: string): JsonObject {
  const object = parseObject(data)
  if (object) return object
  throw new WireFailure(
    'invalid-response',
    `The provider sent something that does not match this API type in the middle of its answer. Try again. ${checkWire}`,
    { received: data.slice(0, 2_000) },
  )
}

const statusOfType: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

/** Returns the error that the provider reports inside a stream that began well. */
export function errorEvent(error: unknown): WireFailure {
  const { category, advice } = httpMeaning(statusOf(error), JSON.stringify(error) ?? '')
  const sentence = advice.replace(/ \(HTTP \d+\)/, '')
  return new WireFailure(category, sentence, { errorEvent: error })
}

function statusOf(error: unknown): number {
  if (!isObject(error)) return 500
  for (const key of ['code', 'status', 'status_code']) {
    const status = Number(error[key])
    if (Number.isInteger(status) && status >= 400 && status < 600) return status
  }
  return statusOfType.get(textAt(error, 'type')) ?? statusOfType.get(textAt(error, 'code')) ?? 500
}
