/** Ends of a sign-in at a server, by the name that the address of the page has after the way back. */
const outcomes = {
  connected: 'Connected',
  foreign:
    'Nothing happened: this link belongs to another browser session, was used before, or is older than 10 minutes. Connect again.',
  changed: 'The server was changed meanwhile, so nothing was stored. Connect again.',
  declined: 'The sign-in was declined there. Nothing was stored.',
  refused: 'The service did not accept the answer of the sign-in. Connect again.',
  unreachable: 'The service that signs in did not answer. Try again later.',
  blocked: 'The service leads to an address that may not be reached from here. Nothing was stored.',
  unreadable: 'The service gave an answer that is not what the protocol promises.',
  'no-sign-in': 'The server does not say any more how to sign in.',
  'no-pkce': 'The service does not offer a safe sign-in (PKCE with S256), so none is made.',
  issuer: 'The answer came from another service than the one that was asked. Nothing was stored.',
  resource: 'The answer is for another server. Nothing was stored.',
  'register-a-client': 'This site is unknown there. An admin has to register a client.',
  'client-refused': 'The service does not know this site as a client. An admin has to register it.',
  'next-way': 'The service did not take this site’s document. Connect again: another way is tried.',
  state: 'The answer does not belong to this sign-in. Nothing was stored.',
} as const

/** Returns the outcome that an address names; null = it names none that is known. */
export function connectOutcome(
  name: string | undefined,
): { isConnected: boolean; words: string } | null {
  if (name === undefined || !Object.hasOwn(outcomes, name)) return null
  return { isConnected: name === 'connected', words: outcomes[name as keyof typeof outcomes] }
}
