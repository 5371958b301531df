import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'

const titles: Record<FailureCategory, string> = {
  auth: 'The provider refused the key',
  forbidden: 'The provider does not allow this request',
  'no-credit': 'The account has no credit or quota left',
  'not-found': 'The provider does not know this model or address',
  'rate-limited': 'The provider’s rate limit was reached',
  overloaded: 'The provider is overloaded',
  server: 'The provider failed',
  connection: 'The provider could not be reached',
  timeout: 'The provider did not answer in time',
  'bad-request': 'The provider did not accept the request',
  'context-length': 'The conversation is too long for the model',
  'invalid-response': 'The provider’s answer could not be read',
  cancelled: 'The request was cancelled',
  egress: 'The provider’s address is blocked',
  'circuit-open': 'The provider is paused because it failed too often',
  'connection-changed': 'No request was sent because the connection changed',
  files: 'No request was sent because of the attached files',
}

/** What kind of failure ended a run, in words, with the status a provider gave. */
export function failureTitle({ category, status }: ProviderFailure): string {
  return status === null ? titles[category] : `${titles[category]} (HTTP ${status})`
}
