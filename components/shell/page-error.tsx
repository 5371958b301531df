'use client'
import { CircleX } from 'lucide-react'
import { statementLimitDigest } from '@/lib/protocol/statement-limit'
import { Button } from '../ui/button'
import { MessagePage } from './message-page'

/** Shows that a page could not be rendered. The digest finds the cause in the server log; the cause is not shown. */
export function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = digestOf(error)
  if (digest === statementLimitDigest) return <TookTooLong retry={retry} />
  return (
    <MessagePage
      icon={CircleX}
      title="This page could not be shown"
      action={
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>
        An internal error stopped this page. Nothing else is affected. Try again. If it happens
        again, give the incident id to the person who runs this installation: the server log has the
        details under it.
      </p>
      {digest && <p className="font-mono text-mono">Incident {digest}</p>}
    </MessagePage>
  )
}

function TookTooLong({ retry }: { retry: () => void }) {
  return (
    <MessagePage
      icon={CircleX}
      title="This page took too long"
      action={
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>
        The database needed more time for it than a page may take, so it was stopped. Go back and
        narrow it with a filter or a shorter period, or try again when less is going on.
      </p>
    </MessagePage>
  )
}

function digestOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return null
  return typeof error.digest === 'string' ? error.digest : null
}
