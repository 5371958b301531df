import { passkeySite } from '@toolgate/server/auth/factors/passkey-challenge'
import { addressBefore, safePath } from '@toolgate/server/auth/safe-path'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AddFactor } from '@/app/(console)/account/second-factor/add-factor'
import { ConfirmProvider } from '@/app/(console)/confirm/confirm-provider'
import { currentSession } from '@/lib/next/require-user'
import { SignOutButton } from './sign-out-button'

export const metadata: Metadata = { title: 'Set up a second factor' }

type SearchParams = Promise<{ next?: string | string[] }>

/** Shows the only page that people can open who need a second factor and have none. */
export default async function SecondFactorPage({ searchParams }: { searchParams: SearchParams }) {
  const { next } = await searchParams
  const target = safePath(typeof next === 'string' ? next : null)
  const session = await currentSession()
  if (!session) redirect(addressBefore('/sign-in', target))
  if (!session.mustEnrol) redirect(target)
  const site = passkeySite()
  return (
    <ConfirmProvider>
      <h1 className="mb-1 text-xl">Set up a second factor</h1>
      <p className="mb-6 text-muted">
        This site requires a second factor. Signed in as{' '}
        <span className="font-medium text-strong [overflow-wrap:anywhere]">
          {session.actor.email}
        </span>
        .
      </p>
      <div className="flex flex-col gap-4">
        <AddFactor noPasskeys={site.type === 'unavailable' ? site.reason : null} goTo={target} />
        <SignOutButton />
      </div>
    </ConfirmProvider>
  )
}
