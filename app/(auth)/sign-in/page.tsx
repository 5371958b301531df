import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { currentSession } from '@/lib/auth/require-user'
import { safePath } from '@/lib/auth/safe-path'
import { readSetupState } from '@/lib/users/read-setup-state'
import { SetupFirst } from './setup-first'
import { SignInForm } from './sign-in-form'

export const metadata: Metadata = { title: 'Sign in' }

type SearchParams = Promise<{ next?: string | string[] }>

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { next } = await searchParams
  const target = safePath(typeof next === 'string' ? next : null)
  if (await currentSession()) redirect(target)
  const isSetUp = (await readSetupState('')) === 'done'
  return (
    <>
      <h1 className="mb-1 text-xl">Sign in</h1>
      <p className="mb-6 text-muted">Use the account an admin of this installation gave you.</p>
      {isSetUp ? <SignInForm target={target} /> : <SetupFirst />}
    </>
  )
}
