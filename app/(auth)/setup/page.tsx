import { readSetupState } from '@toolgate/server/domains/users/setup'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { SetupForm } from './setup-form'

export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' }

type SearchParams = Promise<{ token?: string | string[] }>

export default async function SetupPage({ searchParams }: { searchParams: SearchParams }) {
  const { token } = await searchParams
  const given = typeof token === 'string' ? token : ''
  const state = await readSetupState(given)
  if (state === 'done') return <AlreadySetUp />
  if (state === 'wrong-link') return <WrongLink missing={given === ''} />
  return (
    <>
      <h1 className="mb-1 text-xl">Create the first admin</h1>
      <p className="mb-6 text-muted">
        This account can manage everything in Toolgate and invite other people.
      </p>
      <SetupForm token={given} />
    </>
  )
}

function AlreadySetUp() {
  return (
    <>
      <h1 className="mb-4 text-xl">Toolgate is already set up</h1>
      <Card className="flex flex-col items-start gap-3 p-4">
        <p>
          The set-up link works once and has been used. Sign in with the account created then, or
          ask an admin for one. Locked out? Run{' '}
          <code className="font-mono text-mono">bin/toolgate user add</code> on the server.
        </p>
        <Button asChild variant="primary">
          <Link href="/sign-in">Sign in</Link>
        </Button>
      </Card>
    </>
  )
}

function WrongLink({ missing }: { missing: boolean }) {
  return (
    <>
      <h1 className="mb-4 text-xl">This set-up link does not work</h1>
      <Card className="flex flex-col gap-2 p-4">
        <p>
          {missing
            ? 'The token is missing in the address.'
            : 'The token is wrong, older than 24 hours, or replaced by a newer one.'}
        </p>
        <p>
          The newest link is in the terminal that runs the server. To get a new one, restart the
          server. Then open the whole address.
        </p>
      </Card>
    </>
  )
}
