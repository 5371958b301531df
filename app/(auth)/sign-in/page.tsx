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
      <h1 className="mb-6 text-xl">Sign in</h1>
      <div className="flex flex-col gap-4">
        {idleMs !== null && (
          <Card className="flex gap-3 p-4">
            <Clock className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
            <p>Signed out after {durationWords(idleMs)} without activity.</p>
          </Card>
        )}
        {problem && <ErrorNotice title="Not signed in">{problem}</ErrorNotice>}
        {provider && (
          <div className="flex flex-col gap-2">
            <ProviderButton name={provider.name} target={target} />
            <p className="text-muted text-sm">
              On a shared computer, sign out at {provider.name}, too.
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
        {email} also needs a second factor.
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
        <p>Open the set-up link in the server’s terminal. A restart shows a new one.</p>
      </div>
    </Card>
  )
}

const unknownProblem = () => `Try again. The server's log has the cause.`

const problemSentences = new Map<string, (name: string, claim: string) => string>([
  [
    'groups-absent',
    (name, claim) =>
      `${name} sent no groups (claim “${claim}”), so your account is suspended. Ask an admin.`,
  ],
  [
    'groups-elsewhere',
    (name, claim) =>
      `${name} sent no groups (claim “${claim}”) but a reference (“_claim_names”), because they are too many. Ask an admin to limit them.`,
  ],
  [
    'groups-shape',
    (name, claim) =>
      `${name} sent groups (claim “${claim}”) that are no list of names. Ask an admin.`,
  ],
  [
    'groups-too-many',
    (name, claim) =>
      `${name} sent over 10,000 groups (claim “${claim}”). Ask an admin to limit them.`,
  ],
  ['no-role', (name) => `None of your groups at ${name} may use Toolgate. Ask an admin.`],
  ['no-email', (name) => `${name} did not send your e-mail address. Ask an admin.`],
  ['bad-email', (name) => `${name} sent an unusable e-mail address. Ask an admin.`],
  [
    'invited',
    (name) =>
      `Your account is not linked to ${name} yet. Open your invitation link, or ask an admin.`,
  ],
  [
    'email-taken',
    () => 'Another account has your e-mail address. Sign in with its password, or ask an admin.',
  ],
  ['disabled', () => 'Your account is disabled. Ask an admin.'],
])

/** Returns the sentence for an error code in the address. Text from the address itself is never shown. */
function signInProblem(code: string, { name, groupsClaim }: OidcSettings): string {
  return (problemSentences.get(code) ?? unknownProblem)(name, groupsClaim)
}
