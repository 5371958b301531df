const failed = (name: string) =>
  `Signing in with ${name} did not work. Try again; if it stays so, an admin finds the cause in the server's log.`

const sentences = new Map<string, (name: string) => string>([
  [
    'no-role',
    (name) =>
      `${name} knows you, but none of your groups there may use Toolgate. Ask an admin to be added to one.`,
  ],
  ['no-email', (name) => `${name} did not say your e-mail address. An admin can let it do so.`],
  [
    'email-taken',
    () =>
      'There is an account with your e-mail address already, and it is not linked to this sign-in. Sign in with its password, or ask an admin.',
  ],
  ['disabled', () => 'Your account here is disabled. Ask an admin.'],
])

/** What a code in the address means; nothing an address says is ever shown as it is. */
export function signInTrouble(code: string, name: string): string {
  return (sentences.get(code) ?? failed)(name)
}
