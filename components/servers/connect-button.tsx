'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction, useDone } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/next/action'
import { visibleText } from '@/lib/words/clean-text'

type Next = { url: string; host: string; scopes: string[] }
type Connect = (input: {
  server: string
  for: 'me' | 'site'
}) => Promise<ActionResult<{ next: Next | null }>>

/** Begins a sign-in at a server: names the host that the browser goes to, and what is asked for, before it does. */
export function ConnectButton({
  server,
  whose,
  again,
  connect,
}: {
  server: string
  whose: 'me' | 'site'
  /** There is an account, which this replaces. */
  again: boolean
  connect: Connect
}) {
  const [next, setNext] = useState<Next | null>(null)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const tellDone = useDone()
  const router = useRouter()
  const begin = async () => {
    setBusy(true)
    const result = await sendAction(() => connect({ server, for: whose }))
    setBusy(false)
    if (!result.ok)
      return toast({ tone: 'error', title: 'Not connected', description: result.error.message })
    if (result.value.next) return setNext(result.value.next)
    tellDone({ title: 'Connected' })
    router.refresh()
  }
  return (
    <>
      <Button
        size="sm"
        variant={again ? 'secondary' : 'primary'}
        loading={busy}
        onClick={() => void begin()}
      >
        {again ? 'Reconnect' : 'Connect'}
        <span className="sr-only"> {server}</span>
      </Button>
      {next && (
        <Dialog
          open
          onOpenChange={(open) => !open && setNext(null)}
          title={`Sign in at ${next.host}`}
          description={`You go to ${next.host} and come back here. Runs then act as that account at ${server}.`}
          footer={
            <>
              <DialogClose asChild>
                <Button>Cancel</Button>
              </DialogClose>
              <Button asChild variant="primary">
                <a href={next.url} rel="noreferrer">
                  {`Go to ${visibleText(next.host)}`}
                </a>
              </Button>
            </>
          }
        >
          <Scopes scopes={next.scopes} />
        </Dialog>
      )}
    </>
  )
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length === 0)
    return <p className="text-muted">No rights are named. That page says what you allow.</p>
  return (
    <div>
      <p>These rights are asked for:</p>
      <ul className="list-disc pl-5 font-mono text-sm">
        {scopes.map((scope) => (
          <li key={scope} className="[overflow-wrap:anywhere]">
            <VisibleText text={scope} />
          </li>
        ))}
      </ul>
    </div>
  )
}
