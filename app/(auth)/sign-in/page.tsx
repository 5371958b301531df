import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { ErrorNotice } from '@/components/ui/error-notice'
import { oidcSettings } from '@/lib/auth/oidc-settings'
import { currentSession } from '@/lib/auth/require-user'
import { safePath } from '@/lib/auth/safe-path'
import { readSetupState } from '@/lib/users/read-setup-state'
import { passwordSignInIsOn } from '@/lib/users/require-password-sign-in'
import { ProviderButton } from './provider-button'
import { SetupFirst } from './setup-first'
import { SignInForm } from './sign-in-form'
import { signInTrouble } from './sign-in-trouble'

export const metadata: Metadata = { title: 'Sign in' }

type SearchParams = Promise<{ next?: string | string[]; error?: string | string[] }>

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { next, error } = await searchParams
  const target = safePath(typeof next === 'string' ? next : null)
  if (await currentSession()) redirect(target)
  const provider = oidcSettings()
  const passwords = passwordSignInIsOn()
  const isSetUp = (await readSetupState('')) === 'done'
  const trouble = provider && typeof error === 'string' ? signInTrouble(error, provider.name) : null
  return (
    <>
      <h1 className="mb-1 text-xl">Sign in</h1>
      <p className="mb-6 text-muted">Use the account an admin of this installation gave you.</p>
      <div className="flex flex-col gap-4">
        {trouble && <ErrorNotice title="You are not signed in">{trouble}</ErrorNotice>}
        {provider && <ProviderButton name={provider.name} target={target} />}
        {provider && passwords && <Or />}
        {passwords && (isSetUp ? <SignInForm target={target} /> : <SetupFirst />)}
      </div>
    </>
  )
}

function Or() {
  return (
    <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or with a password
    </p>
  )
}
