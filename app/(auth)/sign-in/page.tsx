import { passkeySite } from '@toolgate/server/auth/factors/passkey-challenge'
import { endedByIdling } from '@toolgate/server/auth/load-session'
import { type OidcSettings, oidcSettings } from '@toolgate/server/auth/oidc'
import {
  type PendingSignIn,
  pendingCookieName,
  readPendingSignIn,
} from '@toolgate/server/auth/pending-sign-in'
import { safePath } from '@toolgate/server/auth/safe-path'
import { passwordSignInIsOn } from '@toolgate/server/domains/users/passwords'
import { readSetupState } from '@toolgate/server/domains/users/setup'
import { Clock, KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { Card } from '@/components/ui/card'
import { ErrorNotice } from '@/components/ui/error-notice'
import { cookieSessionId, currentSession } from '@/lib/next/require-user'
import { durationWords } from '@/lib/words/format'
import { PasskeyButton } from './passkey-button'
import { ProviderButton } from './provider-button'
import { SecondStep } from './second-step'
import { SignInForm } from './sign-in-form'

export const metadata: Metadata = { title: 'Sign in' }

type SearchParams = Promise<{ next?: string | string[]; error?: string | string[] }>

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { next, error } = await searchParams
  const target = safePath(typeof next === 'string' ? next : null)
  if (await currentSession()) redirect(target)
  const provider = oidcSettings()
  const passwords = passwordSignInIsOn()
  const token = (await cookies()).get(pendingCookieName())?.value
  const pending = passwords ? await readPendingSignIn(token) : null
  if (pending) return <SecondFactorPart pending={pending} target={target} />
  const idleMs = await idleEnding()
  const passkeys = passwords && passkeySite().type === 'available'
  const isSetUp = (await readSetupState('')) === 'done'
  const problem = provider && typeof error === 'string' ? signInProblem(error, provider) : null
  return (
    <>
      <h1 className="mb-1 text-xl">Sign in</h1>
      <p className="mb-6 text-muted">Use the account an admin of this installation gave you.</p>
      <div className="flex flex-col gap-4">
        {idleMs !== null && (
          <Card className="flex gap-3 p-4">
            <Clock className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
            <p>You were signed out after {durationWords(idleMs)} without activity.</p>
          </Card>
        )}
        {problem && <ErrorNotice title="You are not signed in">{problem}</ErrorNotice>}
        {provider && (
          <div className="flex flex-col gap-2">
            <ProviderButton name={provider.name} target={target} />
            <p className="text-muted text-sm">
              Signing out of Toolgate does not end your session at {provider.name}. On a shared
              computer, sign out there, too.
            </p>
          </div>
        )}
        {provider && passwords && <Or />}
        {passwords && (isSetUp ? <SignInForm target={target} /> : <SetupFirst />)}
        {passkeys && isSetUp && <PasskeyButton target={target} />}
      </div>
    </>
  )
}

/** Asks for the second factor, after the right password. */
function SecondFactorPart({ pending, target }: { pending: PendingSignIn; target: string }) {
  const { email, ways } = pending
  const passkey = ways.passkey && passkeySite().type === 'available'
  return (
    <>
      <h1 className="mb-1 text-xl">Confirm your sign-in</h1>
      <p className="mb-6 text-muted [overflow-wrap:anywhere]">
        Your password is right. {email} also needs a second factor.
      </p>
      <SecondStep target={target} ways={{ app: ways.app, passkey }} />
    </>
  )
}

/** Returns the time limit in milliseconds when this browser's session ended because nobody used it; null otherwise. */
async function idleEnding(): Promise<number | null> {
  const sessionId = await cookieSessionId()
  return sessionId === null ? null : endedByIdling(sessionId)
}

function Or() {
  return (
    <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or with a password
    </p>
  )
}

/** Says where the first account comes from, while there is none that can sign in. */
function SetupFirst() {
  return (
    <Card className="flex gap-3 p-4">
      <KeyRound className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
      <div>
        <p className="font-medium text-strong">Toolgate has no admin yet</p>
        <p>
          The terminal that runs the server shows a one-time set-up link. Open it to create the
          first admin. Lost it? Restart the server for a new one.
        </p>
      </div>
    </Card>
  )
}

const unknownProblem = (name: string) =>
  `Signing in with ${name} did not work. Try again. If it happens again, an admin can find the cause in the server's log.`

const problemSentences = new Map<string, (name: string, claim: string) => string>([
  [
    'groups-absent',
    (name, claim) =>
      `${name} sent no list of your groups (claim “${claim}”), so Toolgate cannot know what you may do. An account that you have here is suspended until ${name} sends it or an admin enables it. Ask an admin to check the settings of ${name}.`,
  ],
  [
    'groups-elsewhere',
    (name, claim) =>
      `${name} sent no list of your groups (claim “${claim}”), but named another place for it (claim “_claim_names”), as some providers do for people in many groups. Toolgate does not read that. Your account did not change. Ask an admin to let ${name} send only the groups that Toolgate uses.`,
  ],
  [
    'groups-shape',
    (name, claim) =>
      `${name} sent your groups (claim “${claim}”) in a form that is no list of names. Your account did not change. Ask an admin to check the settings of ${name}.`,
  ],
  [
    'groups-too-many',
    (name, claim) =>
      `${name} sent more than 10,000 groups (claim “${claim}”). Your account did not change. Ask an admin to let ${name} send only the groups that Toolgate uses.`,
  ],
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
    'bad-email',
    (name) =>
      `${name} sent an e-mail address that cannot be used. Ask an admin to correct it at the provider.`,
  ],
  [
    'invited',
    (name) =>
      `Your account here waits for its invitation and is not linked to ${name}. Open the one-time link that an admin gave you and set a password. If you have no link, or it does not work, ask an admin.`,
  ],
  [
    'email-taken',
    () =>
      'Another account has your e-mail address and is not linked to this sign-in. Sign in with its password, or ask an admin.',
  ],
  ['disabled', () => 'Your account here is disabled. Ask an admin.'],
])

/** Returns the sentence for an error code in the address. Text from the address itself is never shown. */
function signInProblem(code: string, { name, groupsClaim }: OidcSettings): string {
  return (problemSentences.get(code) ?? unknownProblem)(name, groupsClaim)
}
