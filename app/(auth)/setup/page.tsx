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
      <p className="mb-6 text-muted">It manages everything and invites people.</p>
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
          Locked out? Run <code className="font-mono text-mono">bin/toolgate user add</code> on the
          server.
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
            ? 'The address has no token.'
            : 'Its token is wrong, replaced, or older than 24 hours.'}
        </p>
        <p>Restart the server, then open the whole link in its terminal.</p>
      </Card>
    </>
  )
}
