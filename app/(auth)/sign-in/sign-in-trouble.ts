const failed = (name: string) =>
  `Signing in with ${name} did not work. Try again. If it happens again, an admin can find the cause in the server's log.`

const sentences = new Map<string, (name: string) => string>([
  [
    'no-role',
    (name) =>
      `${name} knows you, but none of your groups there may use Toolgate. Ask an admin to add you to one.`,
  ],
  [
    'no-email',
    (name) =>
      `${name} did not send your e-mail address. Ask an admin to allow that at the provider.`,
  ],
  [
    'email-taken',
    () =>
      'Another account has your e-mail address and is not linked to this sign-in. Sign in with its password, or ask an admin.',
  ],
  ['disabled', () => 'Your account here is disabled. Ask an admin.'],
])

/** What a code in the address means; nothing an address says is ever shown as it is. */
export function signInTrouble(code: string, name: string): string {
  return (sentences.get(code) ?? failed)(name)
}
